import fs from 'node:fs';
import { expect, test } from 'vitest';
import { Languages } from '../languages/languages.ts';
import { readNames } from './names.ts';
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
  // A long text before the parentheses is a name only if the series begins with a name.
  [
    'silver wolf (honkai star rail)',
    { names: ['honkai'], before: ['silver', 'wolf'], series: ['honkai', 'star', 'rail'] },
  ],
  [
    'brass knuckles knife revolver (honkai)',
    { names: ['honkai'], before: ['brass', 'knuckles', 'knife', 'revolver'], series: ['honkai'] },
  ],
  ['mountain shift (lake mount helens)', {}],
  ['one brass knuckles knife revolver (honkai)', {}],
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
