import { expect, test } from 'vitest';
import { paint } from '../testing/pictures.ts';
import { gradients } from './gradients.ts';

/** Returns the strength in each direction, over all cells. */
function directions(histograms: Float64Array): number[] {
  return Array.from({ length: 9 }, (_, d) => histograms.filter((_, i) => i % 9 === d).reduce((sum, v) => sum + v, 0));
}

const waves = (along: (x: number, y: number) => number) =>
  gradients(
    paint(96, (x, y) => {
      const shade = Math.round(127 + 100 * Math.sin(along(x, y) / 4));
      return [shade, shade, shade];
    }),
  );

test('a picture of a single colour has no edges', () => {
  const histograms = gradients(paint(224, () => [90, 120, 30]));
  expect(histograms).toHaveLength(576);
  expect(histograms.every((strength) => strength < 1e-12)).toBe(true);
});

test('edges count in their direction, regardless of which side is lighter', () => {
  const upright = directions(waves((x) => x));
  expect(upright[0]).toBeGreaterThan(5);
  expect(Math.max(...upright.slice(1))).toBeLessThan(1e-9);
  // The direction of level edges is halfway between two of the 9 directions: 90 of 180 degrees are 4.5 directions.
  const level = directions(waves((_, y) => y));
  expect(level[4]).toBeCloseTo(level[5]!, 9);
  expect(level[4]).toBeGreaterThan(3);
  const slanted = directions(waves((x, y) => (x + y * Math.tan(Math.PI / 9)) * Math.cos(Math.PI / 9)));
  expect(slanted.indexOf(Math.max(...slanted))).toBe(1);
  expect(directions(waves((x) => -x))[0]).toBeCloseTo(upright[0]!, 0);
});

test('edges count in the cell they lie in', () => {
  const histograms = gradients(paint(96, (x, y) => (x >= 78 && y < 12 ? [255, 255, 255] : [0, 0, 0])));
  const strength = (cell: number): number => histograms.subarray(cell * 9, cell * 9 + 9).reduce((sum, v) => sum + v, 0);
  expect(strength(6)).toBeCloseTo((12 * 2 + 5) / 144, 1);
  expect(strength(0)).toBe(0);
  expect(strength(5)).toBe(0);
});
