import { expect, test } from 'vitest';
import { withoutPartial } from './partial.ts';

type Kind = Parameters<typeof withoutPartial>[2];

/** Returns which documents stay, given their scores in the words leg. */
function kept(scores: number[], kind: Partial<Kind>): number[] {
  const words = Float64Array.from(scores);
  const found = { documents: Uint32Array.from(words.keys()), scores: words };
  return [...withoutPartial(found, words, { isName: false, isPair: false, least: 1, words: 2, ...kind }).documents];
}

test('documents with at most half as many words of a name as the best one are left out', () => {
  expect(kept([3.9, 2.1, 1.9, 0], { isName: true })).toEqual([0, 1]);
  expect(kept([4.2, 2.9, 3.1], { isName: true })).toEqual([0, 2]);
  expect(kept([2.4, 1.9], { isName: true })).toEqual([0]);
});

test('if no document has two words of a name, all stay', () => {
  expect(kept([1.9, 1.2, 0], { isName: true })).toEqual([0, 1, 2]);
  expect(kept([0, 0], { isName: true })).toEqual([0, 1]);
  expect(kept([], { isName: true })).toEqual([]);
});

test('documents with fewer words of a name than the minimum are left out, even if no document has more', () => {
  expect(kept([1.9, 1.2, 0], { isName: true, least: 2 })).toEqual([]);
  expect(kept([2.1, 1.9], { isName: true, least: 2 })).toEqual([0]);
});

test('documents with one word of a pair are left out if two documents have both', () => {
  expect(kept([2.4, 2.1, 1.9, 0], { isPair: true })).toEqual([0, 1]);
  expect(kept([2.4, 1.9, 0], { isPair: true })).toEqual([0, 1, 2]);
  // A name beside another word counts like two words.
  expect(kept([3.2, 3.1, 2.4, 1.4], { isPair: true, words: 3 })).toEqual([0, 1, 2]);
  expect(kept([3.2, 2.1, 2.4, 1.4], { isPair: true, words: 3 })).toEqual([0, 1, 2, 3]);
});

test('partial matches of other queries stay', () => {
  expect(kept([2.4, 2.1, 1.9, 0], {})).toEqual([0, 1, 2, 3]);
});
