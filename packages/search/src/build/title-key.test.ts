import { expect, test } from 'vitest';
import { NO_TITLE, titleKey } from './title-key.ts';

test('titles are equal if they differ only in capitals, accents, punctuation and spaces', () => {
  const key = titleKey({ title: 'Café, please!', source: 'a' });
  for (const title of ['cafe please', ' CAFÉ   please ', '“café” please …'])
    expect(titleKey({ title, source: 'a' })).toBe(key);
  for (const title of ['cafe', 'please cafe', 'cafeplease', 'cafe pleases'])
    expect(titleKey({ title, source: 'a' })).not.toBe(key);
});

test('titles of different sources differ, and a GIF without words in its title has no key', () => {
  expect(titleKey({ title: 'hug', source: 'a' })).not.toBe(titleKey({ title: 'hug', source: 'b' }));
  expect(titleKey({ title: 'hug' })).toBe(titleKey({ title: 'hug', source: '' }));
  for (const title of ['', ' ', '…', '?!']) expect(titleKey({ title, source: 'a' })).toBe(NO_TITLE);
});
