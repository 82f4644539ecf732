import { expect, it } from 'vitest';
import { withoutControls, wordsOfName } from './titles.ts';

it.each([
  ['delete-delete-delete.gif', 'delete delete delete'],
  ['highFive_party-7.GIF', 'high Five party 7'],
  ['über.cool.webp', 'über cool'],
  ['d591b43a7124966c21f1a136354089e1cc45fedf.gif', ''],
  ['12345.gif', ''],
  ['.gif', ''],
  ['猫.gif', '猫'],
])('the words of %s are "%s"', (name, words) => {
  expect(wordsOfName(name)).toBe(words);
});

it('removes control characters from names', () => {
  expect(wordsOfName('red\u001b[31m\nalert\u0085.gif')).toBe('red [31m alert');
});

it('keeps line breaks in a text, but no other control characters', () => {
  expect(withoutControls('one\ntwo\u0007\u001b')).toBe('one\ntwo  ');
});
