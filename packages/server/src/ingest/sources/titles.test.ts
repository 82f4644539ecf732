import { expect, it } from 'vitest';
import { wordsOfName } from './titles.ts';

it.each([
  ['delete-delete-delete.gif', 'delete delete delete'],
  ['highFive_party-7.GIF', 'high Five party 7'],
  ['über.cool.webp', 'über cool'],
  // macOS writes accents as separate characters.
  ['cafe\u0301.gif', 'caf\u00e9'],
  ['d591b43a7124966c21f1a136354089e1cc45fedf.gif', ''],
  ['12345.gif', ''],
  ['.gif', ''],
  ['猫.gif', '猫'],
  ['cat%20dance%21.gif', 'cat dance!'],
  ['%E7%8C%AB%E3%81%8C.gif', '猫が'],
  ['100%25 cat.gif', '100% cat'],
  ['50% off.gif', '50% off'],
  ['caf%E9.gif', 'caf%E9'],
  ['red%1B[31m%0Aalert.gif', 'red [31m alert'],
  ['dance.gif.gif', 'dance'],
  ['dance.webp.GIF', 'dance'],
  ['cute&amp;funny.gif', 'cute&funny'],
  ['AT&T.gif', 'AT&T'],
  ['3o7TKSjRrfIPjeiVyM.gif', ''],
  ['l0MYt5jPR6QX5pnqM-happy-dance.gif', 'happy dance'],
  ['dQw4w9WgXcQ.gif', ''],
  ['cat-1700000000000.gif', 'cat'],
  ['550e8400-e29b-41d4-a716-446655440000_wow.gif', 'wow'],
  ['HappyNewYear2024.gif', 'Happy New Year2024'],
  ['iPhone15ProMaxXL.gif', 'i Phone15Pro Max XL'],
  ['deal_with_it-20240131.gif', 'deal with it 20240131'],
  ['SUPERCALIFRAGILISTIC.gif', 'SUPERCALIFRAGILISTIC'],
  ['rollercoaster3000.gif', 'rollercoaster3000'],
])('the words of %s are "%s"', (name, words) => {
  expect(wordsOfName(name)).toBe(words);
});

it('removes control characters from names', () => {
  expect(wordsOfName('red\u001b[31m\nalert\u0085.gif')).toBe('red [31m alert');
});
