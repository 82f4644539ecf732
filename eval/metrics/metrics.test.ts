import { describe, expect, it } from 'vitest';
import { isSameList, prefixViolations, recallAt, reciprocalRank, shareAt, shareOfEnglish } from './metrics.ts';

const found = ['c', 'a', 'b', 'd'];

describe('one right answer', () => {
  it('is recalled only if it is among the first k', () => {
    expect([1, 2, 3].map((k) => recallAt(k, found, 'a'))).toEqual([0, 1, 1]);
    expect(recallAt(10, found, 'z')).toBe(0);
    expect(recallAt(10, [], 'a')).toBe(0);
  });

  it('scores the reciprocal of its rank', () => {
    expect(['c', 'a', 'd'].map((id) => reciprocalRank(found, id))).toEqual([1, 1 / 2, 1 / 4]);
    expect(reciprocalRank(found, 'z')).toBe(0);
  });
});

describe('many right answers', () => {
  it('are counted as a share of the highest possible number', () => {
    expect(shareAt(2, found, new Set(['a', 'b', 'd']))).toBe(1 / 2);
    expect(shareAt(24, found, new Set(['a', 'x']))).toBe(1 / 2);
    expect(shareAt(24, found, new Set(['a', 'b']))).toBe(1);
  });

  it('are each counted only once', () => {
    expect(shareAt(4, ['a', 'a', 'a', 'b'], new Set(['a', 'b', 'x', 'y']))).toBe(1 / 2);
  });
});

it('the same list has the same entries in the same order', () => {
  expect(isSameList(['a', 'b'], ['a', 'b'])).toBe(1);
  expect(isSameList(['a', 'b'], ['b', 'a'])).toBe(0);
  expect(isSameList(['a'], ['a', 'b'])).toBe(0);
  expect(isSameList([], [])).toBe(1);
});

describe('the completions of a prefix', () => {
  const tags = [
    { tag: 'catch', n: 9 },
    { tag: 'cat', n: 5 },
    { tag: 'cattle', n: 2 },
  ];
  const good = [
    { term: 'Catch', n: 9 },
    { term: 'cathedral', n: 7 },
    { term: 'cat', n: 5 },
  ];

  it('can keep all three promises', () => {
    expect(prefixViolations('cat', tags, good)).toBe(0);
    expect(prefixViolations('CAT', tags, good)).toBe(0);
  });

  it('contain other words only if these are marked fuzzy', () => {
    expect(prefixViolations('cat', tags, [...good, { term: 'car', n: 4 }])).toBe(1);
    expect(prefixViolations('cat', tags, [...good, { term: 'car', n: 4, fuzzy: true }])).toBe(0);
  });

  it('have counts that never rise', () => {
    expect(prefixViolations('cat', tags, [good[0]!, good[2]!, good[1]!])).toBe(1);
  });

  it('omit no tag that is used more often than the last term', () => {
    expect(prefixViolations('cat', tags, [good[1]!, good[2]!])).toBe(1);
    expect(prefixViolations('cat', tags, [good[1]!])).toBe(1);
    expect(prefixViolations('cat', tags, [])).toBe(3);
  });

  it('are allowed to omit a tag that is used as often as the last term', () => {
    expect(prefixViolations('cat', tags, [good[0]!, { term: 'catkin', n: 5 }])).toBe(0);
  });
});

it('a query is scored relative to the English results, but to at least three', () => {
  expect(shareOfEnglish(6, 12)).toBe(0.5);
  expect(shareOfEnglish(20, 12)).toBe(1);
  expect(shareOfEnglish(1, 0)).toBe(1 / 3);
  expect(shareOfEnglish(24, 200)).toBe(1);
});
