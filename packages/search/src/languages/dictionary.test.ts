import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Dictionary } from './dictionary.ts';
import { type Entry, MAX_KEY_LENGTH, MAX_TERM_LENGTH, WEIGHT_UNITS } from './format.ts';
import { writeLanguages } from './writer.ts';

const term = fc.string({ unit: 'binary', minLength: 1, maxLength: MAX_TERM_LENGTH / 2 });
/** Terms of few letters, so that many terms start with the same letters. */
const similarTerm = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '猫'), minLength: 1, maxLength: MAX_TERM_LENGTH });
const entry: fc.Arbitrary<Entry> = fc.record({
  language: fc.nat(255),
  alternatives: fc.array(
    fc.record({
      phrase: fc.string({ unit: 'grapheme-ascii', maxLength: 20 }),
      weight: fc.integer({ min: 1, max: WEIGHT_UNITS }).map((units) => units / WEIGHT_UNITS),
    }),
    { maxLength: 16 },
  ),
});
const entries = fc.uniqueArray(entry, { maxLength: 5, selector: ({ language }) => language });
const dictionary = fc.dictionary(fc.oneof(term, similarTerm), entries, { maxKeys: 200 });

test('exactly the written terms are found', () => {
  fc.assert(
    fc.property(dictionary, fc.array(fc.oneof(term, similarTerm)), (written, others) => {
      const expected = new Map(Object.entries(written));
      const bytes = writeLanguages(expected);
      const read = new Dictionary(bytes);
      for (const each of [...expected.keys(), ...others]) {
        const found = read.find(each).map(({ language, alternatives }) => ({ language, alternatives: alternatives() }));
        expect(found).toEqual(expected.get(each) ?? []);
      }
    }),
  );
});

test('terms can have all letters, however rare', () => {
  const letters = String.fromCharCode(...Array.from({ length: 0x10000 }).keys());
  const terms = Array.from({ length: 0x10000 / 32 }, (_, i) => letters.slice(32 * i, 32 * i + 32));
  const read = new Dictionary(
    writeLanguages(new Map(terms.map((term) => [term, [{ language: 3, alternatives: [] }]]))),
  );
  expect(terms.filter((term) => read.find(term).length !== 1)).toEqual([]);
});

test('equal meanings are stored once', () => {
  const sizeWith = (alternatives: Entry['alternatives']) => {
    const terms = Array.from({ length: 100 }, (_, i) => [`gato${i}`, [{ language: 3, alternatives }]] as const);
    return writeLanguages(new Map(terms)).length;
  };
  const meanings = Array.from({ length: 16 }, (_, i) => ({ phrase: `cat ${i}`, weight: 1 }));
  expect(sizeWith(meanings)).toBeLessThan(sizeWith([]) + 400);
});

test('the order of terms does not change the bytes', () => {
  fc.assert(
    fc.property(dictionary, (written) => {
      const terms = Object.entries(written);
      expect(writeLanguages(new Map(terms.toReversed()))).toEqual(writeLanguages(new Map(terms)));
    }),
  );
});

test('reads memory that is shared between threads', () => {
  const bytes = writeLanguages(new Map([['gato', [{ language: 3, alternatives: [{ phrase: 'cat', weight: 1 }] }]]]));
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length + 8), 8);
  shared.set(bytes);
  expect(new Dictionary(shared).find('gato')[0]?.alternatives()).toEqual([{ phrase: 'cat', weight: 1 }]);
});

test('English words are distinguished from words of other languages', () => {
  const cat = [{ phrase: 'cat', weight: 1 }];
  const terms = { chat: [0, 5], gato: [3], talk: [0] };
  const written = Object.entries(terms).map(
    ([term, languages]) => [term, languages.map((language) => ({ language, alternatives: cat }))] as const,
  );
  const read = new Dictionary(writeLanguages(new Map(written)));
  expect(['chat', 'gato', 'talk', 'unknown'].filter((term) => read.findEnglish(term))).toEqual(['chat', 'talk']);
});

test('bytes of another version, terms that are too long, and phrases that are not ASCII are refused', () => {
  const bytes = writeLanguages(new Map());
  new Uint32Array(bytes.buffer, 0, 1)[0] = 99;
  expect(() => new Dictionary(bytes)).toThrow('version 99');
  expect(() => writeLanguages(new Map([['x'.repeat(MAX_KEY_LENGTH + 1), []]]))).toThrow(RangeError);
  const foreign = { language: 3, alternatives: [{ phrase: 'naïve', weight: 1 }] };
  expect(() => writeLanguages(new Map([['x', [foreign]]]))).toThrow('not ASCII');
  expect(new Dictionary(writeLanguages(new Map())).find('x'.repeat(99))).toEqual([]);
});

test('a stem finds only terms of its language, and no terms with a longer or shorter stem', () => {
  const entry = (language: number) => [{ language, alternatives: [] }];
  const terms = ['gat/gato', 'gat/gatos', 'gata/x', 'ga/y'].map((key) => [`~${key}`, entry(3)] as const);
  const many = Array.from({ length: 50 }, (_, i) => [`~perr/perr${i}`, entry(i % 2 === 0 ? 3 : 4)] as const);
  const read = new Dictionary(writeLanguages(new Map([...terms, ...many])));
  const having = (stem: string, languages: number[]) => read.withStem(stem, languages).map(({ term }) => term);
  expect(having('gat', [3])).toEqual(['gato', 'gatos']);
  expect(having('gat', [4])).toEqual([]);
  expect(read.withStem('perr', [4, 5]).filter(({ languages }) => languages.includes(4))).toHaveLength(25);
  expect(having('x'.repeat(99), [3])).toEqual([]);
});
