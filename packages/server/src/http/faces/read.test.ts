import { expect, test } from 'vitest';
import { languageOf } from '../../index/index.ts';
import type { RouteCaller } from '../cached-route.ts';
import { numberOf, pageOf, searchOf, textOf } from './read.ts';

const CALLER = { client: { isDevelopment: false }, isWordsOnly: false } as RouteCaller;
const BOUNDS = { least: 1, most: 50, usual: 20 };

test.each([
  [undefined, ''],
  ['undefined', ''],
  ['null', ''],
  [' cat ', 'cat'],
  [['cat', 'dog'], 'cat'],
  [[], ''],
])('the text %j is read as %j', (given, text) => expect(textOf({ q: given as string }, 'q')).toBe(text));

test.each([
  ['', 20],
  ['undefined', 20],
  ['0', 1],
  ['51', 50],
  ['9999999999', 20],
  ['-1', 20],
  ['1.5', 20],
  ['7', 7],
  [['7', '8'], 7],
])('the number %j is read as %d', (given, number) =>
  expect(numberOf({ limit: given as string }, 'limit', BOUNDS)).toBe(number),
);

test('an offset beyond the longest list becomes the end of that list', () => {
  const names = { limit: 'limit', offset: 'pos' };
  expect(pageOf({ pos: '100000' }, names, { most: 50, usual: 20 })).toEqual({ limit: 20, offset: 200 });
  expect(pageOf({ limit: '1', pos: '0' }, names, { most: 50, usual: 20 })).toEqual({ limit: 1, offset: 0 });
});

test('English, which apps send for all users, does not decide how a query is read', () => {
  const languages = ['en_US', 'en', 'de', 'pt_BR', 'xx', ''].map((lang) => {
    const search = searchOf('kind', lang, CALLER);
    return search.of === 'search' ? search.language : null;
  });
  expect(languages).toEqual([undefined, undefined, languageOf('de'), languageOf('pt'), undefined, undefined]);
});

test('a query is cut, not refused', () => {
  expect(searchOf('a'.repeat(5_000), '', CALLER)).toMatchObject({ q: expect.stringMatching(/^a{1,500}$/) });
});
