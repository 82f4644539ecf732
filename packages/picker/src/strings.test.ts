import { expect, test } from 'vitest';
import { fill, LOCALES, loadStrings, localeFor, stringsIn } from './strings.ts';

test('there are twelve languages', () => {
  expect(LOCALES).toHaveLength(12);
});

test.each(LOCALES)('%s has every string, with the same placeholders as English', async (locale) => {
  const english = stringsIn('en');
  await loadStrings(locale, 60_000);
  const strings = stringsIn(locale);
  const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const [key, text] of Object.entries(english)) {
    if (typeof text !== 'string') continue;
    const other = strings[key as 'search'];
    expect(other, key).toBeTruthy();
    expect(holes(other), key).toEqual(holes(text));
    // A string that equals the English string has not been translated. Only `found` is allowed to be equal.
    if (locale !== 'en' && key !== 'found') expect(other, key).not.toBe(text);
  }
  expect(Object.values(strings.topicNames).filter(Boolean)).toHaveLength(5);
});

test('the first translated language is used, regardless of region', () => {
  expect(localeFor(['nl', 'pt-BR', 'de'])).toBe('pt');
  expect(localeFor(['tlh'])).toBe('en');
  expect(localeFor([])).toBe('en');
});

test('the interface is in English until the strings of its language are loaded', () => {
  expect(stringsIn('tlh').search).toBe('Search GIFs');
});

test('placeholders are replaced, even by texts that look like placeholders', () => {
  expect(fill('Nothing found for “{q}”', { q: '{n} $&' })).toBe('Nothing found for “{n} $&”');
});
