import { expect, test } from 'vitest';
import { compounds } from './compounds.ts';

test.each([
  ['Spider-Man', ['spiderman']],
  ['Spider\u2010Man, Spider\u2011Man', ['spiderman', 'spiderman']],
  ['WALL\u00B7E, W\u2022A, R\u2219B', ['walle', 'wa', 'rb']],
  ['1939\u20131945', ['19391945']],
  ['R&B', ['rb', 'rnb']],
  ['N.A.S.A.', ['nasa']],
  ['1-2-3-4-5', []],
  ['a cat - and a dog', []],
])('%j has the joined words %j', (text, terms) => {
  expect(compounds(text)).toEqual(terms);
});
