import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { languageOf } from '../languages/format.ts';
import { Languages } from '../languages/languages.ts';
import { Suggester } from '../suggest/suggester.ts';
import { buildOf, makeDocument } from '../testing/documents.ts';
import { joinLists, TypedReader } from './typed.ts';

const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));
const TITLES: Readonly<Record<string, number>> = {
  dance: 30,
  'happy birthday': 25,
  'good morning': 20,
  'coffee time': 10,
  receive: 40,
  recieve: 1,
  win: 3,
  wink: 40,
  // `gate` differs in one letter from `gato`, Spanish for cat.
  gate: 40,
  // Turkish "bir" is one, Spanish "sol" is the sun, Turkish "kil" is clay, and Hungarian "bor" is wine.
  'bird one': 30,
  one: 10,
  sun: 10,
  solo: 20,
  kill: 5,
  wine: 10,
  bored: 30,
  // Slovak "liek" is medicine, Finnish "makse" is a form of "to pay", and Danish "slap" is relaxed.
  like: 60,
  makes: 60,
  medicine: 5,
  'slap after': 30,
  'man blinks': 30,
  // Turkish "taht" is a throne.
  that: 1_000,
  thrilled: 5,
  seikatsu: 49,
  cinemagraph: 50,
  beth: 5,
  any: 5,
};
const documents = Object.entries(TITLES).flatMap(([title, count]) =>
  Array.from({ length: count }, (_, i) => makeDocument({ id: `${title}${i}.gif`, title })),
);
documents.push(
  makeDocument({ id: 'a.gif', tags: ['dannce'] }),
  ...['b.gif', 'c.gif'].map((id) => makeDocument({ id, tags: ['makkes'] })),
  makeDocument({ id: 'd.gif', tags: ['koffee2'] }),
  ...Array.from({ length: 20 }, (_, i) => makeDocument({ id: `year${i}.gif`, tags: ['2016'] })),
  makeDocument({ id: 'e.gif', tags: ['2017'] }),
);
const build = buildOf(documents);

function reader(help = { completion: true, correction: true }): TypedReader {
  return new TypedReader(build, new Suggester(build.suggestions), languages, help);
}

describe('half a word', () => {
  test.each([
    ['danc', 'dance'],
    ['birthda', 'birthday'],
    ['coff', 'coffee'],
    ['good mor', 'good morning'],
    ['happy b', 'happy birthday'],
  ])('%s is completed to %s first', (query, first) => {
    const { further, isFinished } = reader().read(query, false);
    expect(isFinished).toBe(false);
    expect(further[0]).toBe(first);
  });

  test.each([
    ['bir', 'bird one', 'nobody searches for a number'],
    ['kil', 'kill', 'the meaning is not certain'],
    ['bor', 'bored', 'far more GIFs have the completion'],
  ])('%s is completed to %s, although it has a meaning in another language: %s', (query, first) => {
    expect(reader().read(query, false)).toMatchObject({ further: expect.arrayContaining([first]), isFinished: false });
  });

  test('a short last word after an English word is a beginning, unless both words mean something together', () => {
    // "bli" is Swedish for "to be", and "slap af" Danish for "relax".
    expect(reader().read('man bli', false)).toMatchObject({ further: ['man blinks'], isFinished: false });
    expect(reader().read('slap af', false).isFinished).toBe(true);
  });

  test('a short word of one of the most searched languages is not just a beginning', () => {
    expect(reader().read('sol', false).isFinished).toBe(true);
  });

  test('a word that exists comes before its completions', () => {
    expect(reader().read('win', false)).toEqual({ further: ['wink', 'wine'], isFinished: true });
    expect(reader().read('win', true)).toEqual({ further: [], isFinished: true });
  });

  test('whole terms, sentences and unknown words are not completed', () => {
    for (const query of ['good morning', 'what happened to the happy birthda', '', '🎉', 'zzzz'])
      expect(reader().read(query, false).further).toEqual([]);
  });

  test('nothing is completed if that is switched off', () => {
    expect(reader({ completion: false, correction: true }).read('danc', false).further).toEqual([]);
  });
});

describe('slips', () => {
  test.each([
    ['birtday', 'birthday'],
    ['brithday', 'birthday'],
    ['hapyp birtday', 'happy birthday'],
    ['goodmroning', undefined],
    ['sieketsu', undefined],
    ['seikatzu', 'seikatsu'],
    ['cenemagrph', 'cinemagraph'],
    ['goodmorning', 'good morning'],
    ['cofffe', 'coffee'],
    ['cofffee', undefined],
    ['danceee', undefined],
    ['dnace', 'dance'],
    ['hapyp birtday good mornign', 'happy birthday good morning'],
    ['hapyp birtday good mornign dance', undefined],
  ])('%s is corrected to %s', (query, meant) => expect(reader().correct(query)).toBe(meant));

  test('a word that exists, is understood or is short is never changed', () => {
    for (const query of ['recieve', 'win', 'wnk', 'danc', 'gato', '🎉', '', 'the dance'])
      expect(reader().correct(query), query).toBeUndefined();
  });

  test('a number is never replaced by another number', () => {
    expect(reader().correct('2015')).toBeUndefined();
    expect(reader().correct('birtday 2015')).toBe('birthday 2015');
    expect(reader().read('2017', false).further).toEqual([]);
  });

  test('a word of a less searched language is a slip if its letters, in another order, form a frequent English word', () => {
    expect(reader().correct('liek')).toBe('like');
    expect(reader().correct('makse')).toBe('makes');
    expect(reader().correct('liek', languageOf('sk'))).toBeUndefined();
  });

  test('a word with an uncertain meaning is a slip if its letters, in another order, form a very frequent English word', () => {
    expect(reader().correct('taht')).toBe('that');
    expect(reader().correct('taht', languageOf('tr'))).toBeUndefined();
  });

  test('words that are a tag when they are joined are not corrected', () => {
    expect(reader().correct('koffee 3')).toBe('coffee 3');
    expect(reader().correct('koffee 2')).toBeUndefined();
  });

  test('a word is not split into a function word and another that form no phrase', () => {
    expect(reader().correct('bethany')).toBeUndefined();
  });

  test('for a word that is spelt right, but that no GIF has, a related word is also searched', () => {
    expect(reader().read('thriller', false)).toEqual({ further: ['thrill'], isFinished: true });
    expect(reader().correct('thriller')).toBeUndefined();
  });

  test('a rare word of titles is followed by the frequent word that it resembles', () => {
    expect(reader().read('recieve', false)).toEqual({ further: ['receive'], isFinished: true });
  });

  test('a rare tag is a slip only if a single GIF has it', () => {
    expect(reader().read('dannce', false)).toEqual({ further: ['dance'], isFinished: true });
    expect(reader().read('makkes', false).further).toEqual([]);
  });

  test('nothing is corrected if that is switched off', () => {
    const off = reader({ completion: true, correction: false });
    expect(off.correct('birtday')).toBeUndefined();
    expect(off.read('recieve', false).further).toEqual([]);
  });
});

test('hostile queries get an answer', () => {
  const queries = ['a'.repeat(500), 'x '.repeat(200), '\u0301', '\ud83d', 'שלום 123 abc', 'a\u200bb', '가'.repeat(90)];
  for (const query of queries) {
    expect(() => reader().read(query, false)).not.toThrow();
    expect(() => reader().correct(query)).not.toThrow();
  }
});

test('lists are joined in turn, without repeating a document', () => {
  const lists = [Uint32Array.of(5, 2, 6), Uint32Array.of(7)];
  expect(joinLists(Uint32Array.of(1, 2), lists, 5)).toEqual(Uint32Array.of(1, 2, 5, 7, 6));
  expect(joinLists(Uint32Array.of(1, 2), lists, 3)).toEqual(Uint32Array.of(1, 2, 5));
});
