import { expect, test } from 'vitest';
import { fill, LOCALES, stringsFor } from './strings.ts';

test('there are twelve languages', () => {
  expect(LOCALES).toHaveLength(12);
});

test.each(LOCALES)('%s has every word, with the placeholders of English', (locale) => {
  const english = stringsFor(['en']).strings;
  const { strings, locale: own } = stringsFor([locale]);
  expect(own).toBe(locale);
  const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const [key, text] of Object.entries(english)) {
    if (typeof text !== 'string') continue;
    const other = strings[key as 'search'];
    expect(other, key).toBeTruthy();
    expect(holes(other), key).toEqual(holes(text));
    // What is the same in two languages was forgotten, but for a word that both have.
    if (locale !== 'en' && key !== 'found') expect(other, key).not.toBe(text);
  }
  expect(Object.values(strings.topicNames).filter(Boolean)).toHaveLength(5);
});

test('the first translated language is used, regardless of region', () => {
  expect(stringsFor(['nl', 'pt-BR', 'de']).locale).toBe('pt');
  expect(stringsFor(['tlh']).locale).toBe('en');
  expect(stringsFor([]).locale).toBe('en');
});

test('placeholders are replaced, even with texts that look like one', () => {
  expect(fill('Nothing found for “{q}”', { q: '{n} $&' })).toBe('Nothing found for “{n} $&”');
});
