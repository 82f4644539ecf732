import { expect, test } from 'vitest';
import { favourSpaces } from './captions/spaces.ts';
import { suspicionOf } from './looks/suspicion.ts';
import { verdictOf } from './rating/verdict.ts';

test.each([
  [0.2, 1, 'safe'], // nobody asks the second one
  [0.4, 0.2, 'safe'],
  [0.4, 0.3, 'review'],
  [0.4, 0.9, 'review'],
  [0.9, 0, 'review'],
  [0.9, 0.5, 'review'],
  [0.6, 0.6, 'adult'],
] as const)('suspicions of %f and %f are %s', async (first, second, verdict) => {
  expect(await verdictOf(first, async () => second)).toBe(verdict);
});

test('a second opinion that cannot be had is no verdict', async () => {
  await expect(verdictOf(0.9, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
});

test('the worst picture counts, by hentai and porn together', () => {
  expect(suspicionOf(Float32Array.of(0.9, 0.05, 0, 0.05, 0, 0, 0.25, 0.25, 0.5, 0))).toBeCloseTo(0.75);
});

test('a space takes the place of nothing where it was nearly seen, and never that of a letter', () => {
  const places = Float32Array.of(0.9, 0.02, 0.08, 0.97, 0.02, 0.01, 0.2, 0.7, 0.1);
  favourSpaces(places, 3);
  expect([...places].map((value) => Math.round(value * 100))).toEqual([8, 2, 90, 97, 2, 1, 20, 70, 10]);
});
