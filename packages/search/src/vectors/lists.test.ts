import { describe, expect, test } from 'vitest';
import { seeded, unitVector } from '../testing/vectors.ts';
import { longestList, makeLists, readBudget } from './lists.ts';
import { quantise } from './quantise.ts';

const DIMENSIONS = 128;

/** Vectors in clusters, like real vectors. */
function around(centres: number, count: number, seed: number): Int8Array {
  const next = seeded(seed);
  const middle = Array.from({ length: centres }, () => unitVector(next, DIMENSIONS));
  const rows = new Int8Array(count * DIMENSIONS);
  for (let i = 0; i < count; i++) {
    const centre = middle[Math.floor(next() * centres)]!;
    const noise = unitVector(next, DIMENSIONS);
    const vector = centre.map((value, d) => 0.8 * value + 0.6 * noise[d]!);
    rows.set(quantise(vector), i * DIMENSIONS);
  }
  return rows;
}

const lengthsOf = ({ starts }: { starts: Uint32Array }) => Array.from(starts.subarray(1), (end, i) => end - starts[i]!);

describe('lists', () => {
  test('contain every vector once, in order, and none is too long', () => {
    const rows = around(300, 30_000, 1);
    const lists = makeLists(rows, DIMENSIONS);
    expect(lists.order.toSorted()).toEqual(Uint32Array.from({ length: 30_000 }, (_, i) => i));
    expect(lists.starts[0]).toBe(0);
    expect(lists.starts.at(-1)).toBe(30_000);
    expect(lists.centroids).toHaveLength((lists.starts.length - 1) * DIMENSIONS);
    const lengths = lengthsOf(lists);
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(longestList(30_000));
    for (let i = 0; i + 1 < lists.starts.length; i++) {
      const list = lists.order.subarray(lists.starts[i], lists.starts[i + 1]);
      expect(list).toEqual(list.toSorted());
    }
  });

  test('hold vectors that are alike', () => {
    const rows = around(50, 24_000, 2);
    const { order, starts, centroids } = makeLists(rows, DIMENSIONS);
    const cosine = (a: Int8Array, b: Int8Array): number => {
      const dot = (x: Int8Array, y: Int8Array) => x.reduce((sum, value, d) => sum + value * y[d]!, 0);
      return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    };
    const rowOf = (all: Int8Array, i: number) => all.subarray(i * DIMENSIONS, (i + 1) * DIMENSIONS);
    const own = lengthsOf({ starts }).map((_, i) => cosine(rowOf(rows, order[starts[i]!]!), rowOf(centroids, i)));
    expect(own.reduce((sum, value) => sum + value, 0) / own.length).toBeGreaterThan(0.8);
  });

  test('are the same for the same vectors', () => {
    const rows = around(20, 24_000, 3);
    expect(makeLists(rows, DIMENSIONS)).toEqual(makeLists(rows.slice(), DIMENSIONS));
  });

  test('of equal vectors are cut, and popular ones come first', () => {
    const one = quantise(unitVector(seeded(4), DIMENSIONS));
    const rows = new Int8Array(24_000 * DIMENSIONS);
    for (let i = 0; i < 24_000; i++) rows.set(one, i * DIMENSIONS);
    const { order, starts } = makeLists(rows, DIMENSIONS);
    expect(order).toEqual(Uint32Array.from({ length: 24_000 }, (_, i) => i));
    expect(lengthsOf({ starts }).every((length) => length <= longestList(24_000))).toBe(true);
  });

  test('of few vectors are one list that is read whole', () => {
    const { starts } = makeLists(around(3, 100, 5), DIMENSIONS);
    expect([...starts]).toEqual([0, 100]);
    expect(readBudget(100)).toBe(100);
    expect(makeLists(new Int8Array(), DIMENSIONS).order).toHaveLength(0);
  });

  test('let the work of a search grow with the root of the catalogue', () => {
    expect(readBudget(4_000_000) / readBudget(40_000)).toBeCloseTo(10, 1);
    expect(longestList(4_000_000) / longestList(40_000)).toBeCloseTo(10, 0);
  });
});
