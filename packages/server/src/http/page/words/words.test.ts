import { describe, expect, test } from 'vitest';
import { type Counted, en } from './en.ts';
import { fill, isLanguage, LANGUAGES, type Language, textsFor, textsOf } from './words.ts';

const CODES = Object.keys(LANGUAGES) as Language[];
const holesOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe.each(CODES)('%s', (code) => {
  const { words } = textsOf(code);
  const texts = Object.entries(words).flatMap(([key, text]) =>
    typeof text === 'string'
      ? [{ key, text, english: en[key as 'search'] as string }]
      : Object.values(text as Counted).map((form) => ({
          key,
          text: form,
          english: (en[key as 'found'] as Counted).other,
        })),
  );

  test('has every text, with the placeholders of English', () => {
    expect(Object.keys(words).toSorted()).toEqual(Object.keys(en).toSorted());
    for (const { key, text, english } of texts) {
      expect(text.trim(), key).toBe(text);
      expect(text, key).not.toBe('');
      // In a text for one or two things, a word can replace the number.
      const optional = typeof words[key as 'found'] === 'object' ? ['{n}'] : [];
      const without = (holes: string[]) => holes.filter((hole) => !optional.includes(hole));
      expect(without(holesOf(text)), key).toEqual(without(holesOf(english)));
    }
  });

  test('is safe in HTML', () => {
    for (const { key, text } of texts) expect(text, key).not.toMatch(/[<>&"']/);
  });

  test('has a form for every plural category of the language', () => {
    const categories = new Intl.PluralRules(code).resolvedOptions().pluralCategories.toSorted();
    for (const [key, text] of Object.entries(words)) {
      if (typeof text !== 'string') expect(Object.keys(text).toSorted(), key).toEqual(categories);
    }
  });
});

test.each(CODES.filter((code) => code !== 'en'))('%s is translated', (code) => {
  const same = Object.entries(textsOf(code).words).filter(([key, text]) => text === en[key as 'search']);
  // Some words are the same in several languages.
  expect(same.length).toBeLessThan(4);
});

test('the chosen language comes before the accepted ones, and these by their weight', () => {
  const language = (headers: Record<string, string>) => textsFor({ headers }).language;
  expect(language({})).toBe('en');
  expect(language({ 'accept-language': 'nl, pt-BR;q=0.5, de;q=0.8' })).toBe('de');
  expect(language({ 'accept-language': 'JA-jp' })).toBe('ja');
  expect(language({ cookie: 'a=b; language=ko', 'accept-language': 'de' })).toBe('ko');
  expect(language({ cookie: 'xlanguage=ko; language=tlh', 'accept-language': 'de' })).toBe('de');
  expect(isLanguage('toString')).toBe(false);
});

test('numbers and quantities are formatted as in the language', () => {
  const { count, quantity, words, direction } = textsOf('ru');
  expect([1, 3, 5].map((n) => count(words.tooManyReports, n).match(/\d+ \S+/)![0])).toEqual([
    '1 минуту.',
    '3 минуты.',
    '5 минут.',
  ]);
  expect(textsOf('de').quantity(1.25, 'megabyte')).toBe('1,3 MB');
  expect(textsOf('en').quantity(123.4, 'kilobyte')).toBe('123 kB');
  expect(quantity(2, 'second')).toMatch(/^2\s/);
  expect([direction, textsOf('ar').direction]).toEqual(['ltr', 'rtl']);
});

test('placeholders are replaced, even by texts that look like placeholders', () => {
  expect(fill('for “{q}”: {n}', { q: '{n} $&', n: 3 })).toBe('for “{n} $&”: 3');
});
