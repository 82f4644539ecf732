import type { CatalogueGif } from '@zoetrope/contract/account';
import { expect, test } from 'vitest';
import { hindrancesOf, isDelicate, nameOfRater, nameOfRating, namesOneGif } from './gif-words.ts';

const SHOWN: CatalogueGif = {
  ...{ id: 'a.gif', title: '', tags: [], alt: '', source: 'folder', format: 'gif', width: 9, height: 9, url: null },
  ...{ addedAt: 1, hiddenBecause: [], waiting: false, rating: '', ratedBy: '', markedAdult: false, edited: false },
};

test.each<[string[], Partial<CatalogueGif>]>([
  [[], {}],
  [[], { rating: 'safe', ratedBy: 'operator', markedAdult: true }],
  [['rated adult by an operator'], { rating: 'adult', ratedBy: 'operator', markedAdult: true }],
  [['rated adult by the models'], { rating: 'adult', ratedBy: 'model' }],
  [['marked as adult by its source'], { rating: 'safe', ratedBy: 'model', markedAdult: true }],
  [['hidden by an operator', 'hidden, because its link is dead'], { hiddenBecause: ['operator', 'dead'] }],
  [['its file has not been looked at yet'], { waiting: true }],
])('says %j', (words, changes) => {
  expect(hindrancesOf({ ...SHOWN, ...changes })).toEqual(words);
});

test('pictures that anybody has marked as adult must be blurred', () => {
  expect(isDelicate(SHOWN)).toBe(false);
  expect(isDelicate({ ...SHOWN, rating: 'review' })).toBe(true);
  expect(isDelicate({ ...SHOWN, markedAdult: true })).toBe(true);
});

test('ids, URLs and hashes identify a single GIF, and words do not', () => {
  for (const text of ['a.gif', `${'0f'.repeat(32)}`, 'https://a.example/b', ' x-1.webp ']) {
    expect(namesOneGif(text), text).toBe(true);
  }
  for (const text of ['happy', 'happy dance.gif', 'gif', '']) expect(namesOneGif(text), text).toBe(false);
});

test('ratings and those who rate have names, and unknown ones are shown as they are', () => {
  const ratings = ['safe', 'adult', 'review', 'unrated', 'odd'].map(nameOfRating);
  expect(ratings).toEqual(['safe', 'adult', 'uncertain', 'cannot be rated', 'odd']);
  expect(['model', 'declared', 'operator', 'odd'].map(nameOfRater)).toEqual([
    'the models',
    'its source',
    'an operator',
    'odd',
  ]);
});
