import { expect, test } from 'vitest';
import { Synonyms } from './synonyms.ts';

const meaningsIn = (synonyms: Synonyms, query: string) =>
  synonyms.meanings(query).map(({ text, phrases }) => [text, ...phrases.map(({ phrase }) => phrase)]);

test('each member of a set has the other members as synonyms, in any spelling', () => {
  const synonyms = new Synonyms([['gm', 'Good Morning', 'buenos días']]);
  expect(meaningsIn(synonyms, 'GM')).toEqual([['gm', 'Good Morning', 'buenos días']]);
  expect(meaningsIn(synonyms, 'buenos dias')).toEqual([['buenos dias', 'gm', 'Good Morning']]);
  expect(meaningsIn(synonyms, 'good night')).toEqual([]);
});

test('a phrase is found within a query, and the longest phrase wins', () => {
  const synonyms = new Synonyms([
    ['good morning', 'gm'],
    ['good', 'fine'],
    ['おはよう', 'morning'],
  ]);
  expect(meaningsIn(synonyms, 'a good morning to all good people')).toEqual([
    ['good morning', 'gm'],
    ['good', 'fine'],
  ]);
  expect(meaningsIn(synonyms, 'おはよう cat')).toEqual([['おは はよ よう', 'morning']]);
});

test('a member of several sets stands for the other members of all these sets', () => {
  const synonyms = new Synonyms([
    ['lol', 'funny'],
    ['lol', 'laughing'],
  ]);
  expect(meaningsIn(synonyms, 'lol')).toEqual([['lol', 'funny', 'laughing']]);
  expect(meaningsIn(synonyms, 'funny')).toEqual([['funny', 'lol']]);
});

test('without sets there are no synonyms', () => {
  expect(new Synonyms([]).meanings('gm')).toEqual([]);
});
