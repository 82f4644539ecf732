import sharp from 'sharp';
import {
  comment,
  solid,
  type TestFrame,
  type TestGif,
  writeGif,
} from '../../packages/server/src/media/testing/gif-writer.ts';

/** The fate of a file: it is accepted, or refused for one of these reasons. If the list has both, either is allowed. */
export type Fate = 'taken' | readonly string[];

export interface NastyFile {
  name: string;
  make(): Uint8Array | Promise<Uint8Array>;
  fate: Fate;
}

const times = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => item(n));
const gif = (width: number, height: number, frames: readonly TestFrame[], rest: Partial<TestGif> = {}): Buffer =>
  Buffer.from(writeGif({ width, height, frames, ...rest }));
const blink = (width: number, height: number, rest: Partial<TestGif> = {}): Buffer =>
  gif(width, height, [{ pixels: 0 }, { pixels: 1 }], rest);

/** Returns a GIF with the given number of frames, which fill the canvas, in two alternating colours. */
function flicker(width: number, height: number, frames: number): Buffer {
  const [one, two] = [solid(width * height, 1), solid(width * height, 2)];
  return gif(
    width,
    height,
    times(frames, (n) => ({ data: n % 2 === 0 ? one : two })),
  );
}

/** Returns a GIF with one frame, which repeats the pixels of one noisy stripe. */
function tiled(width: number, height: number): Buffer {
  const stripe = noisyPixels(width, 1);
  return gif(width, height, [
    { pixels: Uint8Array.from({ length: width * height }, (_, at) => stripe[(at * 7) % width]!) },
  ]);
}

function noisyPixels(width: number, height: number): Uint8Array {
  let seed = 1;
  return Uint8Array.from({ length: width * height }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return (seed >> 16) & 3;
  });
}

/** Returns frames of random pixels, so that the image data is long. */
function noisy(width: number, height: number, frames: number): Buffer {
  let seed = 1;
  const pixels = () =>
    Uint8Array.from({ length: width * height }, () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed >> 16) & 3;
    });
  return gif(
    width,
    height,
    times(frames, () => ({ pixels: pixels() })),
  );
}

const noisyWebp = () =>
  sharp(noisy(64, 64, 8), { pages: -1 })
    .webp({ lossless: true })
    .toBuffer();

const still = (format: 'png' | 'jpeg' | 'avif' | 'tiff' | 'webp') =>
  sharp({ create: { width: 16, height: 16, channels: 3, background: 'red' } })
    .toFormat(format)
    .toBuffer();

async function changed(bytes: Buffer | Promise<Buffer>, change: (copy: Buffer) => void): Promise<Buffer> {
  const copy = Buffer.from(await bytes);
  change(copy);
  return copy;
}

/** Returns the offset at which the picture data of the nth frame of an animated WebP starts. */
function frameData(webp: Buffer, n: number): number {
  let at = -1;
  for (let i = 0; i <= n; i++) at = webp.indexOf('ANMF', at + 1);
  return at + 8 + 16 + 8;
}

const WRONG_TYPE = ['wrong_type'];
const BROKEN = ['broken_frames', 'sizes_disagree', 'unreadable', 'no_frames'];
const TOO_MUCH = ['too_many_pixels', 'too_slow', 'too_much_memory', 'timed_out'];

const file = (name: string, fate: Fate, make: NastyFile['make']): NastyFile => ({ name, make, fate });

/**
 * Files that were made to break a service: files with wrong types, wrong sizes or damage, and files that are small but
 * expensive to decode. The names are the titles.
 */
export const NASTY_FILES: readonly NastyFile[] = [
  // Files that are not GIFs at all.
  file('nothing', ['unreadable'], () => Buffer.alloc(0)),
  file('signature', ['unreadable'], () => Buffer.from('GIF89a')),
  file('half-header', ['unreadable'], () => blink(16, 16).subarray(0, 20)),
  file('html', WRONG_TYPE, () => Buffer.from('<html><script>alert(1)</script></html>')),
  file('svg', WRONG_TYPE, () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
  file('png', WRONG_TYPE, () => still('png')),
  file('jpeg', WRONG_TYPE, () => still('jpeg')),
  file('avif', WRONG_TYPE, () => still('avif')),
  file('tiff', WRONG_TYPE, () => still('tiff')),
  file('program', WRONG_TYPE, () => Buffer.from(`MZ${'\0'.repeat(500)}`)),
  file('riff-but-sound', WRONG_TYPE, () => Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')),

  // Files with wrong sizes.
  file('largest-header', ['canvas_too_large'], () => gif(65_535, 65_535, [{ width: 1, height: 1 }])),
  file('header-and-speck', ['sizes_disagree'], () => gif(5000, 4900, [{ width: 1, height: 1 }])),
  file('large-canvas', ['canvas_too_large'], () => gif(16_000, 16_000, [{ data: solid(1) }])),
  file('frame-that-grows-it', ['canvas_too_large'], () =>
    gif(4000, 4000, [{ width: 7000, height: 7000, data: solid(1) }]),
  ),
  file('webp-canvas', ['canvas_too_large'], () =>
    changed(noisyWebp(), (webp) => {
      webp.writeUIntLE(16_382, 24, 3);
      webp.writeUIntLE(16_382, 27, 3);
    }),
  ),
  file('webp-riff-size', [...BROKEN, 'taken'], () => changed(noisyWebp(), (webp) => webp.writeUInt32LE(2 ** 31, 4))),
  file('webp-chunk-size', [...BROKEN, 'taken'], () =>
    changed(noisyWebp(), (webp) => webp.writeUInt32LE(2 ** 31, frameData(webp, 2) - 20)),
  ),
  file('comment-of-26-mb', ['too_large'], () => blink(16, 16, { before: comment(26_000_000) })),
  file('comment-of-20-mb', 'taken', () => blink(16, 16, { before: comment(20_000_000) })),

  // Damaged files.
  file('flipped-bytes', [...BROKEN, 'taken'], () =>
    changed(noisy(64, 64, 4), (bytes) => {
      for (let at = 200; at < bytes.length - 1; at += 97) bytes[at]! ^= 0x55;
    }),
  ),
  file('cut-in-half', 'taken', () => noisy(32, 32, 40).subarray(0, 5_000)),
  file('still-cut-in-half', 'taken', () => noisy(64, 64, 1).subarray(0, 600)),
  file('still-without-pixels', ['unreadable'], () => noisy(64, 64, 1).subarray(0, 64)),
  file('no-trailer', 'taken', () => blink(16, 16, { trailer: false })),
  file('webp-cut', ['unreadable'], async () => (await noisyWebp()).subarray(0, 2_000)),
  file('webp-corrupt-frame', ['broken_frames'], () =>
    changed(noisyWebp(), (webp) => webp.fill(0xff, frameData(webp, 4) + 8, frameData(webp, 4) + 60)),
  ),
  file('no-frames', ['no_frames'], () => gif(16, 16, [])),
  file('frame-without-area', ['no_frames'], () => gif(16, 16, [{ width: 0, height: 0 }])),
  file('codes-out-of-range', [...BROKEN, 'taken'], () =>
    gif(16, 16, [{ data: Uint8Array.of(2, 4, 0xff, 0xff, 0xff, 0xff, 0) }]),
  ),
  file('code-size-of-200', [...BROKEN, 'taken'], () => gif(16, 16, [{ data: Uint8Array.of(200, 2, 0x44, 1, 0) }])),
  file('data-without-end', [...BROKEN, 'taken'], () =>
    gif(16, 16, [{ data: Buffer.concat([solid(256).subarray(0, -1), Buffer.alloc(60_000, 255)]) }]),
  ),

  // Odd, but correct files.
  file('page-behind-it', 'taken', () => Buffer.concat([blink(16, 16), Buffer.from('<script>alert(1)</script>')])),
  file('two-in-one', 'taken', () => Buffer.concat([blink(16, 16), blink(32, 32)])),
  file('frames-outside', 'taken', () => gif(16, 16, [{}, { x: 100, y: 100, width: 8, height: 8, pixels: 1 }])),
  file('reserved-disposal', 'taken', () => gif(16, 16, [{ disposal: 7 }, { disposal: 5, pixels: 1 }])),
  file('no-time', 'taken', () => gif(16, 16, [{ delay: 0 }, { delay: 0, pixels: 1 }])),
  file('no-end', 'taken', () =>
    gif(
      16,
      16,
      times(50, (n) => ({ delay: 65_535, pixels: n % 2 })),
    ),
  ),
  file('all-transparent', 'taken', () => gif(16, 16, [{ transparent: 0 }, { transparent: 0 }])),
  file('a-line', 'taken', () => blink(1, 30_000)),
  file('the-widest', 'taken', () => blink(16_384, 2)),
  file('a-still-webp', 'taken', () => still('webp')),

  // Small files that are expensive to decode.
  file('sixty-large-frames', ['taken', ...TOO_MUCH], () => flicker(4000, 4000, 60)),
  file('many-specks', TOO_MUCH, () =>
    gif(
      1000,
      1000,
      times(20_000, (n) => ({ x: n % 1000, width: 1, height: 1, data: solid(1) })),
    ),
  ),
  file('many-pixels', 'taken', () =>
    gif(
      1,
      1,
      times(60_000, () => ({ data: solid(1) })),
    ),
  ),
  file('just-animated', ['taken', ...TOO_MUCH], () => flicker(1200, 1000, 249)),
  file('just-animated-small', ['taken', ...TOO_MUCH], () => flicker(387, 387, 1_999)),
  file('just-animated-large', ['taken', ...TOO_MUCH], () => flicker(4900, 4900, 12)),
  file('just-animated-tall', ['taken', ...TOO_MUCH], () => flicker(240, 16_000, 78)),
  file('the-tallest', ['taken', ...TOO_MUCH], () => tiled(380, 65_535)),
  file('the-tallest-noise', ['taken', ...TOO_MUCH], () => tiled(48, 65_535)),
  file('more-than-all', ['too_many_pixels'], () => flicker(1000, 1000, 1_001)),
  file('noise', ['taken', ...TOO_MUCH], () => noisy(400, 400, 60)),
];
