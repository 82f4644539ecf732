import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import { writeGif } from './testing/gif-writer.ts';
import { createTestMedia } from './testing/test-media.ts';

const THIRDS = [0, 1 / 3, 2 / 3];
const SIDE = 224;
const BLACK = [0, 0, 0];
const WHITE = [255, 255, 255];
const RED = [255, 0, 0];
const BLUE = [0, 0, 255];

const { media, blobs } = createTestMedia();
afterAll(() => media.close());

/** Returns the colours at the top left and the bottom right of each frame. */
async function corners(bytes: Uint8Array, places = THIRDS): Promise<number[][][]> {
  const pixels = await media.frames(bytes, places);
  expect(pixels).toHaveLength(places.length * SIDE * SIDE * 3);
  return places.map((_, i) => {
    const frame = pixels.subarray(i * SIDE * SIDE * 3, (i + 1) * SIDE * SIDE * 3);
    return [[...frame.subarray(0, 3)], [...frame.subarray(-3)]];
  });
}

const gif = (...pixels: number[]) =>
  writeGif({ width: 30, height: 20, frames: pixels.map((colour) => ({ pixels: colour })) });

describe('frames', () => {
  test('are the frames at the given places, and nothing is stored', async () => {
    expect(await corners(gif(1, 1, 2, 2, 3, 3))).toEqual([
      [WHITE, WHITE],
      [RED, RED],
      [BLUE, BLUE],
    ]);
    expect(await corners(gif(1, 2, 3), [0.99, 1])).toEqual([
      [BLUE, BLUE],
      [BLUE, BLUE],
    ]);
    expect(blobs.puts).toEqual([]);
  });

  test('repeat if the image has fewer frames', async () => {
    expect(await corners(gif(2))).toEqual([
      [RED, RED],
      [RED, RED],
      [RED, RED],
    ]);
    expect(await corners(gif(2, 0))).toEqual([
      [RED, RED],
      [RED, RED],
      [BLACK, BLACK],
    ]);
  });

  test('have a white background', async () => {
    const pixels = Uint8Array.from({ length: 600 }, (_, i) => (i < 300 ? 0 : 2));
    const clear = writeGif({ width: 30, height: 20, frames: [{ pixels, transparent: 0 }] });
    expect(await corners(clear, [0])).toEqual([[WHITE, RED]]);
    // The decoder treats a canvas of 640 x 480 as a mistake, and uses the size of the first frame instead.
    const half = { width: 400, height: 300, pixels: 2 };
    expect(await corners(writeGif({ width: 640, height: 480, frames: [half, half] }), [0])).toEqual([[RED, WHITE]]);
  });

  test('have the requested size and aspect ratio', async () => {
    const pixels = Uint8Array.from({ length: 600 }, (_, i) => (i < 300 ? 1 : 2));
    const bytes = writeGif({ width: 30, height: 20, frames: [{ pixels }, { pixels: 3 }] });
    const frames = await media.frames(bytes, [0, 1], { width: 60, height: 10 });
    expect(frames).toHaveLength(2 * 60 * 10 * 3);
    const colourAt = (frame: number, x: number, y: number) => {
      const at = ((frame * 10 + y) * 60 + x) * 3;
      return [...frames.subarray(at, at + 3)];
    };
    expect([colourAt(0, 59, 0), colourAt(0, 59, 9), colourAt(1, 59, 0)]).toEqual([WHITE, RED, BLUE]);
  });

  test('of a grey image have three bytes per pixel, too', async () => {
    const grey = await sharp(Buffer.from(gif(0, 1)), { pages: -1 })
      .greyscale()
      .webp({ lossless: true })
      .toBuffer();
    expect(await corners(grey, [0, 0.5])).toEqual([
      [BLACK, BLACK],
      [WHITE, WHITE],
    ]);
  });

  test('of an image that is too long to animate are its first frame', async () => {
    const long = writeGif({
      width: 4,
      height: 4,
      frames: Array.from({ length: 2001 }, (_, i) => ({ pixels: i ? 1 : 2 })),
    });
    expect(await corners(long, [0, 2 / 3])).toEqual([
      [RED, RED],
      [RED, RED],
    ]);
  });

  test('of an invalid file are rejected', async () => {
    await expect(media.frames(Buffer.from('<html>not an image at all</html>'), THIRDS)).rejects.toMatchObject({
      reason: 'wrong_type',
    });
    const noise = (seed: number) =>
      Uint8Array.from({ length: 64 * 64 }, (_, i) => (Math.imul(i * i + seed, 2_654_435_761) >> 20) & 3);
    const frames = [1, 3, 7].map((seed) => ({ pixels: noise(seed) }));
    const whole = Buffer.from(writeGif({ width: 64, height: 64, frames }));
    const damaged = await sharp(whole, { pages: -1 }).webp({ lossless: true }).toBuffer();
    // The damage is after the header of the last frame. The header is valid, so only decoding reveals the damage.
    const data = damaged.lastIndexOf('VP8L') + 16;
    damaged.fill(0xff, data, data + 52);
    await expect(media.frames(damaged, THIRDS)).rejects.toMatchObject({ reason: 'broken_frames' });
    await expect(media.frames(damaged, [0])).resolves.toHaveLength(SIDE * SIDE * 3);
  });
});
