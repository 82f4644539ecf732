import { expect, it } from 'vitest';
import { wordsOfName } from './titles.ts';

it.each([
  ['delete-delete-delete.gif', 'delete delete delete'],
  ['highFive_party-7.GIF', 'high Five party 7'],
  ['über.cool.webp', 'über cool'],
  ['d591b43a7124966c21f1a136354089e1cc45fedf.gif', ''],
  ['12345.gif', ''],
  ['.gif', ''],
  ['猫.gif', '猫'],
])('%s says "%s"', (name, words) => {
  expect(wordsOfName(name)).toBe(words);
});
