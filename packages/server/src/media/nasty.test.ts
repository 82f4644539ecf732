import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { previewSizes } from './derivatives.ts';
import { MediaRefusal } from './refusal.ts';
import { originalKey } from './source.ts';
import { comment, solid, type TestFrame, type TestGif, writeGif } from './testing/gif-writer.ts';
import { createTestMedia, fileFor, localSource } from './testing/test-media.ts';
import { walk } from './walker/probe.ts';

// Files that break services, on purpose or by accident, and how each is handled.

const { media, blobs } = createTestMedia();
afterAll(() => media.close());

async function refusal(bytes: Uint8Array): Promise<string> {
  const before = blobs.puts.length;
  const failure = await media.ingest(bytes).then(
    () => new Error('it was ingested'),
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(MediaRefusal);
  expect(blobs.puts.length, 'nothing of it is stored').toBe(before);
  return (failure as MediaRefusal).reason;
}

const times = <T>(count: number, item: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
const gif = (width: number, height: number, frames: readonly TestFrame[], rest: Partial<TestGif> = {}): Buffer =>
  Buffer.from(writeGif({ width, height, frames, ...rest }));
const blink = (width: number, height: number, rest: Partial<TestGif> = {}): Buffer =>
  gif(width, height, [{ pixels: 0 }, { pixels: 1 }], rest);

/** Returns a file with frames of pseudo-random pixels. Such frames make the image data long. */
function noisy(width: number, height: number, frames: number): Buffer {
  let seed = 1;
  const pixels = (): Uint8Array =>
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

function noisyWebp(): Promise<Buffer> {
  return sharp(noisy(64, 64, 8), { pages: -1 })
    .webp({ lossless: true })
    .toBuffer();
}

/** Returns the position of the nth frame's picture data. */
function frameData(webp: Buffer, n: number): number {
  let at = -1;
  for (let i = 0; i <= n; i++) at = webp.indexOf('ANMF', at + 1);
  return at + 8 + 16 + 8;
}

describe('ingest refuses', () => {
  test.each([
    ['an empty file', Buffer.alloc(0)],
    ['a signature', Buffer.from('GIF89a')],
    ['the start of a header', blink(16, 16).subarray(0, 20)],
    ['a GIF that ends before its first pixel', noisy(64, 64, 1).subarray(0, 64)],
  ])('unreadable bytes: %s (1)', async (_, bytes) => {
    expect(await refusal(bytes)).toBe('unreadable');
  });

  test('HTML, SVG and PNG, by their first bytes (2)', async () => {
    const create = { width: 8, height: 8, channels: 3 as const, background: 'red' };
    for (const bytes of [
      Buffer.from('<html><script>alert(1)</script></html>'),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      await sharp({ create }).png().toBuffer(),
    ]) {
      expect(await refusal(bytes)).toBe('wrong_type');
    }
  });

  test('a large canvas with a frame of one pixel (5)', async () => {
    const speck = [{ width: 1, height: 1 }];
    expect(await refusal(gif(65_535, 65_535, speck))).toBe('canvas_too_large');
    expect(await refusal(gif(5000, 4900, speck))).toBe('sizes_disagree');
  });

  test('a large canvas, before it is decoded (6, 10)', async () => {
    expect(await refusal(gif(16_000, 16_000, [{ data: solid(1) }]))).toBe('canvas_too_large');
    const webp = await noisyWebp();
    webp.writeUIntLE(16_382, 24, 3);
    webp.writeUIntLE(16_382, 27, 3);
    expect(await refusal(webp)).toBe('canvas_too_large');
  });

  test('a canvas that its first frame enlarges too much', async () => {
    expect(await refusal(gif(4000, 4000, [{ width: 7000, height: 7000, data: solid(1) }]))).toBe('canvas_too_large');
  });

  test('a GIF with flipped bytes (13)', async () => {
    const bytes = noisy(64, 64, 4);
    for (let at = 200; at < bytes.length - 1; at += 97) bytes[at]! ^= 0x55;
    expect(['broken_frames', 'sizes_disagree', 'unreadable']).toContain(await refusal(bytes));
  });

  test('a WebP that is cut off (14)', async () => {
    const webp = await noisyWebp();
    expect(await refusal(webp.subarray(0, webp.length / 2))).toBe('unreadable');
  });

  test('a WebP with a corrupt frame in the middle (15)', async () => {
    const webp = await noisyWebp();
    // The damage is after the header of the frame. The header is valid, so only decoding reveals the damage.
    webp.fill(0xff, frameData(webp, 4) + 8, frameData(webp, 4) + 60);
    expect(await refusal(webp)).toBe('broken_frames');
  });

  test('a GIF that has no frames, or only a frame without an area (27)', async () => {
    expect(await refusal(gif(16, 16, []))).toBe('no_frames');
    expect(await refusal(gif(16, 16, [{ width: 0, height: 0 }]))).toBe('no_frames');
  });

  test('too many pixels in all frames: 20,000 frames on 1000 x 1000 (8)', async () => {
    const data = solid(1);
    const frames = times(20_000, (i) => ({ x: i % 1000, width: 1, height: 1, data }));
    expect(await refusal(gif(1000, 1000, frames))).toBe('too_many_pixels');
  });

  test('too many bytes (26)', async () => {
    expect(await refusal(blink(16, 16, { before: comment(26_000_000) }))).toBe('too_large');
  });
});

describe('ingest makes only stills of', () => {
  test.each([
    [
      '60 frames of 4000 x 4000 (7)',
      (data: Uint8Array) =>
        gif(
          4000,
          4000,
          times(60, () => ({ data })),
        ),
      16_000_000,
    ],
    [
      '60,000 frames of one pixel (9)',
      (data: Uint8Array) =>
        gif(
          1,
          1,
          times(60_000, () => ({ data })),
        ),
      1,
    ],
  ])('%s', async (_, make, pixels) => {
    const facts = await media.ingest(make(solid(pixels)));
    expect(Object.values(previewSizes(facts)).map(({ animated }) => animated)).toEqual([false, false, false, false]);
    const source = localSource(facts);
    const still = blobs.blobs.get(fileFor(source, 'w240', 'still').key)!;
    expect(await sharp(still).metadata()).toMatchObject({ format: 'png', width: previewSizes(facts).w240.width });
    await expect(media.ensure(source, { fit: 'w240', kind: 'animated' })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('ingest accepts', () => {
  test('a WebP, regardless of its name (3)', async () => {
    expect(await media.ingest(await noisyWebp())).toMatchObject({ format: 'webp', width: 64, frames: 8 });
  });

  test('a GIF that is also an HTML page (4)', async () => {
    const bytes = Buffer.concat([blink(16, 16), Buffer.from('<script>alert(1)</script>'.repeat(10))]);
    const { sha256 } = await media.ingest(bytes);
    expect(blobs.blobs.get(originalKey(sha256, 'gif'))).toEqual(bytes);
  });

  test.each([0.1, 0.5])('a GIF cut off at %f, with its complete frames (11)', async (share) => {
    const bytes = noisy(32, 32, 40);
    const facts = await media.ingest(bytes.subarray(0, bytes.length * share));
    expect(facts).toMatchObject({ truncated: true, durationMs: facts.frames * 100 });
    expect(facts.frames).toBeGreaterThan(40 * share - 3);
    expect(facts.frames).toBeLessThanOrEqual(40 * share);
    const preview = blobs.blobs.get(fileFor(localSource(facts), 'w240', 'animated').key)!;
    expect(walk(preview).delays).toHaveLength(facts.frames);
  });

  test('a still that is cut off in its data, and shows the part that is there (12)', async () => {
    const whole = noisy(64, 64, 1);
    const facts = await media.ingest(whole.subarray(0, whole.length / 2));
    expect(facts).toMatchObject({ width: 64, height: 64, frames: 1, truncated: true });
    expect((await media.ingest(whole)).truncated).toBe(false);
    const still = blobs.blobs.get(fileFor(localSource(facts), 'w240', 'still').key);
    const [shown, expected] = await Promise.all(
      [still, whole].map((picture) => sharp(picture).ensureAlpha().raw().toBuffer()),
    );
    const opaque = times(64 * 64, (i) => shown![i * 4 + 3] === 255).indexOf(false);
    expect(opaque).toBeGreaterThan(64 * 64 * 0.4);
    expect(shown!.subarray(0, opaque * 4)).toEqual(expected!.subarray(0, opaque * 4));
  });

  test('a GIF without a trailer (12)', async () => {
    expect(await media.ingest(blink(16, 16, { trailer: false }))).toMatchObject({ frames: 2, truncated: true });
  });

  test('frames outside the canvas, and unknown disposals (25)', async () => {
    const outside = gif(16, 16, [{}, { x: 100, y: 100, width: 8, height: 8, pixels: 1 }]);
    expect(await media.ingest(outside)).toMatchObject({ width: 16, height: 16, frames: 2 });
    const reserved = gif(16, 16, [{ disposal: 7 }, { disposal: 5, pixels: 1 }]);
    expect(await media.ingest(reserved)).toMatchObject({ frames: 2 });
  });

  test('a first frame that is larger than the canvas, which then grows (25)', async () => {
    for (const canvas of [20, 3]) {
      const first = { x: 2, width: 30, height: 25 };
      expect(await media.ingest(gif(canvas, canvas, [first, { pixels: 1 }]))).toMatchObject({ width: 32, height: 25 });
    }
  });

  test('a comment of 20 MB (26)', async () => {
    expect(await media.ingest(blink(16, 16, { before: comment(20_000_000) }))).toMatchObject({ frames: 2 });
  });

  test('a still, and frames that are all the same (24)', async () => {
    for (const frames of [[{}], [{}, {}, {}]]) {
      const facts = await media.ingest(gif(16, 16, frames));
      expect(facts.frames).toBe(frames.length);
      const preview = blobs.blobs.get(fileFor(localSource(facts), 'small', 'animated').key)!;
      expect(walk(preview)).toMatchObject({ format: 'webp', delays: [expect.any(Number)] });
    }
  });

  test.each([
    [1, 30_000, { small: '1x96', w240: '1x30000' }], // (21)
    [16_384, 2, { small: '16384x2', w240: '240x1' }], // (22)
    [101, 75, { small: '101x75', w240: '101x75' }], // (20)
    [501, 375, { small: '128x96', w240: '240x180' }],
  ])('an odd shape: %i x %i', async (width, height, expected) => {
    const source = localSource(await media.ingest(blink(width, height)));
    for (const fit of ['small', 'w240'] as const) {
      const still = await sharp(blobs.blobs.get(fileFor(source, fit, 'still').key)).metadata();
      expect(`${still.width}x${still.height}`).toBe(expected[fit]);
      if (!previewSizes(source)[fit].animated) continue;
      const animation = walk(blobs.blobs.get(fileFor(source, fit, 'animated').key)!);
      expect(`${animation.width}x${animation.height}`).toBe(expected[fit]);
    }
  });
});

describe('a preview has the timing of an original with', () => {
  test.each([
    ['delays of 0, 1 and 2 (16)', [0, 1, 2], [100, 100, 20]],
    ['a long last frame (17)', [10, 500], [100, 5000]],
    ['the longest possible delay (18)', [65_535, 10], [65_535, 100]],
  ])('%s', async (_, delays, expected) => {
    const facts = await media.ingest(
      gif(
        16,
        16,
        delays.map((delay, i) => ({ delay, pixels: i })),
      ),
    );
    expect(facts.durationMs).toBe(delays.reduce((sum, d) => sum + (d < 2 ? 100 : d * 10), 0));
    const preview = blobs.blobs.get(fileFor(localSource(facts), 'w240', 'animated').key)!;
    // The frames of the test file differ, because an encoder can merge frames that look alike.
    expect(walk(preview)).toMatchObject({ delays: expected, loop: 0 });
  });
});

test('transparency is preserved (19)', async () => {
  const half = Uint8Array.from({ length: 32 * 32 }, (_, i) => (i % 32 < 16 ? 0 : 2));
  const frames = [
    { pixels: half, transparent: 0, disposal: 2 },
    { pixels: half.toReversed(), transparent: 0, disposal: 2 },
  ];
  const source = localSource(await media.ingest(gif(32, 32, frames)));
  for (const kind of ['animated', 'still'] as const) {
    const preview = blobs.blobs.get(fileFor(source, 'w240', kind).key);
    const { data } = await sharp(preview, { page: 0 }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect([data[3], data[31 * 4 + 3]]).toEqual([0, 255]);
  }
});
