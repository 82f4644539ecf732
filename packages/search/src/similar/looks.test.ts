import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { quantise } from '../vectors/quantise.ts';
import { VectorSearcher } from '../vectors/searcher.ts';
import { vectorsInMemory } from '../vectors/space.ts';
import {
  DESCRIPTOR_NUMBERS,
  decodeLooksModel,
  encodeLooksModel,
  fitLooks,
  LOOKS_DIMENSIONS,
  projectLooks,
} from './looks.ts';

/**
 * Returns a descriptor that resembles real ones: two parts have no negative numbers, and colours are from -100 to 100.
 */
function descriptorOf(seed: number, spread = 1): Float32Array {
  return Float32Array.from({ length: DESCRIPTOR_NUMBERS }, (_, i) => {
    const random = mixed(i, seed);
    if (i >= 576 && i < 768) return 200 * spread * (random - 0.5);
    return spread * random + (i % 7 === 0 ? 0 : 0.2);
  });
}

/** Returns a number from 0 to 1. Different seeds give unrelated numbers. Source: Ettinger 2018, triple32. */
function mixed(i: number, seed: number): number {
  let hash = Math.imul(seed + 1, DESCRIPTOR_NUMBERS) + i;
  hash = Math.imul(hash ^ (hash >>> 17), 0xed5ad4bb);
  hash = Math.imul(hash ^ (hash >>> 11), 0xac4c1b51);
  hash = Math.imul(hash ^ (hash >>> 15), 0x31848bab);
  return ((hash ^ (hash >>> 14)) >>> 8) / 2 ** 24;
}

const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
const seeds = fc.uniqueArray(fc.nat(10_000), { minLength: 1, maxLength: 10 });

describe('a projected vector', () => {
  test('has length 1 and finite numbers, even with few or similar GIFs', () => {
    fc.assert(
      fc.property(seeds, fc.constantFrom(0, 1e-6, 1, 50), (many, spread) => {
        const descriptors = many.map((seed) => descriptorOf(seed, spread));
        const model = fitLooks(descriptors);
        for (const descriptor of descriptors) {
          const vector = projectLooks(model, descriptor);
          expect(vector).toHaveLength(LOOKS_DIMENSIONS);
          expect(cosine(vector, vector)).toBeCloseTo(1, 5);
        }
      }),
      { numRuns: 50 * inject('cases') },
    );
  });

  test('is nearest to the vector of an equal descriptor, and near the vector of a similar one', () => {
    fc.assert(
      fc.property(seeds, (many) => {
        const descriptors = many.map((seed) => descriptorOf(seed));
        const model = fitLooks(descriptors);
        const [first, ...others] = descriptors.map((descriptor) => projectLooks(model, descriptor));
        const near = projectLooks(
          model,
          descriptors[0]!.map((value, i) => value + (i % 2 ? 0.005 : -0.005)),
        );
        expect(projectLooks(model, descriptors[0]!)).toEqual(first);
        expect(cosine(first!, near)).toBeGreaterThan(0.95);
        for (const other of others) expect(cosine(first!, other)).toBeLessThan(cosine(first!, near));
      }),
      { numRuns: 50 * inject('cases') },
    );
  });

  test('is similar to the vector of a GIF with which it has something in common', () => {
    const common = descriptorOf(1, 5);
    const pair = [2, 3].map((seed) => common.map((value, i) => value + descriptorOf(seed, 0.5)[i]!));
    const model = fitLooks(pair);
    expect(cosine(projectLooks(model, pair[0]!), projectLooks(model, pair[1]!))).toBeGreaterThan(0.1);
  });

  test('depends most on the part of the network, and less on colours and gradients', () => {
    const model = {
      mean: new Float32Array(DESCRIPTOR_NUMBERS),
      deviation: new Float32Array(DESCRIPTOR_NUMBERS).fill(1),
    };
    /** Returns the mean cosine of GIFs that have only one part in common. */
    const sharing = (from: number, to: number) => {
      const cosines = Array.from({ length: 40 }, (_, seed) => {
        const [one, two] = [seed, seed + 1_000].map((own) =>
          Float32Array.from({ length: DESCRIPTOR_NUMBERS }, (_, i) => mixed(i, i >= from && i < to ? seed : own) - 0.5),
        );
        return cosine(projectLooks(model, one!), projectLooks(model, two!));
      });
      return cosines.reduce((sum, value) => sum + value, 0) / cosines.length;
    };
    const total = 1 + 0.7 ** 2 + 0.7 ** 2;
    expect(sharing(0, 576)).toBeCloseTo(1 / total, 1);
    expect(sharing(576, 768)).toBeCloseTo(0.7 ** 2 / total, 1);
    expect(sharing(0, 576) - sharing(768, DESCRIPTOR_NUMBERS)).toBeGreaterThan(0.15);
  });

  test('does not change when the same numbers of all descriptors are scaled', () => {
    const descriptors = Array.from({ length: 200 }, (_, seed) => descriptorOf(seed));
    const scaled = descriptors.map((descriptor) => descriptor.map((value, i) => (i < 576 ? value * 30 : value)));
    const [a, b] = [fitLooks(descriptors), fitLooks(scaled)];
    for (let i = 0; i < 5; i++) {
      expect(cosine(projectLooks(a, descriptors[i]!), projectLooks(b, scaled[i]!))).toBeGreaterThan(0.9999);
    }
  });

  test('of a descriptor that equals the mean is zero', () => {
    const none = new Float32Array(DESCRIPTOR_NUMBERS);
    expect(projectLooks(fitLooks([none]), none).every((value) => value === 0)).toBe(true);
    expect(projectLooks(fitLooks([]), none).every((value) => value === 0)).toBe(true);
  });

  test('is found by the scan', () => {
    const descriptors = Array.from({ length: 300 }, (_, seed) => descriptorOf(seed));
    const model = fitLooks(descriptors);
    const vectors = descriptors.map((descriptor) => quantise(projectLooks(model, descriptor)));
    const searcher = new VectorSearcher(vectorsInMemory(vectors, LOOKS_DIMENSIONS), 0);
    for (const document of [0, 150, 299]) {
      const { documents, scores } = searcher.search(projectLooks(model, descriptors[document]!), { limit: 1 });
      expect([...documents]).toEqual([document]);
      expect(scores[0]).toBeCloseTo(1, 1);
    }
  });
});

describe('a model', () => {
  test('is restored from its bytes at any alignment', () => {
    const model = fitLooks([1, 2, 3].map((seed) => descriptorOf(seed)));
    const bytes = encodeLooksModel(model);
    expect(bytes).toHaveLength(10_752);
    expect(decodeLooksModel(bytes)).toEqual(model);
    const moved = new Uint8Array(bytes.length + 1);
    moved.set(bytes, 1);
    expect(decodeLooksModel(moved.subarray(1))).toEqual(model);
  });

  test('stores the mean and the deviation of many descriptors', () => {
    const model = fitLooks(Array.from({ length: 4000 }, (_, seed) => descriptorOf(seed)));
    expect(model.mean[1]).toBeCloseTo(0.7, 1);
    expect(model.deviation[1]).toBeCloseTo(Math.sqrt(1 / 12), 1);
    expect(model.deviation[600]).toBeCloseTo(200 * Math.sqrt(1 / 12), -1);
  });

  test('does not depend on the order of the descriptors, except for rounding', () => {
    const descriptors = [1, 2, 3, 4].map((seed) => descriptorOf(seed));
    const [a, b] = [fitLooks(descriptors), fitLooks(descriptors.toReversed())];
    for (let i = 0; i < DESCRIPTOR_NUMBERS; i++) expect(a.deviation[i]).toBeCloseTo(b.deviation[i]!, 4);
  });

  test('rejects descriptors and bytes of another length', () => {
    expect(() => fitLooks([new Float32Array(1343)])).toThrow('1344 numbers, not 1343');
    expect(() => projectLooks(fitLooks([]), new Float32Array(1))).toThrow(RangeError);
    expect(() => decodeLooksModel(new Uint8Array(10_751))).toThrow(RangeError);
  });
});
