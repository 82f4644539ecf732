import { expect, test } from 'vitest';
import { seeded, unitVector } from '../testing/vectors.ts';
import { FewVectors } from './few.ts';
import { quantise } from './quantise.ts';

/** Largest difference between the cosine of two vectors and the cosine of the same vectors in eight bits. */
const EXACTNESS = 0.01;

test('each document has the cosine of its vector, or 0 if it has no vector', () => {
  const next = seeded(9);
  const vectors = Array.from({ length: 20 }, () => unitVector(next, 128));
  const few = new FewVectors([...vectors.map(quantise), undefined], 128);
  const all = Uint32Array.from({ length: 21 }, (_, n) => n);
  const cosine = (a: Float32Array, b: Float32Array | undefined) =>
    b === undefined ? 0 : a.reduce((sum, value, d) => sum + value * b[d]!, 0);
  const query = unitVector(next, 128);
  for (const [first, scores] of [
    [query, few.score(query, all)],
    [vectors[3]!, few.scoreLike(3, all)],
  ] as const) {
    for (const [n, score] of scores.entries()) {
      expect(Math.abs(score - cosine(first, vectors[n]))).toBeLessThan(EXACTNESS);
    }
  }
  expect([...few.scoreLike(20, all)]).toEqual(Array(21).fill(0));
  expect(few.searchLike(3).documents[0]).toBe(3);
});

test('the nearest documents are found, best first, without those that are hidden', () => {
  const next = seeded(4);
  const vectors = Array.from({ length: 20 }, () => quantise(unitVector(next, 128)));
  const few = new FewVectors([...vectors, undefined], 128);
  const query = unitVector(next, 128);
  const { documents, scores } = few.search(query);
  expect([...scores]).toEqual([...scores].toSorted((a, b) => b - a));
  expect(scores.every((score) => score > 0)).toBe(true);
  const [best, second, third] = documents;
  const hidden = new Uint8Array(3);
  hidden[best! >> 3]! |= 1 << (best! & 7);
  expect([...few.search(query, { hidden, limit: 2 }).documents]).toEqual([second, third]);
});
