import sharp from 'sharp';
import { MediaRefusal, type RefusalReason } from '../../../packages/server/src/media/refusal.ts';
import { comment, solid, type TestFrame, writeGif } from '../../../packages/server/src/media/testing/gif-writer.ts';
import { createTestMedia, testConfig } from '../../../packages/server/src/media/testing/test-media.ts';
import { measure } from '../../../packages/server/src/media/walker/measure.ts';
import { walk } from '../../../packages/server/src/media/walker/probe.ts';
import type { Walk } from '../../../packages/server/src/media/walker/walk.ts';
import { changeBytes } from '../change-bytes.ts';
import { changeOften, few, pick, type Random, upTo } from '../draw.ts';
import { type Checker, Fault } from '../target.ts';
import { changeChunks, chunksOf, joinChunks } from './webp-chunks.ts';

/**
 * Limits that are much lower than those of the service, so that many files are checked per second. A file within these
 * limits needs far less time and memory than it is allowed to use.
 */
const LIMITS = { maxCanvasPixels: 1_000_000, maxTotalPixels: 20_000_000, maxCpuSeconds: 5, workers: 1 };
/** Reasons that mean that a worker failed, hung or used too much. A file within the limits must not cause this. */
const OVERCOME: ReadonlySet<RefusalReason> = new Set([
  'too_slow',
  'timed_out',
  'too_much_memory',
  'decoder_failed',
  'decoder_crashed',
]);
/** Maximum number of pixels of a frame whose pixels all differ. */
const MAX_NOISE = 4_096;

interface Picture {
  bytes: Uint8Array;
  use: 'previews' | 'frames';
}

export async function openGif(): Promise<Checker<Picture>> {
  return openMedia((random) => {
    const gif = drawGif(random);
    return pick(random, [() => gif, () => changeBytes(random, gif), () => changeOften(random, gif, changeBytes)])();
  });
}

export async function openWebp(): Promise<Checker<Picture>> {
  const files = await makeWebps();
  return openMedia((random) => {
    const file = pick(random, files);
    // Most of these files are refused before they are decoded, because the sizes of their chunks are wrong.
    if (random() < 0.1) return changeOften(random, file, changeBytes);
    return joinChunks(changeOften(random, chunksOf(file), changeChunks));
  });
}

function openMedia(draw: (random: Random) => Uint8Array): Checker<Picture> {
  const { media, blobs } = createTestMedia({ config: testConfig(LIMITS), videoEncoder: null });
  return {
    draw: (random) => ({ bytes: draw(random), use: random() < 0.75 ? 'previews' : 'frames' }),
    async check({ bytes, use }) {
      const walked = await refusalOr(() => walk(bytes));
      if (typeof walked === 'string') return walked;
      await compareSizes(bytes, walked);
      const made = await refusalOr<unknown>(() =>
        use === 'previews' ? media.ingest(bytes, { previews: 'first' }) : media.frames(bytes, [0, 0.5, 1]),
      );
      return typeof made === 'string' ? made : use;
    },
    async refresh() {
      blobs.blobs.clear();
      blobs.puts.length = 0;
    },
  };
}

/** Returns the result, or the reason why the file is refused. */
async function refusalOr<Result>(act: () => Result | Promise<Result>): Promise<Result | RefusalReason> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof MediaRefusal && !OVERCOME.has(error.reason)) return error.reason;
    throw error;
  }
}

/** Checks that the first bytes of a GIF give the same size as the whole file. */
async function compareSizes(bytes: Uint8Array, { format, width, height }: Walk): Promise<void> {
  const start = await refusalOr(() => measure(bytes));
  // WebP files are left out, because only their first chunk is measured, and in a broken WebP the size can come later.
  if (typeof start === 'string' || format === 'webp') return;
  if (start.width === width && start.height === height) return;
  throw new Fault(`its start promises ${start.width} x ${start.height}, but it has ${width} x ${height} pixels`);
}

/** Returns a GIF with any canvas, frames and blocks. Most GIFs are correct, although odd. */
function drawGif(random: Random): Uint8Array {
  const [width, height] = [drawSide(random), drawSide(random)];
  const count = random() < 0.03 ? 0 : few(random, 12);
  const frames = Array.from({ length: count }, () => drawFrame(random, width, height));
  const gif = { width, height, frames, loop: pick(random, [0, 0, 1, 65_535, null]), trailer: random() < 0.9 };
  return Uint8Array.from(writeGif(random() < 0.2 ? { ...gif, before: comment(few(random, 2_000)) } : gif));
}

function drawSide(random: Random): number {
  return pick(random, [
    few(random, 64),
    few(random, 64),
    few(random, 64),
    few(random, 64),
    few(random, 2_000),
    random() < 0.3 ? pick(random, [0, 65_535]) : 1,
  ]);
}

function drawFrame(random: Random, canvasWidth: number, canvasHeight: number): TestFrame {
  const fills = random() < 0.6;
  const [width, height] = fills ? [canvasWidth, canvasHeight] : [drawSide(random), drawSide(random)];
  const timing = { delay: pick(random, [null, 0, 1, 2, 10, 65_535]), disposal: upTo(random, 7) };
  const transparent = random() < 0.3 ? { transparent: upTo(random, 5) } : {};
  const place = fills ? {} : { x: upTo(random, canvasWidth), y: upTo(random, canvasHeight) };
  const isComplete = width * height <= MAX_NOISE && random() < 0.8;
  const pixels = isComplete
    ? { pixels: Uint8Array.from({ length: width * height }, () => upTo(random, 3)) }
    : { data: solid(few(random, MAX_NOISE), upTo(random, 3)) };
  return { ...place, width, height, ...timing, ...transparent, ...pixels };
}

/** Makes animated and still WebP files of each kind in the format. */
async function makeWebps(): Promise<Uint8Array[]> {
  const noise = (seed: number) => Uint8Array.from({ length: 24 * 16 }, (_, n) => (n * (seed + 3)) % 4);
  const frames = [1, 2, 3, 4, 5].map((seed) => ({ pixels: noise(seed), delay: 5 * seed, transparent: 3, disposal: 2 }));
  const [animated, still] = [frames, frames.slice(0, 1)].map((some) =>
    writeGif({ width: 24, height: 16, frames: some }),
  );
  const opaque = { r: 200, g: 30, b: 30, alpha: 1 };
  const made = [animated, still].flatMap((gif) =>
    [
      { lossless: true },
      { quality: 50 },
      { nearLossless: true },
      { quality: 50, alphaQuality: 10, smartSubsample: true },
    ].map((options) => sharp(gif, { pages: -1 }).webp(options).toBuffer()),
  );
  for (const lossless of [true, false]) {
    const create = { width: 30, height: 20, channels: 4 as const, background: opaque };
    made.push(
      sharp({ create })
        .removeAlpha()
        .webp({ lossless })
        .withExif({ IFD0: { Copyright: 'a' } })
        .toBuffer(),
    );
  }
  return (await Promise.all(made)).map((file) => Uint8Array.from(file));
}
