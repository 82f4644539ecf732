import { describe, expect, test } from 'vitest';
import { directionOf, LANGUAGES, type Language, languageFor, localeFor } from './language.ts';
import { ENGLISH, operatorsIn } from './operators.ts';
import { type Catalogue, type Counted, textsOf } from './texts.ts';

const CODES = Object.keys(LANGUAGES) as Language[];
const english: Catalogue = ENGLISH;

/** Returns the placeholders and the markup of a text, without the words. */
function frameOf(text: string): string[] {
  const code = text.match(/`[^`]+`/g) ?? [];
  const rest = text.replaceAll(/`[^`]+`/g, '');
  return [...code, ...(rest.match(/\{\w+\}|[[\]*]/g) ?? [])].toSorted();
}

const formsOf = (text: string | Counted) => (typeof text === 'string' ? [text] : Object.values(text));

describe.each(CODES)('%s', async (code) => {
  const texts: Catalogue = await operatorsIn(code);

  test('has the placeholders and the markup of English', () => {
    expect(Object.keys(texts).toSorted()).toEqual(Object.keys(english).toSorted());
    for (const [key, text] of Object.entries(texts)) {
      const original = english[key]!;
      // In a text for one or two things, a word can replace the number.
      const optional = typeof text === 'string' ? [] : ['{n}'];
      const frame = (form: string) => frameOf(form).filter((part) => !optional.includes(part));
      for (const form of formsOf(text)) {
        expect(form.trim(), key).not.toBe('');
        expect(frame(form), key).toEqual(frame(formsOf(original).at(-1)!));
      }
    }
  });

  test('has only forms for plural categories of the language', () => {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text !== 'string') expect(pluralCategories, key).toEqual(expect.arrayContaining(Object.keys(text)));
    }
  });

  test('has a form for every number, if its forms differ', () => {
    const rules = new Intl.PluralRules(code);
    const needed = new Set(Array.from({ length: 200 }, (_, n) => rules.select(n + 1)));
    for (const [key, text] of Object.entries(texts)) {
      // In Arabic, some texts name the number in a way that fits every number.
      if (typeof text === 'string' || (code === 'ar' && Object.keys(text).length === 1)) continue;
      expect(Object.keys(text), key).toEqual(expect.arrayContaining([...needed]));
    }
  });
});

test.each(CODES.filter((code) => code !== 'en'))('%s is translated', async (code) => {
  const wordsOf = (text: string) => text.replaceAll(/\{\w+\}|[^\p{L} ]/gu, '').match(/\S+/g) ?? [];
  // Some single words are the same in several languages.
  const isLong = (text: string) => wordsOf(text).length > 3;
  const same = Object.entries<string | Counted>(await operatorsIn(code)).filter(
    ([key, text]) => text === english[key] && formsOf(text).some(isLong),
  );
  expect(same).toEqual([]);
});

test('the chosen language comes before the languages of the browser', () => {
  expect(languageFor({ cookie: '', languages: [] })).toBe('en');
  expect(languageFor({ cookie: '', languages: ['nl', 'PT-br', 'de'] })).toBe('pt');
  expect(languageFor({ cookie: 'a=b; language=ko', languages: ['de'] })).toBe('ko');
  expect(languageFor({ cookie: 'xlanguage=ko; language=tlh', languages: ['de'] })).toBe('de');
  expect(languageFor({ cookie: 'language=toString', languages: [] })).toBe('en');
});

test('numbers and times follow a region of the language, if the browser names one', () => {
  expect(localeFor('de', { languages: ['en-GB', 'de-CH'] })).toBe('de-CH');
  expect(localeFor('de', { languages: ['en-GB'] })).toBe('de');
  expect([directionOf('ar'), directionOf('ru')]).toEqual(['rtl', 'ltr']);
});

test('values fill the placeholders, and a number chooses the form', () => {
  const { say, use } = textsOf({ found: { one: '{n} GIF in {place}', other: '{n} GIFs in {place}' } } as const);
  expect([1, 1_234].map((n) => say('found', { n, place: '{n} $&' }))).toEqual([
    '1 GIF in {n} $&',
    '1,234 GIFs in {n} $&',
  ]);
  use({});
  expect(say('found', { n: 2, place: 'x' })).toBe('2 GIFs in x');
});
