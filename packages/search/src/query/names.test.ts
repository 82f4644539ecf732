import fs from 'node:fs';
import { expect, test } from 'vitest';
import { Languages } from '../languages/languages.ts';
import { readNames, withMostOfName } from './names.ts';
import { readTermRequests } from './words.ts';

const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

test.each([
  ['cuticle tantei inaba', true],
  ['hino akane (smile precure!)', true],
  ['warrior of light (ff14)', true],
  ['naruto hug', false],
  ['naruto', false],
  ['happy birthday', false],
  ['gato feliz', false],
  ['猫', false],
])('whether %s is probably a name of several words: %s', (query, isName) => {
  expect(readTermRequests(query, languages).isName).toBe(isName);
});

const none = { names: [], before: [], series: [], kind: [] };

test.each([
  ['genshin impact', { names: ['genshin'] }],
  ['hatsune miku figure', { names: ['hatsune', 'miku'] }],
  ['jean (genshin impact)', { names: ['genshin'], before: ['jean'], series: ['genshin', 'impact'] }],
  ['ganyu (blue archive)', { names: ['ganyu'], before: ['ganyu'], series: ['blue', 'archive'] }],
  ['minecraft (video game)', { names: ['minecraft'], before: ['minecraft'], kind: ['video', 'game'] }],
  ['joker (character)', { names: ['joker'], before: ['joker'], kind: ['character'] }],
  // Titles have names, too, and their other words are worth searching.
  ['flag planting on minmus', {}],
  ['countries (by gdp)', {}],
  ['impact genshin', {}],
  ['overwatch 1', {}],
  ['happy dance', {}],
  ['(genshin)', {}],
  ['?!', {}],
  ['', {}],
])('the names in "%s"', (query, named) => {
  expect(readNames(query, languages)).toEqual({ ...none, ...named });
});

/** Returns which documents stay, given their scores in the words leg. */
function kept(scores: number[], least = 1): number[] {
  const words = Float64Array.from(scores);
  return [...withMostOfName({ documents: Uint32Array.from(words.keys()), scores: words }, words, least).documents];
}

test('documents with at most half as many words of the name as the best one are left out', () => {
  expect(kept([3.9, 2.1, 1.9, 0])).toEqual([0, 1]);
  expect(kept([4.2, 2.9, 3.1])).toEqual([0, 2]);
  expect(kept([2.4, 1.9])).toEqual([0]);
});

test('if no document has two words of the name, all stay', () => {
  expect(kept([1.9, 1.2, 0])).toEqual([0, 1, 2]);
  expect(kept([0, 0])).toEqual([0, 1]);
  expect(kept([])).toEqual([]);
});

test('documents with fewer words than the least are left out, even if no document has more', () => {
  expect(kept([1.9, 1.2, 0], 2)).toEqual([]);
  expect(kept([2.1, 1.9], 2)).toEqual([0]);
});
