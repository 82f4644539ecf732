import fs from 'node:fs';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { compareDocuments, type IndexDocument } from '../build/document.ts';
import { Languages } from '../languages/languages.ts';
import { buildOf, makeDocument } from '../testing/documents.ts';
import { NaiveSearcher } from '../testing/naive.ts';
import { type NaiveHit, naiveMixedSearch } from '../testing/naive-mixed.ts';
import { quantise } from '../vectors/quantise.ts';
import { VectorSearcher } from '../vectors/searcher.ts';
import { vectorsInMemory } from '../vectors/space.ts';
import { aboutEqual, areWordsEnough, scaleCosine } from './fuse.ts';
import { type MeaningLeg, type MixedHits, mixLegs, type WordHits } from './mixed.ts';
import { Searcher, type SearchOptions } from './searcher.ts';
import { spreadTitles } from './spread.ts';

const DIMENSIONS = 128;

/**
 * Returns a vector of length 1 in the direction of some axes, or zeros if there are no axes. The axes are Walsh
 * functions. Their dimensions are of equal size, because int8 could not store a dimension that is much larger than the
 * others.
 */
function leaning(axes: Readonly<Record<number, number>>): Float32Array {
  const parts = Object.entries(axes);
  const length = Math.hypot(...parts.map(([, part]) => part)) * Math.sqrt(DIMENSIONS) || 1;
  return Float32Array.from({ length: DIMENSIONS }, (_, d) =>
    parts.reduce((sum, [axis, part]) => sum + (oddBits(Number(axis) & d) ? -part : part) / length, 0),
  );
}

function oddBits(number: number): boolean {
  return number.toString(2).replaceAll('0', '').length % 2 === 1;
}

/** Opens both legs over documents in the order of a build, with a vector for each document. */
function openBoth(documents: readonly IndexDocument[], vectors: readonly Float32Array[], meanCosine: number) {
  const safe = documents.filter(({ adult }) => !adult).length;
  const memory = vectorsInMemory(vectors.slice(0, safe).map(quantise), DIMENSIONS);
  const words = new Searcher(buildOf(documents), languages);
  const vectorSearcher = new VectorSearcher(memory, 0);
  return {
    legs: { words, vectors: vectorSearcher, meanCosine },
    naive: { words: new NaiveSearcher(documents), vectors: vectors.slice(0, safe), meanCosine },
  };
}

/** The table of other languages that the service uses. tools/models creates this table. */
const languages = new Languages(fs.readFileSync(new URL('../../../server/models/languages.bin', import.meta.url)));

interface Legs {
  words: Searcher;
  vectors: VectorSearcher;
  meanCosine: number;
}

function searchWords({ words }: Legs, query: string, options: SearchOptions): WordHits {
  const plan = words.plan(query);
  return { ...plan, ...words.searchPlan(plan, options), score: (documents) => words.scorePlan(plan, documents) };
}

/** Searches with both legs, one after the other, as the service runs them. */
function searchBoth(legs: Legs, query: string, vector: Float32Array, options: SearchOptions = {}): Promise<MixedHits> {
  const { vectors, meanCosine, words } = legs;
  const meaning: MeaningLeg = {
    meanCosine,
    near: (vector, limit) => vectors.search(vector, { ...options, limit }),
    cosines: (vector, documents) => vectors.score(vector, documents),
  };
  const compare = (a: number, b: number) => words.build.rank(a) - words.build.rank(b);
  return mixLegs(searchWords(legs, query, options), vector, meaning, { limit: options.limit ?? 200, compare });
}

const rowsOf = ({ documents, scores, words, meaning }: MixedHits): NaiveHit[] =>
  Array.from(documents, (document, i) => ({
    document,
    score: scores[i]!,
    words: words[i]!,
    meaning: meaning[i]!,
  }));

function bitsOf(numbers: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(8);
  for (const number of numbers) bits[number >> 3]! |= 1 << (number & 7);
  return bits;
}

/** Words that are not translated. */
const vocabulary = ['the', 'cat', 'cats', 'dog', 'happy', 'dance', 'dancing', 'table', 'window'];
const phrase = (max: number) =>
  fc.array(fc.constantFrom(...vocabulary), { maxLength: max }).map((all) => all.join(' '));
/** Vectors in few directions, so that many vectors are near each other, equal or opposite, and some are zero. */
const vector = fc
  .array(fc.tuple(fc.nat(4), fc.constantFrom(-1, 1, 2)), { maxLength: 3 })
  .map((axes) => leaning(Object.fromEntries(axes)));

const corpus = fc
  .array(
    fc.record({
      document: fc.record({ title: phrase(4), text: phrase(6), adult: fc.boolean(), popularity: fc.nat(2) }),
      vector,
    }),
    { maxLength: 40 },
  )
  .map((rows) =>
    rows
      .map(({ document, vector }, i) => ({ document: makeDocument({ ...document, id: `${i}.gif` }), vector }))
      .sort((a, b) => compareDocuments(a.document, b.document)),
  );

describe('the blend of words and meaning', () => {
  test('ranks and scores like the reference implementation', async () => {
    const search = fc.record({
      text: phrase(7),
      vector,
      limit: fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(200)),
      hidden: fc.uniqueArray(fc.nat(39)),
    });
    await fc.assert(
      fc.asyncProperty(
        corpus,
        fc.constantFrom(0, 0.1, 0.5),
        fc.array(search, { maxLength: 6 }),
        async (rows, mean, searches) => {
          const documents = rows.map(({ document }) => document);
          const both = openBoth(
            documents,
            rows.map((row) => row.vector),
            mean,
          );
          for (const { text, vector, limit, hidden } of searches) {
            const hits = await searchBoth(both.legs, text, vector, { limit, hidden: bitsOf(hidden) });
            expect(rowsOf(hits)).toEqual(naiveMixedSearch(both.naive, { text, vector }, limit, new Set(hidden)));
          }
        },
      ),
      { numRuns: 300 * inject('cases') },
    );
  });

  test('ranks like the reference implementation over several windows', async () => {
    const documents = Array.from({ length: 20_000 }, (_, i) =>
      makeDocument({
        id: String(i).padStart(5, '0'),
        title: vocabulary.filter((_, k) => i % (k + 5) === 0).join(' '),
        text: 'window '.repeat(i % 7),
        adult: i >= 19_500,
      }),
    );
    const vectors = documents.map((_, i) => leaning({ [i % 5]: 1 + (i % 3), [5 + (i % 11)]: 1 + (i % 4) }));
    const { legs, naive } = openBoth(documents, vectors, 0.2);
    for (const text of ['cat dog', 'happy window', 'table', 'happy cat dancing window table dog']) {
      const vector = leaning({ 1: 2, 7: 1 });
      const hits = rowsOf(await searchBoth(legs, text, vector));
      expect(hits).toHaveLength(200);
      expect(hits).toEqual(naiveMixedSearch(naive, { text, vector }, 200));
    }
  });
});

describe('the leg of meaning', () => {
  /** Vectors with the cosines 1, .5, .3 and 0 to the query. No document has a word of the query. */
  const LEVELS = [leaning({ 0: 1 }), leaning({ 0: 0.5, 1: 0.866 }), leaning({ 0: 0.3, 1: 0.954 }), leaning({ 1: 1 })];
  const strangers = LEVELS.map((_, i) => makeDocument({ id: `${i}.gif`, title: 'a stranger', popularity: 9 - i }));

  test('finds only documents that are near enough, relative to unrelated ones', async () => {
    const find = async (meanCosine: number) => [
      ...(await searchBoth(openBoth(strangers, LEVELS, meanCosine).legs, 'quiet evening', LEVELS[0]!)).documents,
    ];
    expect(await find(0)).toEqual([0, 1]);
    expect(await find(0.3)).toEqual([0]);
  });

  test('works for nearly equal GIFs, and for a model to which all texts are similar', async () => {
    expect([scaleCosine(1, 1), scaleCosine(1, 0.9), scaleCosine(0.85, 1)]).toEqual([1, 1, 0]);
    expect(scaleCosine(0.925, 0.99)).toBeCloseTo(0.5, 10);
  });

  test('does not remove documents that have the words, however distant they are', async () => {
    const { legs } = openBoth(strangers, LEVELS, 0);
    const { documents, meaning } = await searchBoth(legs, 'stranger', LEVELS[0]!);
    expect([...documents].sort()).toEqual([0, 1, 2, 3]);
    expect(Math.min(...meaning)).toBe(0);
  });

  test.each([
    ['cat', 0],
    ['happy cat', 0.15],
    ['a happy cat dancing there with me', 0.15],
    ['when the happy cat is dancing under the table near a window', 0.6],
    ['gato feliz', 0],
  ])('has for "%s" a weight of %f', async (query, weight) => {
    const vectors = [leaning({ 0: 1 }), leaning({ 0: 1, 1: 1 })];
    const documents = ['a.gif', 'b.gif'].map((id) => makeDocument({ id, title: 'happy cat' }));
    const hits = rowsOf(await searchBoth(openBoth(documents, vectors, 0).legs, query, vectors[0]!));
    expect(hits).toHaveLength(2);
    for (const { score, words, meaning } of hits) expect(score - words).toBeCloseTo(weight * meaning, 10);
  });

  test('can outweigh the number of matched words if there are four, but not in shorter queries', async () => {
    const documents = [
      makeDocument({ id: 'a.gif', title: 'happy cat dance', popularity: 2 }),
      makeDocument({ id: 'b.gif', title: 'happy cat', popularity: 1 }),
      makeDocument({ id: 'c.gif', title: 'stranger' }),
    ];
    const { legs } = openBoth(documents, [leaning({ 1: 1 }), leaning({ 0: 1 }), leaning({ 0: 1 })], 0);
    const find = async (query: string) => [...(await searchBoth(legs, query, leaning({ 0: 1 }))).documents];
    expect(await find('happy cat dance window')).toEqual([1, 0, 2]);
    expect(await find('happy cat dance')).toEqual([0, 1, 2]);
  });

  test('ranks after the words in short queries', async () => {
    const documents = [makeDocument({ id: 'a.gif', popularity: 1 }), makeDocument({ id: 'b.gif', text: 'a cat' })];
    const { legs } = openBoth(documents, [leaning({ 0: 1 }), leaning({ 1: 1 })], 0);
    expect([...(await searchBoth(legs, 'happy cat', leaning({ 0: 1 }))).documents]).toEqual([1, 0]);
  });
});

describe('a blended list', () => {
  const equal = Array.from({ length: 500 }, (_, i) =>
    makeDocument({ id: String(i).padStart(3, '0'), title: i % 2 === 0 ? 'happy cat' : '' }),
  );
  const vectors = equal.map((_, i) => (i % 2 === 0 ? leaning({ 1: 1 }) : leaning({ 0: 1 })));

  test('has as many hits as requested, at most 200', async () => {
    const { legs } = openBoth(equal, vectors, 0);
    expect((await searchBoth(legs, 'happy cat', leaning({ 0: 1 }))).documents).toHaveLength(200);
    expect((await searchBoth(legs, 'happy cat', leaning({ 0: 1 }), { limit: 1_000 })).documents).toHaveLength(200);
    expect((await searchBoth(legs, 'happy cat', leaning({ 0: 1 }), { limit: 7 })).documents).toHaveLength(7);
  });

  test('orders equal documents by their numbers, every time', async () => {
    const { legs } = openBoth(equal, vectors, 0);
    const first = await searchBoth(legs, 'happy cat', leaning({ 0: 1 }));
    expect([...first.documents]).toEqual(Array.from({ length: 200 }, (_, i) => 2 * i));
    await searchBoth(legs, 'cat', leaning({ 0: 1, 1: 1 }), { limit: 3 });
    expect(await searchBoth(legs, 'happy cat', leaning({ 0: 1 }))).toEqual(first);
  });

  test('is not filled by a title that is exactly the query', async () => {
    const documents = Array.from({ length: 40 }, (_, i) =>
      makeDocument({ id: String(i).padStart(2, '0'), title: i < 20 ? 'happy cat' : 'happy cat table' }),
    );
    const { legs } = openBoth(
      documents,
      documents.map((_, i) => leaning(i < 20 ? { 0: 1 } : { 0: 0.85, 1: 0.53 })),
      0,
    );
    const vector = leaning({ 0: 1 });
    const hits = await searchBoth(legs, 'happy cat', vector);
    const kind = searchWords(legs, 'happy cat', {});
    const titles = hits.documents.map((document) => (document < 20 ? 1 : 2));
    const first = [...spreadTitles(hits, titles, aboutEqual(kind))].slice(0, 10);
    expect(first.filter((document) => document >= 20)).toHaveLength(5);
    const sentence = searchWords(legs, 'when the happy cat is dancing under the table near a window', {});
    expect([aboutEqual(searchWords(legs, 'cat', {})), aboutEqual(sentence)]).toEqual([0.02, 0.02]);
  });

  test('replaces hidden and adult documents by others', async () => {
    const documents = [
      makeDocument({ id: 'a.gif', title: 'happy cat', popularity: 2 }),
      makeDocument({ id: 'b.gif', title: 'happy cat', popularity: 1 }),
      makeDocument({ id: 'c.gif' }),
      makeDocument({ id: 'd.gif', title: 'happy cat', adult: true }),
    ];
    const same = documents.map(() => leaning({ 0: 1 }));
    const { legs } = openBoth(documents, same, 0);
    expect([...(await searchBoth(legs, 'happy cat', same[0]!, { hidden: bitsOf([0]), limit: 2 })).documents]).toEqual([
      1, 2,
    ]);
    expect([...(await searchBoth(legs, 'happy cat', same[0]!, { hidden: bitsOf([0, 1, 2]) })).documents]).toEqual([]);
  });
});

describe('the leg of words', () => {
  const cats = Array.from({ length: 30 }, (_, n) => makeDocument({ id: `cat-${n}.gif`, tags: ['cat', 'happy'] }));
  const vectors = cats.map(() => leaning({ 0: 1 }));
  const { legs } = openBoth(cats, vectors, 0);
  const isEnough = (query: string, isFull: boolean) => areWordsEnough(searchWords(legs, query, {}), isFull);

  test('is enough for one word that fills the list', () => {
    expect(isEnough('cat', true)).toBe(true);
    expect(isEnough('cat', false)).toBe(false);
    expect(isEnough('happy cat', true)).toBe(false);
    // The meaning leg orders the GIFs that a translation finds.
    expect(searchWords(legs, 'gato', {}).documents).toHaveLength(30);
    expect(isEnough('gato', true)).toBe(false);
    expect(isEnough('what a really happy little dancing cat', true)).toBe(false);
  });
});
