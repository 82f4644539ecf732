import { expect, test } from 'vitest';
import { seeded, unitVector } from '../testing/vectors.ts';
import { VectorComparer } from './comparer.ts';
import { quantise } from './quantise.ts';

const DIMENSIONS = 128;
const next = seeded(5);
const [a, b, c] = [0, 1, 2].map(() => unitVector(next, DIMENSIONS)) as [Float32Array, Float32Array, Float32Array];
const nearA = a.map((value, d) => 0.98 * value + 0.2 * b[d]!);
const [first, second, third, nearFirst] = [a, b, c, nearA].map(quantise);

test('vectors that are nearly equal to an earlier one are dropped, and missing vectors stay', () => {
  const comparer = new VectorComparer(DIMENSIONS);
  const vectors = [first, second, nearFirst, undefined, third, undefined, first, second];
  expect([...comparer.distinct(vectors, 0.93)]).toEqual([0, 1, 3, 4, 5]);
});

test('each call compares only its own vectors', () => {
  const comparer = new VectorComparer(DIMENSIONS);
  expect([...comparer.distinct([first, second, third], 0.93)]).toEqual([0, 1, 2]);
  expect([...comparer.distinct([nearFirst, undefined], 0.93)]).toEqual([0, 1]);
  expect([...comparer.distinct([], 0.93)]).toEqual([]);
});
