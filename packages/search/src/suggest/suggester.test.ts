import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { normaliseQuery } from '../analysis/normalise.ts';
import { OffensiveWords } from '../analysis/offensive.ts';
import { buildOf, makeDocument, writeDocuments } from '../testing/documents.ts';
import { NaiveSuggester } from '../testing/naive-suggest.ts';
import { countTerms, Suggester } from './suggester.ts';

/** `count` documents with the same words. */
function some(count: number, name: string, parts: Parameters<typeof makeDocument>[0] | object) {
  return Array.from({ length: count }, (_, i) => makeDocument({ ...parts, id: `${name}-${i}` }));
}

const documents = [
  ...some(2, 'a', { tags: ['Cat', 'cat toy'], title: 'Stand in the rain' }),
  ...some(3, 'b', { tags: ['cat', 'cat'], title: 'dance in rain', characters: ['Snoopy'], series: ['Peanuts'] }),
  ...some(7, 'c', { title: 'Deal with it!', text: "can't stop believing" }),
  ...some(1, 'd', { tags: ['battlefield_4', 'Pokémon'] }),
  ...some(2, 'e', { tags: ['battlefield_4', 'Pokémon'] }),
  ...some(2, 'f', { tags: ['battlefield 4', 'pokemon'] }),
  ...some(9, 'g', { tags: ['catsecret'], characters: ['Snoopy'], title: 'cataclysm', adult: true }),
];
const suggester = new Suggester(buildOf(documents).suggestions);
const terms = (query: string, limit = 8): string[] => suggester.suggest(query, { limit }).map(({ term }) => term);

describe('terms', () => {
  test('are counted once per safe document, under their most frequent kind', () => {
    expect(suggester.suggest('cat', { limit: 20 })).toEqual([
      { term: 'cat', kind: 'tag', n: 5, fuzzy: false },
      { term: 'cat toy', kind: 'tag', n: 2, fuzzy: false },
    ]);
    expect(suggester.suggest('sn', { limit: 8 })).toEqual([{ term: 'Snoopy', kind: 'character', n: 3, fuzzy: false }]);
    expect(suggester.suggest('pea', { limit: 8 })).toEqual([{ term: 'Peanuts', kind: 'tag', n: 3, fuzzy: false }]);
    expect(suggester.suggest('rain', { limit: 8 })).toEqual([{ term: 'rain', kind: 'title', n: 5, fuzzy: false }]);
    expect(suggester.suggest('stop', { limit: 1 })).toEqual([{ term: 'stop', kind: 'text', n: 7, fuzzy: false }]);
  });

  test('are phrases that people say, not pieces of sentences', () => {
    expect(terms('deal')).toEqual(['deal', 'deal with it']);
    expect(terms('it')).toEqual([]);
    expect(terms('stop')).toEqual(['stop', 'stop believing']);
    expect(terms('can')).toEqual(["can't stop believing"]);
    expect(terms('with')).toEqual(['with']);
  });

  test('are displayed in their most frequent spelling, but continue what was typed', () => {
    expect(terms('pok')).toEqual(['Pokémon', 'pokemon']);
    expect(terms('poke')).toEqual(['pokemon']);
    expect(suggester.suggest('poke', { limit: 8 })[0]?.n).toBe(3);
    expect(terms('cant s')[0]).toBe('cant stop believing');
    expect(terms("can't s")[0]).toBe("can't stop believing");
  });

  test('stay separate names if they differ in more than case', () => {
    expect(suggester.suggest('battle', { limit: 8 }).map(({ term, n }) => [term, n])).toEqual([
      ['battlefield_4', 3],
      ['battlefield 4', 2],
    ]);
    expect(terms('battlefield_4')[0]).toBe('battlefield_4');
  });

  test('that only adult documents have are never suggested', () => {
    for (const query of ['catsecret', 'catsecert', 'cata', 'cataclism', 'catac'])
      expect(terms(query, 20).filter((term) => /secret|cataclysm/.test(term))).toEqual([]);
  });
});

describe('names', () => {
  test('the first group with results is used', () => {
    const options = { limit: 8, names: [['nothing'], ['snoopy', 'cat'], ['deal']] };
    const found = suggester.suggest('🐶', options);
    expect(found.map(({ term }) => term)).toEqual(['cat', 'Snoopy', 'cat toy']);
    expect(suggester.suggest('🐶🐶🐶🐶', { limit: 8, names: [['nothing']] })).toEqual([]);
  });
});

test('empty and blank queries have no terms', () => {
  for (const query of ['', '_', "'", '\u200d']) expect(terms(query)).toEqual([]);
  expect(new Suggester(buildOf([]).suggestions).suggest('anything', { limit: 20 })).toEqual([]);
});

test('documents of equal popularity give the same bytes in any order', () => {
  const { sections } = writeDocuments(documents);
  const other = writeDocuments(documents.toReversed()).sections;
  for (const [name, bytes] of sections) if (name.startsWith('suggest-')) expect(other.get(name), name).toEqual(bytes);
});

const letters = fc.string({ unit: fc.constantFrom(..."abAé_ '"), maxLength: 9 });
const scripts = fc.string({ unit: fc.constantFrom(...'猫犬がкотสวัสดีابת👍🏽'), maxLength: 6 });
const tag = fc.oneof({ weight: 4, arbitrary: letters }, scripts, fc.string({ unit: 'grapheme', maxLength: 8 }));

test('the reference implementation finds the same terms', () => {
  const tags = fc.array(fc.uniqueArray(tag.map(normaliseQuery), { maxLength: 6 }), { maxLength: 40 });
  const input = fc.record({ tags, queries: fc.array(tag.map(normaliseQuery), { maxLength: 12 }) });
  fc.assert(
    fc.property(input, fc.integer({ min: 1, max: 20 }), ({ tags, queries }, limit) => {
      const documents = tags.map((tags, i) => makeDocument({ id: `${i}`, tags, adult: i % 7 === 6 }));
      const suggester = new Suggester(buildOf(documents).suggestions);
      const naive = new NaiveSuggester(documents);
      const beginnings = tags.flat().map((tag) => tag.slice(0, 3));
      for (const query of [...queries, ...beginnings, ...tags.flat()])
        expect(suggester.suggest(query, { limit }), query).toEqual(naive.suggest(query, limit));
    }),
    { numRuns: 150 * inject('cases') },
  );
});

test('other forms of a word and function words are left out, but not names', () => {
  const found = (documents: ReturnType<typeof some>) => {
    const suggester = new Suggester(buildOf(documents).suggestions);
    return (query: string) => suggester.suggest(query, { limit: 8 }).map(({ term }) => term);
  };
  const titles = [...some(3, 'a', { title: 'it happens' }), ...some(2, 'b', { title: 'happened' })];
  const words = found([...titles, ...some(1, 'c', { title: 'happening this happy thistle' })]);
  expect(words('happ')).toEqual(['happens', 'happy']);
  expect(words('happene')[0]).toBe('happened');
  expect(words('th')).toEqual(['thistle']);
  expect(words('this')).toEqual(['thistle']);
  const tagged = found([...titles, ...some(1, 'd', { tags: ['happened', 'this'], title: 'thistle' })]);
  expect(tagged('happ')).toEqual(['happens', 'happened']);
  expect(tagged('th')).toEqual(['this', 'thistle']);
});

test('a clause between punctuation marks is completed, even if it begins or ends with a function word', () => {
  const title = 'I love you, and not in the rain! Oh no... it is';
  const suggester = new Suggester(buildOf(some(5, 'a', { title })).suggestions);
  const terms = (query: string) => suggester.suggest(query, { limit: 8 }).map(({ term }) => term);
  expect(terms('i ')).toEqual(['i love you', 'it is']);
  expect(terms('oh')).toEqual(['oh', 'oh no']);
  expect(terms('not')).toEqual([]);
});

test('no guess is mixed with the completions of a short or common beginning, or made after a blank', () => {
  const documents = [
    ...some(1, 'a', { tags: ['bored', 'ore', 'good'] }),
    ...some(10, 'b', { tags: ['birth', 'with'] }),
  ];
  const suggester = new Suggester(buildOf([...documents, makeDocument({ id: 'c', tags: ['berth'] })]).suggestions);
  const terms = (query: string) => suggester.suggest(query, { limit: 8 }).map(({ term }) => term);
  expect(terms('bore')).toEqual(['bored']);
  expect(terms('birth')).toEqual(['birth']);
  expect(terms('berth')).toEqual(['berth', 'birth']);
  expect(terms('goot ')).toEqual([]);
  expect(terms('goot')).toContain('good');
});

test('a misspelt word is found', () => {
  const words = 'elephant accident tomorrow definitely because happy this'.split(' ');
  const suggester = new Suggester(buildOf([makeDocument({ id: 'a', tags: words })]).suggestions);
  for (const [typed, wanted] of Object.entries({
    ...{ elefant: 'elephant', lephant: 'elephant', eelephant: 'elephant', acident: 'accident', accidnet: 'accident' },
    ...{ tommorow: 'tomorrow', definately: 'definitely', becuase: 'because', hapyp: 'happy', gappy: 'happy' },
    ...{ tihs: 'this', htis: 'this', thsi: 'this', thhis: 'this' },
  })) {
    expect(suggester.suggest(typed, { limit: 1 })[0], typed).toMatchObject({ term: wanted, fuzzy: true });
  }
  expect(suggester.suggest('tis', { limit: 8 })).toEqual([]);
});

test.each([
  ['tost', ['test', 'cost'], 'test', 'the same first letter'],
  ['tost', ['test', 'toast', 'toast'], 'toast', 'more GIFs'],
  ['dnaec', ['dance'], 'dance', 'the same letters'],
])('the word nearest to %s among %j is %s, because it has %s', (word, tags, nearest) => {
  const documents = tags.map((tag, i) => makeDocument({ id: `${i}`, tags: [tag] }));
  expect(new Suggester(buildOf(documents).suggestions).nearest(word)).toBe(nearest);
});

test('a word with two wrong letters is only guessed if its first letter is right', () => {
  const documents = ['knights', 'tomorrow'].map((tag, i) => makeDocument({ id: `${i}`, tags: [tag] }));
  const { suggestions } = buildOf(documents);
  const suggester = new Suggester(suggestions);
  expect(suggester.nearest('arknights')).toBeUndefined();
  expect(suggester.nearest('knightsse')).toBe('knights');
  expect(suggester.nearest('romorrow')).toBe('tomorrow');
});

test('offensive words are neither completed nor guessed', () => {
  const tags = ['nice', 'nude', 'nude beach', 'party nude', 'nudge'];
  const documents = tags.map((tag, i) => makeDocument({ id: `${i}`, tags: [tag] }));
  const build = (words: string[]) => new Suggester(buildOf(documents, new OffensiveWords(words)).suggestions);
  const found = (query: string, words: string[]) =>
    build(words)
      .suggest(query, { limit: 8 })
      .map(({ term }) => term);
  expect(found('nu', [])).toEqual(['nude', 'nude beach', 'nudge']);
  expect(found('nu', ['nude'])).toEqual(['nudge']);
  expect(found('nuude', ['nude'])).toEqual(['nudge']);
  expect(found('party', ['nude'])).toEqual([]);
});

test('words are not suggested if only searches for an offensive word find their titles', () => {
  const titles = [
    'nude sunbathing',
    'nude sunbathing again',
    'sunbathing nude',
    'a sunflower',
    'sunflowers',
    'sunflower',
  ];
  const documents = titles.map((title, i) => makeDocument({ id: `${i}`, title }));
  const found = (words: string[]) =>
    new Suggester(buildOf(documents, new OffensiveWords(words)).suggestions)
      .suggest('sun', { limit: 8 })
      .map(({ term }) => term);
  expect(found([])).toContain('sunbathing');
  expect(found(['nude'])).toEqual(['sunflower']);
});

test('terms that only hidden documents have are no longer suggested', () => {
  const taken = documents.filter(({ id }) => /^[ad]-/.test(id));
  const left = (query: string) => suggester.suggest(query, { limit: 8, without: countTerms(taken) });
  expect(left('cat').map(({ term }) => term)).toEqual(['cat']);
  expect(left('stand')).toEqual([]);
  expect(left('battle').map(({ term }) => term)).toContain('battlefield_4');
  expect(terms('stand')).toEqual(['stand', 'stand in the rain']);
});
