import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { editDistance } from '../testing/naive-suggest.ts';
import { EditDistance } from './distance.ts';
import { gramsOf, unitsOf } from './grams.ts';
import { Maxima, makeMaxima } from './maxima.ts';
import { PhraseCounter } from './phrases.ts';
import { foldBeginning, foldTerm } from './term.ts';
import { wordsOf } from './words.ts';

const word = fc.string({ unit: fc.constantFrom(...'abc'), maxLength: 12 });

test('the bounded edit distance equals the plain edit distance up to the bound', () => {
  const distance = new EditDistance();
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 5 }), (a, b, most) => {
      const expected = Math.min(editDistance(a, b), most + 1);
      expect(distance.between(unitsOf(a), unitsOf(b), most)).toBe(expected);
    }),
    { numRuns: 3_000 * inject('cases') },
  );
  const long = unitsOf('x'.repeat(300));
  expect(distance.between(long, long, 3)).toBe(0);
});

test('the largest numbers of any range are in order', () => {
  // Most rows are long enough for two rows above them. In some, most numbers are equal to others. In others, the largest
  // number is anywhere in the range, such as after its last whole block.
  const upTo = (max: number) => fc.array(fc.integer({ min: 0, max }), { maxLength: 3000, size: 'max' });
  const numbers = fc.oneof(upTo(3), upTo(2 ** 32 - 1));
  fc.assert(
    fc.property(numbers, fc.nat(3000), fc.nat(3000), fc.integer({ min: 1, max: 25 }), (list, a, b, limit) => {
      const row = Uint32Array.from(list);
      const [low, high] = [Math.min(a, b, row.length), Math.min(Math.max(a, b), row.length)];
      const expected = [...row.keys()].slice(low, high).sort((x, y) => row[y]! - row[x]! || x - y);
      expect(new Maxima(row, makeMaxima(row)).largest(low, high, limit)).toEqual(expected.slice(0, limit));
    }),
    { numRuns: 300 * inject('cases') },
  );
});

test('trigrams count the beginning twice', () => {
  expect([...gramsOf(unitsOf('cat'))]).toEqual(['  c', ' ca', 'cat', 'at ']);
  expect([...gramsOf(unitsOf(''))]).toEqual(['   ']);
});

test.each([
  ['Aww_GIFs', 'aww gifs'],
  ["Don’t '90s", 'dont 90s'],
  ['Pokémon  Straße', 'pokemon strasse'],
  ['❤️ 👍🏽', '❤ 👍'],
  ['İstanbul', 'istanbul'],
])('%s is matched as %s', (term, folded) => {
  expect(foldTerm(term)).toBe(folded);
});

test('a beginning keeps a blank at its end', () => {
  expect(foldBeginning('_high_')).toBe('high ');
});

test('the folded beginning of a term starts the folded term', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."abÉß_ '-!猫가😀") }), fc.nat(12), (text, length) => {
      const beginning = foldBeginning([...text].slice(0, length).join(''));
      expect(foldTerm(text).startsWith(beginning.trimEnd())).toBe(true);
    }),
  );
});

test('words continue a phrase unless punctuation ends it', () => {
  const phrases = (text: string) => wordsOf(text).map(({ shown, joined }) => (joined ? `+${shown}` : shown));
  expect(phrases("Don't stop, spider-man! [x-post] 猫が踊る")).toEqual([
    ...["don't", '+stop', 'spider', '+man', 'x', '+post', '猫が踊る'],
  ]);
  expect(phrases('!!! … 🔥')).toEqual([]);
});

test('phrases are counted once per text', () => {
  const counter = new PhraseCounter();
  for (let i = 0; i < 5; i++) counter.add('grumpy cat grumpy cat stares at the red wall');
  counter.add('grumpy cat. stares');
  for (let i = 0; i < 2; i++) counter.add('by chance');
  const found = new Map([...counter.finish()].map(({ folded, n }) => [folded, n]));
  expect(found.get('grumpy')).toBe(6);
  expect(found.get('grumpy cat')).toBe(6);
  expect(found.get('cat stares')).toBe(5);
  expect(found.get('grumpy cat stares')).toBe(5);
  expect(found.get('red wall')).toBe(5);
  expect(found.get('by chance')).toBe(2);
  for (const none of ['chance by', 'at', 'the', 'stares at', 'the red', 'at the red', 'cat stares at'])
    expect(found.has(none), none).toBe(false);
});

test('in a large catalogue, a word needs more uses to become a term', () => {
  const counter = new PhraseCounter();
  for (let i = 0; i < 10_000; i++) counter.add(i < 6 ? `common${i % 2} word${i % 3}` : '!');
  expect([...counter.finish()].map(({ folded }) => folded)).toEqual(['common0', 'common1']);
});
