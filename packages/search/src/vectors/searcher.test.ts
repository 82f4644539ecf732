import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { naiveVectorSearch } from '../testing/naive-vectors.ts';
import { seeded, unitVector } from '../testing/vectors.ts';
import { longestList, readBudget } from './lists.ts';
import { allocateVectors, type VectorMemory } from './memory.ts';
import { int8Scale, quantise } from './quantise.ts';
import { VectorSearcher } from './searcher.ts';
import { vectorsInMemory } from './space.ts';

function memoryOf(vectors: readonly Float32Array[], dimensions: number): VectorMemory {
  return vectorsInMemory(vectors.map(quantise), dimensions, 2);
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

  it('finds the same as plain loops if it reads only the nearest lists', () => {
    const next = seeded(21);
    const topics = Array.from({ length: 60 }, () => unitVector(next, 128));
    const vectors = Array.from({ length: 36_000 }, (_, i) => {
      const noise = unitVector(next, 128);
      return i % 7 === 0 ? new Float32Array(128) : topics[i % 60]!.map((value, d) => 0.8 * value + 0.6 * noise[d]!);
    });
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 1);
    for (const topic of topics.slice(0, 2)) {
      const found = pairs(searcher.search(topic));
      expect(found).toEqual(naiveVectorSearch(vectors, topic, 200));
      const exact = new Set(naiveVectorSearch(vectors, topic, 200, { readAll: true }).map(([document]) => document));
      expect(found.filter(([document]) => exact.has(document!)).length).toBeGreaterThan(0.95 * exact.size);
    }
  });

  it('finds the most popular documents if more documents are equally near than it reads', () => {
    const next = seeded(3);
    const [query, far] = [unitVector(next, 128), unitVector(next, 128)];
    const near = query.map((value, d) => 0.9 * value + 0.43 * far[d]!);
    const vectors = Array.from({ length: 45_000 }, (_, n) => (n < 5_000 ? far : near));
    expect(40_000).toBeGreaterThan(readBudget(45_000) + longestList(45_000));
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
    const found = pairs(searcher.search(query, { limit: 3 }));
    expect(found.map(([document]) => document)).toEqual([5_000, 5_001, 5_002]);
  });

  it('reads as many lists as its budget needs, and no more', () => {
    const next = seeded(17);
    const [query, far] = [unitVector(next, 128), unitVector(next, 128)];
    const step = Math.sign(query[0]!) / int8Scale(128);
    const near = query.map((value, d) => 0.9 * value + 0.43 * far[d]!).with(0, -step);
    // One such vector in a list does not change the list's centroid.
    const nearer = near.with(0, step);
    // Lists of equal vectors have the maximum length, and the lists with popular documents are read first.
    const count = 24_000;
    const read = Math.ceil(readBudget(count) / longestList(count)) * longestList(count);
    const vectors = Array.from({ length: count }, (_, n) => (n === read - 1 || n === read ? nearer : near));
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
    expect([...searcher.search(query, { limit: 2 }).documents]).toEqual([read - 1, 0]);
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

  it('drops the same documents as plain loops, among many that are nearly equal', () => {
    const next = seeded(23);
    const dimensions = 384;
    const originals = Array.from({ length: 20 }, () => unitVector(next, dimensions));
    const vectors = Array.from({ length: 160 }, (_, i) => {
      const noise = unitVector(next, dimensions);
      const share = 0.1 + 0.4 * next();
      const vector = originals[i % 20]!.map((value, d) => value + share * noise[d]!);
      return vector.map((value) => value / Math.hypot(...vector));
    });
    const rows = vectors.map(quantise);
    const dot = (a: Int8Array, b: Int8Array) => a.reduce((sum, value, d) => sum + value * b[d]!, 0);
    const kept: number[] = [];
    for (const [i, row] of rows.entries()) {
      if (kept.every((j) => dot(row, rows[j]!) < 0.93 * int8Scale(dimensions) ** 2)) kept.push(i);
    }
    expect(kept.length).toBeGreaterThan(20);
    expect(kept.length).toBeLessThan(150);
    const searcher = new VectorSearcher(memoryOf(vectors, dimensions), 0);
    expect([...searcher.distinct(Uint32Array.from(rows.keys()), 0.93)]).toEqual(kept);
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
      { numRuns: 40 * inject('cases') },
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

  it('leaves out hidden documents', () => {
    const next = seeded(9);
    const vectors = Array.from({ length: 300 }, () => unitVector(next, 128));
    const searcher = new VectorSearcher(memoryOf(vectors, 128), 0);
    const hidden = new Uint8Array(38);
    hidden[0] = 0b0000_0110;
    const found = searcher.search(vectors[1]!, { hidden }).documents;
    expect(found.length).toBeGreaterThan(0);
    expect(found).not.toContain(1);
    expect(found).not.toContain(2);
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
    expect(() => allocateVectors({ documents: 1, vectors: 1, lists: 1, dimensions: 100, threads: 1 })).toThrow(
      'a multiple of 128',
    );
  });
});
