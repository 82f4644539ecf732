import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { noise, paint } from '../testing/pictures.ts';
import { describeFrames } from './descriptor.ts';
import { type Frame, mirrored } from './frame.ts';

/**
 * Replaces the network. Returns the mean of the left half, which mirroring changes, and the mean of the whole picture.
 */
const embed = async (pictures: readonly Frame[]): Promise<Float32Array[]> =>
  pictures.map(({ side, pixels }) => {
    const mean = (values: Uint8Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
    return Float32Array.of(mean(pixels.filter((_, i) => i % (side * 3) < side * 1.5)), mean(pixels));
  });

const describe = (...frames: Frame[]) => describeFrames(frames, embed);

function furthest(a: Float32Array, b: Float32Array): number {
  return Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
}

test('mirrored swaps left and right', () => {
  const picture = paint(2, (x, y) => [x, y, 9]);
  expect([...mirrored(picture).pixels]).toEqual([1, 0, 9, 0, 0, 9, 1, 1, 9, 0, 1, 9]);
  expect(mirrored(mirrored(picture))).toEqual(picture);
});

test('a mirror image has the same descriptor, and so have frames in another order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1000), { minLength: 1, maxLength: 3 }), async (seeds) => {
      const frames = seeds.map((seed) => noise(96, seed));
      const found = await describe(...frames);
      expect(found).toHaveLength(2 + 192 + 576);
      expect(found.every(Number.isFinite)).toBe(true);
      expect(furthest(found, await describe(...frames.map(mirrored)))).toBeLessThan(1e-4);
      expect(furthest(found, await describe(...frames.toReversed()))).toBeLessThan(1e-4);
      expect(furthest(found, await describe(...frames, ...frames))).toBeLessThan(1e-4);
    }),
    { numRuns: 20 * inject('cases') },
  );
});

test('the descriptor shows whether the two sides of a picture differ', async () => {
  const lopsided = paint(96, (x) => (x < 48 ? [255, 0, 0] : [0, 0, 255]));
  const even = paint(96, () => [128, 0, 128]);
  const [a, b] = [await describe(lopsided), await describe(even)];
  // In each row of cells, the second half of the numbers describes how the two sides of the picture differ.
  expect(Math.abs(a[2 + 4 * 3]!)).toBeGreaterThan(5);
  expect(b[2 + 4 * 3]).toBe(0);
});
