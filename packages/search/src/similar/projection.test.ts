import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { Projection } from './projection.ts';

const length = (values: Float64Array): number => Math.hypot(...values);
const number = fc.double({ min: -1, max: 1, noNaN: true });
const vectorOf = (numbers: number) => fc.array(number, { minLength: numbers, maxLength: numbers });

test('keeps lengths and angles without reducing dimensions', () => {
  const whole = new Projection(16, 16, 7);
  fc.assert(
    fc.property(vectorOf(16), vectorOf(16), (a, b) => {
      const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
      const [p, q] = [whole.apply(Float64Array.from(a)), whole.apply(Float64Array.from(b))];
      expect(dot(p, q)).toBeCloseTo(16 * dot(Float64Array.from(a), Float64Array.from(b)), 9);
    }),
  );
});

test('is linear and depends only on the seed', () => {
  fc.assert(
    fc.property(vectorOf(1344), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (values, seed) => {
      const [a, b] = [new Projection(1344, 384, seed), new Projection(1344, 384, seed)];
      const vector = Float64Array.from(values);
      const projected = a.apply(vector);
      expect(projected).toHaveLength(384);
      expect(b.apply(vector)).toEqual(projected);
      const twice = a.apply(vector.map((value) => 2 * value));
      expect(Math.max(...twice.map((value, i) => Math.abs(value - 2 * projected[i]!)))).toBeLessThan(1e-9);
    }),
    { numRuns: 20 * inject('cases') },
  );
});

test('all numbers have about the same weight', () => {
  const projection = new Projection(1344, 384, 88_172_645);
  for (let i = 0; i < 1344; i++) {
    const one = new Float64Array(1344);
    one[i] = 1;
    expect(length(projection.apply(one))).toBeCloseTo(Math.sqrt(384), 9);
  }
});
