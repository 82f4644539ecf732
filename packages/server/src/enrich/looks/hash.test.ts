import { expect, test } from 'vitest';
import { paint } from '../testing/pictures.ts';
import { pictureHash } from './hash.ts';

const waves = (scale: number, x: number, y: number): [number, number, number] => {
  const at = (phase: number) => Math.round(127 + 120 * Math.sin((x / scale) * 5 + phase) * Math.cos((y / scale) * 7));
  return [at(0), at(1), at(2)];
};

function differingBits(a: bigint, b: bigint): number {
  return [...(a ^ b).toString(2)].filter((bit) => bit === '1').length;
}

test('a picture keeps its hash in another size, a little darker and with noise', () => {
  const hash = pictureHash(paint(224, (x, y) => waves(224, x, y)));
  const copies = [
    paint(96, (x, y) => waves(96, x, y)),
    paint(224, (x, y) => waves(224, x, y).map((value) => value * 0.8) as [number, number, number]),
    paint(224, (x, y) => waves(224, x, y).map((value) => value + ((x * 7 + y * 13) % 9)) as [number, number, number]),
  ];
  for (const copy of copies) expect(differingBits(pictureHash(copy), hash)).toBeLessThanOrEqual(4);
});

test('the hash differs between pictures, and is 0 for a single colour', () => {
  const hash = pictureHash(paint(224, (x, y) => waves(224, x, y)));
  expect(differingBits(pictureHash(paint(224, (x, y) => waves(224, y, 224 - x))), hash)).toBeGreaterThan(16);
  expect(pictureHash(paint(224, () => [200, 30, 30]))).toBe(0n);
});
