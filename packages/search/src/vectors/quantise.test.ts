import { expect, test } from 'vitest';
import { quantise } from './quantise.ts';

test('the range of eight-bit values is symmetric, so that a vector and its opposite agree', () => {
  const vector = Float32Array.from({ length: 128 }, (_, d) => (d === 0 ? 1 : d === 1 ? -1 : d === 2 ? 0.1 : 0));
  const values = quantise(vector);
  expect([...values.subarray(0, 4)]).toEqual([127, -127, 29, 0]);
  expect([...quantise(vector.map((value) => -value))]).toEqual([...values].map((value) => 0 - value));
});
