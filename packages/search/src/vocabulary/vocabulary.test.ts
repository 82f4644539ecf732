import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offensiveWords, unaskedTerm } from '../analysis/offensive.ts';
import { compareDocuments, type IndexDocument } from '../build/document.ts';
import { BuildError } from '../build/manifest.ts';
import { weighQuery } from '../query/plan.ts';
import { Searcher } from '../query/searcher.ts';
import { Suggester } from '../suggest/suggester.ts';
import { buildOf, makeDocument } from '../testing/documents.ts';
import { impactsOf } from './impacts.ts';
import { Vocabulary, type VocabularyPart } from './vocabulary.ts';
import { VocabularyWriter } from './writer.ts';

const words = [
  'cat',
  'cats',
  'dog',
  'dance',
  'dancing',
  'the',
  'catdog',
  'Happy!',
  'café',
  '猫',
  '日本語',
  '👍🏽',
  "don't",
];
const phrase = (max: number) => fc.array(fc.constantFrom(...words), { maxLength: max }).map((parts) => parts.join(' '));
const phrases = fc.array(phrase(2), { maxLength: 3 });
const texts = { title: phrase(4), tags: phrases, characters: phrases, series: phrases, text: phrase(6) };
const corpus = fc
  .array(fc.record({ ...texts, popularity: fc.nat(2) }), { maxLength: 40 })
  .map((rows) => rows.map((row, i) => makeDocument({ ...row, id: `${i}.gif` })).sort(compareDocuments));

function partOf(documents: readonly IndexDocument[], base?: Vocabulary): VocabularyPart {
  const writer = new VocabularyWriter(base);
  for (const document of documents) writer.add(document);
  return writer.finish();
}

/** Ranks documents like a simple search engine that only adds up weight × impact and counts the matched words. */
function rank(documents: readonly IndexDocument[], vocabulary: Vocabulary, query: string): [string, number][] {
  const impacts = impactsOf(documents, vocabulary);
  const { terms, words } = weighQuery(vocabulary, query, { languages: undefined });
  const scored = documents.map((document, i) => {
    const found = terms.filter(({ term }) => impacts[i]!.has(term));
    const score = found.reduce((sum, { term, weight }) => sum + weight * impacts[i]!.get(term)!, 0);
    const covered = found.reduce((bits, { covers }) => bits | covers, 0);
    return { document, score: covered.toString(2).replaceAll('0', '').length + score / 2 ** 24 };
  });
  const found = scored.filter(({ score }) => score > 0 && (words === 0 || score >= 1));
  found.sort((a, b) => b.score - a.score || compareDocuments(a.document, b.document));
  return found.map(({ document, score }) => [document.id, score]);
}

test('a vocabulary and the impacts of documents rank like a build', () => {
  fc.assert(
    fc.property(corpus, fc.array(phrase(6), { maxLength: 6 }), (documents, queries) => {
      const vocabulary = new Vocabulary([partOf(documents)]);
      const build = buildOf(documents);
      const searcher = new Searcher(build);
      for (const query of queries) {
        const { documents: found, scores } = searcher.search(query);
        const expected = Array.from(found, (document, i) => [build.id(document), scores[i]!]);
        expect(rank(documents, vocabulary, query)).toEqual(expected);
      }
    }),
  );
});

test('a vocabulary completes queries like a build', () => {
  fc.assert(
    fc.property(corpus, fc.constantFrom('c', 'cat', 'dan', 'dnace', '日', '👍'), (documents, query) => {
      const vocabulary = new Suggester(new Vocabulary([partOf(documents)]).suggestions);
      const build = new Suggester(buildOf(documents).suggestions);
      expect(vocabulary.suggest(query, { limit: 20 })).toEqual(build.suggest(query, { limit: 20 }));
    }),
  );
});

test('a delta adds new words and further documents', () => {
  const base = [makeDocument({ id: 'a', title: 'happy cat' }), makeDocument({ id: 'b', title: 'sad dog' })];
  const added = [makeDocument({ id: 'c', title: 'happy axolotl', tags: ['axolotl'] })];
  const first = partOf(base);
  const delta = partOf(added, new Vocabulary([first]));
  const vocabulary = new Vocabulary([first, delta]);
  expect(['happy', 'axolotl', 'cat', 'zebra'].map((term) => vocabulary.frequencyOf(term))).toEqual([2, 1, 1, 0]);
  expect(vocabulary.safeDocuments).toBe(3);
  expect(new Suggester(vocabulary.suggestions).completions('axo', 5)).toEqual(['axolotl']);
  expect(rank([...base, ...added], vocabulary, 'happy axolotl').map(([id]) => id)).toEqual(['c', 'a']);
});

test('a document that replaces an earlier one counts again for words, but not for completions', () => {
  const document = makeDocument({ id: 'a', tags: ['axolotl'] });
  const first = partOf([document]);
  const writer = new VocabularyWriter(new Vocabulary([first]));
  writer.add(document, 'replaced');
  const vocabulary = new Vocabulary([first, writer.finish()]);
  expect(vocabulary.frequencyOf('axolotl')).toBe(2);
  expect(new Suggester(vocabulary.suggestions).suggest('axo', { limit: 5 })).toMatchObject([{ term: 'axolotl', n: 1 }]);
});

test('a damaged vocabulary, or one of another format, is refused by name', () => {
  const { manifest, sections } = partOf([makeDocument({ id: 'a', title: 'happy cat' })]);
  const frequencies = sections.get('frequencies')!.map((byte) => byte + 1);
  const damaged = { manifest, sections: new Map([...sections, ['frequencies', frequencies]]) };
  expect(() => new Vocabulary([damaged])).toThrow(BuildError);
  expect(() => new Vocabulary([damaged])).toThrow('section frequencies is damaged');
  const other = { manifest: { ...manifest, format: 0 }, sections };
  expect(() => new Vocabulary([other])).toThrow('not 0');
});

test('a document with an offensive word has only marked terms', () => {
  const documents = [makeDocument({ id: 'a.gif', title: 'cat slut' }), makeDocument({ id: 'b.gif', title: 'cat dog' })];
  const vocabulary = new Vocabulary([partOf(documents)]);
  const [offensive, harmless] = impactsOf(documents, vocabulary, offensiveWords());
  expect([harmless!.has('cat'), offensive!.has('cat'), offensive!.has(unaskedTerm('cat'))]).toEqual([
    true,
    false,
    true,
  ]);
});
