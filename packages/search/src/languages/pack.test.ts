import fs from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Dictionaries } from './dictionaries.ts';
import { Languages } from './languages.ts';
import { writePack } from './pack.ts';

/** The table that the service uses. tools/models creates this table. */
const own = fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url));
const languages = new Languages(own);

function use(language: string, meanings: Record<string, string[]>): number {
  const { bytes, terms } = writePack(language, new Map(Object.entries(meanings)), own);
  languages.usePacks([bytes]);
  return terms;
}

beforeEach(() => languages.usePacks([]));

describe('a pack', () => {
  test('adds words that our own dictionary does not have, and their inflected forms', () => {
    expect(languages.meanings('kaulquappe')).toEqual([]);
    expect(use('de', { Kaulquappe: ['tadpole'] })).toBe(1);
    expect(languages.inEnglish('kaulquappe')).toEqual(['tadpole']);
    expect(languages.inEnglish('kaulquappen')).toEqual(['tadpole']);
  });

  test('does not change the meaning of words that our own dictionary has, or of their forms', () => {
    const words = ['traurig', 'weinend', 'katzen', 'guten morgen'];
    const before = words.map((word) => languages.read(word));
    const meanings = before.map(({ meanings }) => meanings);
    use('de', Object.fromEntries(words.map((word) => [word, ['tadpole']])));
    expect(words.map((word) => languages.read(word).meanings)).toEqual(meanings);
  });

  test('does not make English queries foreign', () => {
    use('de', { cat: ['tadpole'], 'happy cat': ['tadpole'], dance: ['tadpole'] });
    for (const query of ['cat', 'happy cat', 'cat dance']) expect(languages.inEnglish(query)).toEqual([query]);
  });

  test('lists usual English words first, and leaves out explanations and other languages', () => {
    use('de', {
      kaulquappe: ['pollywog', 'tadpole', 'tadpoles', 'young of a frog or toad', 'têtard', 'frog'],
      quappenlarve: ['young of a frog or toad'],
    });
    expect(languages.meanings('kaulquappe')[0]!.phrases.map(({ phrase }) => phrase)).toEqual(['frog', 'tadpole']);
    expect(languages.meanings('quappenlarve')).toEqual([]);
  });

  test('if two packs have the same term, the first pack decides', () => {
    const [first, second] = ['tadpole', 'frog'].map(
      (meaning) => writePack('de', new Map([['kaulquappe', [meaning]]]), own).bytes,
    );
    languages.usePacks([first!, second!]);
    expect(languages.inEnglish('kaulquappe')).toEqual(['tadpole']);
    expect(new Dictionaries(own, [first!, second!]).find('kaulquappe')).toHaveLength(1);
  });

  test('can have any text as a term, and the same terms give the same bytes', () => {
    const meanings = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.array(fc.string({ unit: 'grapheme' })));
    fc.assert(
      fc.property(meanings, (each) => {
        const terms = new Map(Object.entries(each));
        const { bytes } = writePack('ja', terms, own);
        expect(writePack('ja', terms, own).bytes).toEqual(bytes);
        languages.usePacks([bytes]);
        for (const term of terms.keys()) languages.inEnglish(term);
      }),
    );
  });

  test('has one of the languages whose endings are known', () => {
    expect(() => writePack('en', new Map(), own)).toThrow(RangeError);
    expect(() => writePack('tlh', new Map(), own)).toThrow(RangeError);
  });
});
