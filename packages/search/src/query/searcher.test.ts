import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { analyse } from '../analysis/analyse.ts';
import { OffensiveWords } from '../analysis/offensive.ts';
import { compareDocuments, type IndexDocument } from '../build/document.ts';
import { buildOf, makeDocument } from '../testing/documents.ts';
import { NaiveSearcher } from '../testing/naive.ts';
import { Searcher } from './searcher.ts';

const words = [
  'cat',
  'cats',
  'dog',
  'dance',
  'dancing',
  'the',
  'catdog',
  'happy',
  'Happy!',
  'café',
  '猫',
  '日本',
  '日本語',
  '👍🏽',
  'สวัสดี',
  "don't",
];
const phrase = (max: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...words), { maxLength: max }).map((parts) => parts.join(' '));
const phrases = fc.array(phrase(2), { maxLength: 3 });

/** A corpus in the order of a build, with many equal scores and popularities. */
const corpus: fc.Arbitrary<IndexDocument[]> = fc
  .array(
    fc.record({
      title: phrase(4),
      tags: phrases,
      characters: phrases,
      series: phrases,
      text: phrase(6),
      adult: fc.integer({ max: 4 }).map((n) => n === 0),
      popularity: fc.nat(2),
    }),
    { maxLength: 50 },
  )
  .map((rows) => rows.map((row, i) => makeDocument({ ...row, id: `${i}.gif` })).sort(compareDocuments));

/** Returns a bitset of the numbers. */
function bitsOf(numbers: Iterable<number>, size: number): Uint8Array {
  const bits = new Uint8Array(Math.ceil(size / 8));
  for (const number of numbers) bits[number >> 3]! |= 1 << (number & 7);
  return bits;
}

test('the searcher ranks like the reference implementation', () => {
  const quoted = fc.tuple(phrase(3), phrase(3)).map(([one, other]) => `${one} "${other}"`);
  const query = fc.oneof(phrase(6), quoted, fc.string({ unit: fc.constantFrom(...words.join(' ')) }));
  const hiddenNumbers = fc.uniqueArray(fc.nat(49));
  const limit = fc.oneof(fc.integer({ min: 0, max: 8 }), fc.constant(200));
  const asked = fc.record({ queries: fc.array(query, { maxLength: 8 }), most: limit, hidden: hiddenNumbers });
  fc.assert(
    fc.property(corpus, asked, (documents, { queries, hidden, most }) => {
      const searcher = new Searcher(buildOf(documents));
      const naive = new NaiveSearcher(documents);
      for (const q of queries) {
        const hits = searcher.search(q, { limit: most, hidden: bitsOf(hidden, 50) });
        expect([...hits.documents]).toEqual(naive.search(q, most, new Set(hidden)));
      }
    }),
    { numRuns: 500 * inject('cases') },
  );
});

test('a title with the name of its series counts as a whole name, even if no document has tags', () => {
  const titles = ['Naruto', 'naruto and a dog', 'a naruto cake'];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title, series: i === 0 ? ['Naruto'] : [] }));
  const hits = new Searcher(buildOf(documents)).search('naruto');
  expect(Array.from(hits.documents, (document) => documents[document]!.title)[0]).toBe('Naruto');
  expect([...hits.documents]).toEqual(new NaiveSearcher(documents).search('naruto', 200));
});

describe('a document with an offensive word', () => {
  const titles = [
    'happy happy bitch',
    'happy dance',
    'a very happy man',
    'white cat',
    'white power',
    'bitch please, dance',
  ];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title, tags: ['all'] })).sort(compareDocuments);
  const searcher = new Searcher(buildOf(documents, new OffensiveWords(['bitch', 'white power'])));
  const found = (query: string) => [...searcher.search(query).documents].map((document) => titles[document]);

  test('is not found by a query without one', () => {
    expect(found('happy')).toEqual(['happy dance', 'a very happy man']);
    expect(found('all')).toEqual(['happy dance', 'a very happy man', 'white cat']);
    expect(found('white')).toEqual(['white cat']);
    expect(found('power please')).toEqual([]);
  });

  test('is found by a query with one, like any other', () => {
    expect(found('bitch')).toEqual(['happy happy bitch', 'bitch please, dance']);
    expect(found('dancing bitch please')[0]).toBe('bitch please, dance');
    expect(found('bitch happy')[0]).toBe('happy happy bitch');
    expect(found('bitch happy')).toHaveLength(4);
    expect(found('white power')).toEqual(['white power', 'white cat']);
  });

  test('is found if the offensive text is a long phrase, or a word of a script without spaces', () => {
    const rude = ['he who must not be named', 'ดอกทอง'];
    const own = rude.map((title, i) => makeDocument({ id: `${i}`, title }));
    const long = new Searcher(buildOf(own, new OffensiveWords(rude)));
    expect(rude.map((query) => [...long.search(query).documents])).toEqual([[0], [1]]);
    expect([...long.search('he who must be').documents]).toEqual([]);
  });

  test('is found by other forms of its inoffensive words', () => {
    const two = ['bitch bitch', 'a bitch who zorbs'].map((title, i) => makeDocument({ id: `${i}`, title }));
    const own = new Searcher(buildOf(two.sort(compareDocuments), new OffensiveWords(['bitch'])));
    expect([...own.search('bitch').documents]).toEqual([0, 1]);
    expect([...own.search('bitch zorbing').documents][0]).toBe(1);
  });

  test('is marked, so that lists that nobody searched for can leave it out', () => {
    const marked = ({ build: { offensive } }: Searcher) =>
      titles.filter((_, i) => (offensive[i >> 3]! & (1 << (i & 7))) !== 0);
    expect(marked(searcher)).toEqual(['happy happy bitch', 'white power', 'bitch please, dance']);
    expect(marked(new Searcher(buildOf(documents)))).toEqual([]);
  });

  test('is found by a query that contains the word as if the list were empty', () => {
    fc.assert(
      fc.property(corpus, phrase(4), fc.constantFrom('dog', '猫'), (documents, query, word) => {
        const isOffensive = ({ title, tags, series, characters, text }: IndexDocument) =>
          analyse([title, ...tags, ...series, ...characters, text].join('\n')).includes(word);
        const listed = new Searcher(buildOf(documents, new OffensiveWords([word])));
        const plain = new Searcher(buildOf(documents));
        const isAsked = analyse(query).includes(word);
        const expected = [...plain.search(query).documents].filter((i) => isAsked || !isOffensive(documents[i]!));
        expect([...listed.search(query).documents].sort()).toEqual(expected.sort());
      }),
      { numRuns: 300 * inject('cases') },
    );
  });
});

test('given documents get the scores of the reference implementation', () => {
  fc.assert(
    fc.property(corpus, phrase(6), (documents, query) => {
      const searcher = new Searcher(buildOf(documents));
      const numbers = Uint32Array.from(documents.keys()).reverse();
      const scores = new Map(Array.from(searcher.score(query, numbers), (score, i) => [numbers[i]!, score]));
      const found = [...scores.keys()].filter((document) => scores.get(document)! > 0);
      found.sort((a, b) => scores.get(b)! - scores.get(a)! || a - b);
      const expected = [...new NaiveSearcher(documents).scores(query)].sort(([, one], [, other]) => other - one);
      expect(found).toEqual(expected.map(([document]) => document));
      const hits = searcher.search(query);
      expect(searcher.score(query, hits.documents)).toEqual(hits.scores);
    }),
    { numRuns: 300 * inject('cases') },
  );
});

test('a hundred thousand documents keep their impacts', () => {
  const words = ['cat', 'dog', 'bird', 'fish'];
  const documents = Array.from({ length: 100_000 }, (_, i) =>
    makeDocument({
      id: String(i).padStart(6, '0'),
      title: words.filter((_, k) => i % (k + 7) === 0).join(' '),
      tags: words.filter((_, k) => i % (2 * k + 5) === 0),
      text: 'so '.repeat(i % 11),
    }),
  );
  const searcher = new Searcher(buildOf(documents));
  const naive = new NaiveSearcher(documents);
  for (const query of ['cat', 'cat dog', 'fish bird cat', 'dog so fish bird cat']) {
    const { documents: hits, scores } = searcher.search(query);
    expect([...hits]).toEqual(naive.search(query, 200));
    expect(searcher.score(query, hits)).toEqual(scores);
  }
});

test('the searcher ranks like the reference implementation over several windows', () => {
  let state = 1;
  /** Whole numbers below `limit`, from a linear congruential generator (Numerical Recipes). */
  const draw = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  /** Low numbers are common, so lists of all lengths are combined. */
  const some = (most: number): string[] => Array.from({ length: draw(most + 1) }, () => `w${draw(draw(60) + 1)}`);
  // A window has 16,384 documents.
  const documents = Array.from({ length: 20_000 }, (_, i) =>
    makeDocument({
      id: String(i).padStart(5, '0'),
      title: some(8).join(' '),
      tags: some(12),
      text: some(6).join(' '),
      adult: i > 19_000,
    }),
  );
  const searcher = new Searcher(buildOf(documents));
  const naive = new NaiveSearcher(documents);
  const hidden = new Set(documents.keys().filter((i) => i % 5 === 0));
  const bits = bitsOf(hidden, documents.length);
  for (let i = 0; i < 40 * inject('cases'); i++) {
    const q = Array.from({ length: 1 + draw(i % 2 === 0 ? 5 : 12) }, () => `w${draw(60)}`).join(' ');
    const limit = 1 + draw(20);
    expect([...searcher.search(q, { limit }).documents]).toEqual(naive.search(q, limit));
    expect([...searcher.search(q, { hidden: bits }).documents]).toEqual(naive.search(q, 200, hidden));
  }
});

test('GIFs with a whole name come before GIFs with its words, and a quoted phrase before everything else', () => {
  const fillers = ['my old office', 'the dog in an office', 'the cat and the office', 'office of the cat'];
  const titles = [...fillers, 'the office', 'a scene of the office', 'jim in the office', 'cat dance'];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title }));
  const build = buildOf(documents);
  const found = (query: string) => {
    const hits = new Searcher(build).search(query);
    return Array.from(hits.documents, (document) => documents[document]!.title);
  };
  expect(found('the office').slice(0, 4).toSorted()).toEqual([
    'a scene of the office',
    'jim in the office',
    'the cat and the office',
    'the office',
  ]);
  // This document has more of the words, but not the phrase.
  expect(found('"the office" cat')[0]).toBe('the cat and the office');
});

test('a series of several words does not count twice if the title has its whole name', () => {
  const series = ['Pandora Hearts'];
  const titles = ['Pandora Hearts kick', 'Two Hearts kick', 'The Hearts kick'];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title, series: i === 1 ? [] : series }));
  const { documents: found, scores } = new Searcher(buildOf(documents)).search('hearts');
  expect(Array.from(found)).toEqual([2, 0, 1]);
  expect(scores[1]).toBe(scores[2]);
});

test('function words alone find nothing, unless the query has no other words', () => {
  const titles = ['tears of joy', 'the dip of the day', 'to be or not to be', 'the who', 'july fireworks'];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title }));
  const searcher = new Searcher(buildOf(documents));
  const found = (query: string) => Array.from(searcher.search(query).documents, (number) => titles[number]);
  expect(found('the godfather')).toEqual([]);
  expect(found('4th of july')).toEqual(['july fireworks']);
  expect(found('to be or not to be')[0]).toBe('to be or not to be');
  expect(found('the who')[0]).toBe('the who');
  expect(found('it')).toEqual([]);
});

test('a drawn-out word also finds the plain word, after the GIFs with a drawn-out form', () => {
  const titles = ['no shaking head', 'noooooo darth vader', 'cool sunglasses', 'col du tour', 'yes fist pump'];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title }));
  const searcher = new Searcher(buildOf(documents));
  const found = (query: string) => Array.from(searcher.search(query).documents, (number) => titles[number]);
  for (const query of ['nooo', 'Noooooooooo']) {
    expect(found(query)).toEqual(['noooooo darth vader', 'no shaking head']);
  }
  expect(found('yesssss')).toEqual(['yes fist pump']);
  expect(found('cooool')).toContain('cool sunglasses');
});

test('names are found in a catalogue without tags', () => {
  const searcher = new Searcher(buildOf([makeDocument({ id: '0', characters: ['konata izumi'] })]));
  for (const query of ['konata', 'konata izumi']) expect(searcher.search(query).documents).toHaveLength(1);
});

test('SQLite FTS5 finds the same documents', () => {
  const plain = fc.constantFrom('cat', 'dog', 'dance', 'happy', 'wave', 'jump');
  const query = fc.uniqueArray(plain, { minLength: 1, maxLength: 3 });
  const titles = fc.array(
    fc.array(plain, { maxLength: 5 }).map((parts) => parts.join(' ')),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(titles, fc.array(query, { maxLength: 10 }), (rows, queries) => {
      const db = new Database(':memory:');
      db.exec('CREATE VIRTUAL TABLE docs USING fts5(title)');
      const insert = db.prepare('INSERT INTO docs (rowid, title) VALUES (?, ?)');
      for (const [i, title] of rows.entries()) insert.run(i, title);
      const match = db.prepare('SELECT rowid FROM docs WHERE docs MATCH ? ORDER BY rowid').pluck();
      const id = (i: number): string => String(i).padStart(2, '0');
      const searcher = new Searcher(buildOf(rows.map((title, i) => makeDocument({ id: id(i), title }))));
      for (const terms of queries) {
        const { documents, scores } = searcher.search(terms.join(' '));
        expect([...documents].sort((a, b) => a - b)).toEqual(match.all(terms.join(' OR ')));
        const all = [...documents].filter((_, i) => Math.floor(scores[i]!) === terms.length);
        expect(all.sort((a, b) => a - b)).toEqual(match.all(terms.join(' AND ')));
      }
      db.close();
    }),
  );
});

test('scores descend, and their integer part is the number of matched words', () => {
  const searcher = new Searcher(
    buildOf([
      makeDocument({ id: 'a', title: 'happy happy happy' }),
      makeDocument({ id: 'b', title: 'happy cat', popularity: 1 }),
      makeDocument({ id: 'c', text: 'a cat', popularity: 2 }),
    ]),
  );
  const { documents, scores } = searcher.search('HAPPY cat cat');
  expect([...documents]).toEqual([1, 2, 0]);
  expect([...scores].map(Math.floor)).toEqual([2, 1, 1]);
  expect([...scores]).toEqual([...scores].sort((a, b) => b - a));
});

test('a hundred terms, all of them matched, do not overflow', () => {
  const letters = Array.from({ length: 50 }, (_, i) => String.fromCodePoint(0x4e00 + i));
  const title = letters.join(' ');
  const rest = Array.from({ length: 40 }, (_, i) => makeDocument({ id: `r${i}`, title: letters[i]! }));
  const searcher = new Searcher(buildOf([makeDocument({ id: 'a', title }), ...rest]));
  const { documents, scores } = searcher.search(title);
  expect(documents[0]).toBe(0);
  expect(scores[0]).toBeGreaterThan(scores[1]!);
  expect(scores[0]).toBeLessThan(1);
  const run = String.fromCodePoint(...Array.from({ length: 101 }, (_, i) => 0x4e00 + i));
  const long = new Searcher(buildOf([makeDocument({ id: 'a', title: run }), makeDocument({ id: 'b', title: run })]));
  const hits = long.search(run);
  expect([...hits.documents]).toEqual([0, 1]);
  expect(hits.scores[0]).toBe(hits.scores[1]);
  expect(hits.scores[0]).toBeLessThan(1);
});

test('no query has more than 200 hits', () => {
  const documents = Array.from({ length: 300 }, (_, i) => makeDocument({ id: `${i}`, title: 'cat', popularity: i }));
  const searcher = new Searcher(buildOf(documents));
  expect(searcher.search('cat').documents).toEqual(Uint32Array.from({ length: 200 }, (_, i) => i));
  expect(searcher.search('cat', { limit: 1000 }).documents).toHaveLength(200);
  expect(searcher.search('cat', { limit: 7 }).documents).toHaveLength(7);
});

test('hidden documents are replaced by the next ones', () => {
  const documents = Array.from({ length: 210 }, (_, i) =>
    makeDocument({ id: `${i}`, title: 'cat', popularity: 300 - i }),
  );
  const searcher = new Searcher(buildOf(documents));
  const { documents: hits } = searcher.search('cat', { hidden: bitsOf([0, 3, 209], 210) });
  expect(hits).toHaveLength(200);
  expect([...hits.slice(0, 3)]).toEqual([1, 2, 4]);
  expect(searcher.search('cat', { hidden: new Uint8Array() }).documents[0]).toBe(0);
});

test('an empty build finds nothing', () => {
  for (const documents of [[], [makeDocument({ id: 'x', title: 'cat', adult: true })], [makeDocument({ id: 'y' })]]) {
    const searcher = new Searcher(buildOf(documents));
    for (const query of ['cat', '', '?!', 'ca', '猫']) expect(searcher.search(query).documents).toHaveLength(0);
  }
});

test('one letter of a script without spaces finds the words it is in', () => {
  const searcher = new Searcher(
    buildOf([makeDocument({ id: 'a', title: '黒い子猫' }), makeDocument({ id: 'b', title: '猫' })]),
  );
  expect([...searcher.search('猫').documents].sort()).toEqual([0, 1]);
  expect([...searcher.search('い子').documents]).toEqual([0]);
});

test('a search does not affect the next one', () => {
  const searcher = new Searcher(
    buildOf([makeDocument({ id: 'a', title: 'cat' }), makeDocument({ id: 'b', title: 'dog' })]),
  );
  const first = searcher.search('cat dog');
  searcher.search('cat', { limit: 0 });
  expect(searcher.search('cat dog')).toEqual(first);
});
