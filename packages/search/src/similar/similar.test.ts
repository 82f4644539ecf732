import { expect, test } from 'vitest';
import { quantise } from '../vectors/quantise.ts';
import { VectorSearcher } from '../vectors/searcher.ts';
import { vectorsInMemory } from '../vectors/space.ts';
import { findSimilar } from './similar.ts';

const DIMENSIONS = 128;

/**
 * Returns a row of the Walsh-Hadamard matrix. The rows are at right angles and, like real vectors, spread over all
 * dimensions.
 */
function row(n: number): Float32Array {
  const parity = (bits: number): number => (bits === 0 ? 0 : (bits & 1) ^ parity(bits >> 1));
  return new Float32Array(DIMENSIONS).map((_, i) => (parity(i & n) === 0 ? 1 : -1) / Math.sqrt(DIMENSIONS));
}

/** Returns a vector of length 1 with this cosine to document 0. */
function towards(cosine: number, n: number): Float32Array {
  const other = row(n);
  return row(0).map((value, i) => cosine * value + Math.sqrt(1 - cosine ** 2) * other[i]!);
}

/** Returns a space of documents with these cosines to the first document. A document with null has no vector. */
function space(cosines: readonly (number | null)[]): VectorSearcher {
  const vectors = cosines.map((cosine, document) =>
    cosine === null ? undefined : quantise(towards(cosine, document + 1)),
  );
  return new VectorSearcher(vectorsInMemory(vectors, DIMENSIONS), 0);
}

const OPTIONS = { limit: 10 };

test('GIFs that look alike come first, ordered by appearance; the others follow, ordered by appearance and subject', () => {
  const looks = space([1, 0.7, 0.9, 0.5, 0.4, 0.1]);
  const meaning = space([1, 0.2, 0.1, 0.1, 0.8, 0.9]);
  expect([...findSimilar({ looks, meaning }, 0, OPTIONS)]).toEqual([2, 1, 4, 5, 3]);
});

test('if many pictures look alike, only near copies come first, and the subject decides about the rest', () => {
  const crowd = Array.from({ length: 12 }, (_, i) => 0.8 - i / 100);
  const looks = space([1, 0.96, ...crowd, 0.1]);
  const meaning = space([1, 0.1, ...crowd.map(() => 0.2), 0.9]);
  expect([...findSimilar({ looks, meaning }, 0, { limit: 4 })]).toEqual([1, 14, 2, 3]);
});

// Cosines are rounded to steps of .02.
test.each([
  ['their cosine is at least .65', 3, [0.8, 0.74, 0.68, 0.62, 0.56, 0.5, 0.45, 0.38, 0.3, 0.25]],
  ['they are .25 nearer than the tenth GIF', 3, [0.85, 0.8, 0.75, 0.69, 0.64, 0.6, 0.56, 0.52, 0.5, 0.47]],
  ['they are .1 nearer than the next GIF', 2, [0.87, 0.85, 0.72, 0.71, 0.7, 0.7, 0.69, 0.69, 0.68, 0.68]],
  [
    'their cosine is at least .9, whatever else is near',
    2,
    [0.96, 0.94, 0.87, 0.85, 0.83, 0.8, 0.78, 0.76, 0.74, 0.72],
  ],
])('GIFs look alike if %s', (_, expected, cosines) => {
  // The further the others are in appearance, the nearer they are in subject, so that they follow in reverse.
  const meaning = space([1, ...cosines.map((_, i) => i / 11)]);
  const found = [...findSimilar({ looks: space([1, ...cosines]), meaning }, 0, OPTIONS)];
  const all = cosines.map((_, i) => i + 1);
  expect(found).toEqual([...all.slice(0, expected), ...all.slice(expected).reverse()]);
});

test('a GIF without a descriptor is compared by its text, and a GIF without a text by its appearance', () => {
  const some = space([1, 0.2, 0.5, 0.3, 0.1, null]);
  const none = space([null, 0.9, 0.1, 0.1, 0.1, 0.1]);
  expect([...findSimilar({ looks: none, meaning: some }, 0, OPTIONS)]).toEqual([2, 3, 1, 4]);
  expect([...findSimilar({ looks: some, meaning: none }, 0, OPTIONS)]).toEqual([2, 3, 1, 4]);
  expect([...findSimilar({ looks: undefined, meaning: some }, 0, OPTIONS)]).toEqual([2, 3, 1, 4]);
  expect([...findSimilar({ looks: undefined, meaning: undefined }, 0, OPTIONS)]).toEqual([]);
});

test('hidden documents are left out, and a shorter list is the start of a longer one', () => {
  const looks = space([1, 0.7, 0.9, 0.5, 0.4, 0.1]);
  const meaning = space([1, 0.2, 0.1, 0.1, 0.8, 0.9]);
  const hidden = Uint8Array.of(1 << 2);
  expect([...findSimilar({ looks, meaning }, 0, { ...OPTIONS, hidden })]).toEqual([1, 4, 5, 3]);
  expect([...findSimilar({ looks, meaning }, 0, { ...OPTIONS, limit: 2 })]).toEqual([2, 1]);
});
