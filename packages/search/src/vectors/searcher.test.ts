import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveVectorSearch } from '../testing/naive-vectors.ts';
import { allocateVectors, setVector, type VectorMemory } from './memory.ts';
import { VectorSearcher } from './searcher.ts';

/** Uniform numbers below 1 from a seed: a linear congruential generator, enough to fill vectors. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function unitVector(next: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => next() + next() + next() - 1.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function memoryOf(vectors: Float32Array[], dimensions: number): VectorMemory {
  const memory = allocateVectors({ documents: vectors.length, dimensions, threads: 2 });
  for (const [document, vector] of vectors.entries()) setVector(memory, document, vector);
  return memory;
}

const pairs = ({ documents, scores }: { documents: Uint32Array; scores: Float64Array }) =>
  Array.from(documents, (document, at) => [document, scores[at]]);

describe('VectorSearcher', () => {
  it.each([128, 384, 512])('finds the same as plain loops, in %i dimensions', (dimensions) => {
    const next = seeded(dimensions);
    const vectors = Array.from({ length: 3_000 }, () => unitVector(next, dimensions));
    const searcher = new VectorSearcher(memoryOf(vectors, dimensions), 1);
    for (let round = 0; round < 5; round++) {
      const query = unitVector(next, dimensions);
      expect(pairs(searcher.search(query))).toEqual(naiveVectorSearch(vectors, query, 200));
    }
  });

  it('finds the first documents if more are equally distant than can be scored', () => {
    const next = seeded(3);
    const [a, b] = [unitVector(next, 128), unitVector(next, 128)];
    const mix = (ofB: number): Float32Array => {
      const sum = a.map((value, d) => value + ofB * b[d]!);
      return sum.map((value) => value / Math.hypot(...sum));
    };
    const [query, near, common, far] = [mix(0), mix(0.2), mix(1), mix(-1e9)];
    // The list fills up twice: with far documents, which nearer ones displace, and with equally near ones, which stay.
    const vectors = Array.from({ length: 150_000 }, (_, n) => {
      if (n < 70_000) return far;
      return n === 99_999 || n === 120_000 ? near : common;
    });
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
    const found = pairs(searcher.search(query, { limit: 5 }));
    expect(found).toEqual(naiveVectorSearch(vectors, query, 5));
    expect(found.map(([document]) => document)).toEqual([99_999, 120_000, 70_000, 70_001, 70_002]);
  });

  it('drops documents that are nearly equal to an earlier one', () => {
    const next = seeded(5);
    const [a, b, c] = [0, 1, 2].map(() => unitVector(next, 128)) as [Float32Array, Float32Array, Float32Array];
    const nearA = a.map((value, d) => 0.98 * value + 0.2 * b[d]!);
    const searcher = new VectorSearcher(
      memoryOf([a, b, nearA, new Float32Array(128), c, new Float32Array(128), a], 128),
      0,
    );
    expect([...searcher.distinct(Uint32Array.of(2, 5, 1, 0, 3, 4, 6), 0.93)]).toEqual([2, 5, 1, 3, 4]);
    expect([...searcher.distinct(Uint32Array.of(), 0.93)]).toEqual([]);
  });

  it('agrees with plain loops on few, equal and zero vectors', () => {
    const vector = fc.array(fc.constantFrom(-1, 0, 1), { minLength: 128, maxLength: 128 }).map((values) => {
      const length = Math.hypot(...values) || 1;
      return Float32Array.from(values, (value) => value / length);
    });
    fc.assert(
      fc.property(
        fc.array(vector, { maxLength: 12 }),
        vector,
        fc.integer({ min: 1, max: 5 }),
        (vectors, query, limit) => {
          const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
          expect(pairs(searcher.search(query, { limit }))).toEqual(naiveVectorSearch(vectors, query, limit));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('finds a vector with a cosine of 1 when it is the query', () => {
    const next = seeded(7);
    const vectors = Array.from({ length: 500 }, () => unitVector(next, 384));
    const searcher = new VectorSearcher(memoryOf(vectors, 384), 0);
    const { documents, scores } = searcher.search(vectors[123]!);
    expect(documents[0]).toBe(123);
    expect(scores[0]).toBeCloseTo(1, 2);
  });

  it('leaves out hidden documents and all documents from number `documents` on', () => {
    const next = seeded(9);
    const vectors = Array.from({ length: 300 }, () => unitVector(next, 128));
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
    const hidden = new Uint8Array(38);
    hidden[0] = 0b0000_0110;
    const found = searcher.search(vectors[1]!, { hidden, documents: 100 }).documents;
    expect(found).not.toContain(1);
    expect(found).not.toContain(2);
    expect(Math.max(...found)).toBeLessThan(100);
  });

  it('gives documents the same scores as a search', () => {
    const next = seeded(11);
    const vectors = Array.from({ length: 400 }, () => unitVector(next, 384));
    const searcher = new VectorSearcher(memoryOf(vectors, 384), 0);
    const query = unitVector(next, 384);
    const { documents, scores } = searcher.search(query);
    expect([...searcher.score(query, documents)]).toEqual([...scores]);
  });

  it('lets two threads search one memory without affecting each other', () => {
    const next = seeded(13);
    const vectors = Array.from({ length: 300 }, () => unitVector(next, 128));
    const memory = memoryOf(vectors, 128);
    const [one, two] = [new VectorSearcher(memory, 0), new VectorSearcher(memory, 1)];
    expect(one.search(vectors[5]!).documents[0]).toBe(5);
    expect(two.search(vectors[9]!).documents[0]).toBe(9);
    expect(one.search(vectors[5]!).documents[0]).toBe(5);
  });

  it('refuses dimensions that do not fit its registers', () => {
    expect(() => allocateVectors({ documents: 1, dimensions: 100, threads: 1 })).toThrow('a multiple of 128');
  });
});
