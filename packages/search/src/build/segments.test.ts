import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { Searcher } from '../query/searcher.ts';
import { Suggester } from '../suggest/suggester.ts';
import { makeDocument } from '../testing/documents.ts';
import { type NaiveDelta, NaiveSearcher } from '../testing/naive.ts';
import { openVectors } from '../testing/segments.ts';
import { quantise } from '../vectors/quantise.ts';
import { Build } from './build.ts';
import { compareDocuments, type IndexDocument } from './document.ts';
import { Earlier, type EarlierSegment } from './earlier.ts';
import { openSegment } from './open.ts';
import { titleKey } from './title-key.ts';
import { SegmentWriter } from './writer.ts';

const DIMENSIONS = 128;
const SPACES = { meaning: { model: 'test', dimensions: DIMENSIONS } };

/** A catalogue whose changes become segments, as the service writes them. */
class Catalogue {
  readonly live = new Map<string, IndexDocument>();
  readonly segments: EarlierSegment[] = [];
  base: IndexDocument[] = [];
  deltas: NaiveDelta[] = [];
  #changed = new Set<string>();

  put(document: IndexDocument): void {
    this.live.set(document.id, document);
    this.#changed.add(document.id);
  }

  remove(id: string): void {
    if (this.live.delete(id)) this.#changed.add(id);
  }

  merge(): void {
    const writer = new SegmentWriter(SPACES);
    this.base = [...this.live.values()].sort(compareDocuments);
    for (const document of this.base) writer.add(document);
    this.segments.splice(0, Infinity, writer.finish());
    this.deltas = [];
    this.#changed.clear();
  }

  writeDelta(): void {
    if (this.base.length === 0) {
      this.merge();
      return;
    }
    const writer = new SegmentWriter(SPACES, new Earlier(this.segments as [EarlierSegment, ...EarlierSegment[]]));
    const ids = [...this.#changed];
    const documents = ids.flatMap((id) => this.live.get(id) ?? []).sort(compareDocuments);
    const removed = ids.filter((id) => !this.live.has(id));
    for (const document of documents) writer.add(document);
    for (const id of removed) writer.retire(id);
    this.segments.push(writer.finish());
    this.deltas.push({ documents, removed });
    this.#changed.clear();
  }

  open(): Build {
    return new Build(this.segments.map(({ manifest, sections }) => openSegment(manifest, sections)));
  }

  shown(): IndexDocument[] {
    return [...this.live.values()].filter(({ adult }) => !adult).sort(compareDocuments);
  }
}

const words = ['cat', 'cats', 'dog', 'dance', 'dancing', 'the', 'happy', '猫', 'blue sky'];
const phrase = (max: number) => fc.array(fc.constantFrom(...words), { maxLength: max }).map((all) => all.join(' '));
const axes = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 3, maxLength: 3 });
const change = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      put: fc.record({
        id: fc.nat(14).map((n) => `${n}.gif`),
        title: phrase(4),
        tags: fc.array(phrase(2), { maxLength: 2 }),
        characters: fc.array(phrase(1), { maxLength: 1 }),
        popularity: fc.nat(2),
        adult: fc.integer({ max: 4 }).map((n) => n === 0),
      }),
      axes,
    }),
  },
  { weight: 2, arbitrary: fc.nat(14).map((n) => ({ remove: `${n}.gif` })) },
  { weight: 3, arbitrary: fc.constant('delta' as const) },
  { weight: 1, arbitrary: fc.constant('merge' as const) },
);

/** Returns a vector made of three directions at right angles, in which no dimension is much larger than the others. */
function towards(parts: readonly number[]): Float32Array {
  const length = Math.hypot(...parts) * Math.sqrt(DIMENSIONS) || 1;
  return new Float32Array(DIMENSIONS).map(
    (_, d) => parts.reduce((sum, part, i) => sum + (d & (1 << i) ? -part : part), 0) / length,
  );
}

function apply(catalogue: Catalogue, one: typeof change extends fc.Arbitrary<infer Change> ? Change : never): void {
  if (one === 'merge') catalogue.merge();
  else if (one === 'delta') catalogue.writeDelta();
  else if ('remove' in one) catalogue.remove(one.remove);
  else catalogue.put(makeDocument({ ...one.put, vectors: { meaning: quantise(towards(one.axes)) } }));
}

describe('a build of several segments, after any sequence of changes', () => {
  const changes = fc.array(change, { maxLength: 60 });

  test('finds and ranks like the reference implementation', () => {
    fc.assert(
      fc.property(changes, fc.array(phrase(4), { maxLength: 4 }), fc.constantFrom(2, 200), (all, queries, limit) => {
        const catalogue = new Catalogue();
        for (const one of [...all, 'delta' as const]) apply(catalogue, one);
        const build = catalogue.open();
        const searcher = new Searcher(build);
        const naive = new NaiveSearcher(catalogue.base, catalogue.deltas);
        const hidden = build.numbering.retired;
        for (const query of queries) {
          const { documents, scores } = searcher.search(query, { limit, hidden });
          expect([...documents]).toEqual(naive.search(query, limit));
          const expected = naive.scores(query);
          expect([...scores]).toEqual(Array.from(documents, (document) => expected.get(document)));
          expect([...searcher.score(query, documents)]).toEqual([...scores]);
        }
      }),
      { numRuns: 300 * inject('cases') },
    );
  });

  test('has exactly the documents of the catalogue, in the right order', () => {
    fc.assert(
      fc.property(changes, (all) => {
        const catalogue = new Catalogue();
        for (const one of [...all, 'delta' as const]) apply(catalogue, one);
        const build = catalogue.open();
        const shown = catalogue.shown();
        const byRank = [...build.byRank()].filter((document) => !build.numbering.isRetired(document));
        expect(byRank.map((document) => build.id(document))).toEqual(shown.map(({ id }) => id));
        expect(build.shownDocuments).toBe(shown.length);
        for (let n = 0; n < 15; n++) {
          const document = build.find(`${n}.gif`);
          const known = catalogue.live.get(`${n}.gif`);
          expect(document >= 0).toBe(known !== undefined);
          if (known !== undefined)
            expect([build.id(document), build.isAdult(document)]).toEqual([known.id, known.adult]);
          if (known?.adult === false) expect(build.titleOf(document)).toBe(titleKey(known));
        }
        const ranks = byRank.map((document) => build.rank(document));
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
      { numRuns: 300 * inject('cases') },
    );
  });

  test('finds the nearest vectors, in whichever segment they are', () => {
    fc.assert(
      fc.property(changes, axes, fc.constantFrom(3, 200), (all, direction, limit) => {
        const catalogue = new Catalogue();
        for (const one of [...all, 'delta' as const]) apply(catalogue, one);
        const build = catalogue.open();
        const vectors = openVectors(build, catalogue.segments);
        if (vectors === undefined) return;
        const query = towards(direction);
        const { documents, scores } = vectors.search(query, { limit, hidden: build.numbering.retired });
        const merged = new Catalogue();
        for (const document of catalogue.live.values()) merged.put(document);
        merged.merge();
        const one = merged.open();
        if (one.shownDocuments === 0) return;
        const ids = (of: Build, some: Iterable<number>) => Array.from(some, (document) => of.id(document));
        const whole = openVectors(one, merged.segments);
        // None of the remaining GIFs has a vector.
        if (whole === undefined) {
          expect([...documents]).toEqual([]);
          return;
        }
        const expected = whole.search(query, { limit });
        expect(ids(build, documents)).toEqual(ids(one, expected.documents));
        expect([...scores]).toEqual([...expected.scores]);
        expect([...vectors.score(query, documents)]).toEqual([...scores]);
        expect(ids(build, vectors.distinct(documents, 0.9))).toEqual(ids(one, whole.distinct(expected.documents, 0.9)));
        for (const [i, document] of documents.entries()) {
          expect([...vectors.scoreLike(document, documents)]).toEqual([
            ...whole.scoreLike(expected.documents[i]!, expected.documents),
          ]);
        }
      }),
      { numRuns: 200 * inject('cases') },
    );
  });
});

test('a delta without its base is refused', () => {
  const catalogue = new Catalogue();
  catalogue.put(makeDocument({ id: 'a.gif' }));
  catalogue.merge();
  catalogue.put(makeDocument({ id: 'b.gif' }));
  catalogue.writeDelta();
  const [, delta] = catalogue.segments;
  expect(() => new Build([openSegment(delta!.manifest, delta!.sections)])).toThrow('follows 8 numbers, not 0');
  expect(() => new Earlier([new SegmentWriter().finish()])).toThrow('needs a base with documents');
  const damaged = new Map(catalogue.segments[0]!.sections).set('ids-order', Uint8Array.of(9, 0, 0, 0));
  expect(() => new Earlier([{ ...catalogue.segments[0]!, sections: damaged }])).toThrow('ids-order is damaged');
});

test('a GIF that is renamed keeps its former id, and is found once', () => {
  const catalogue = new Catalogue();
  catalogue.put(makeDocument({ id: 'old.gif', title: 'a cat' }));
  catalogue.put(makeDocument({ id: 'other.gif', title: 'a dog' }));
  catalogue.merge();
  catalogue.remove('old.gif');
  catalogue.put(makeDocument({ id: 'new.gif', aliases: ['old.gif'], title: 'a cat' }));
  catalogue.writeDelta();
  const build = catalogue.open();
  expect(build.id(build.find('old.gif'))).toBe('new.gif');
  const { documents } = new Searcher(build).search('cat', { hidden: build.numbering.retired });
  expect(Array.from(documents, (document) => build.id(document))).toEqual(['new.gif']);
});

describe('completion over several segments', () => {
  const catalogue = new Catalogue();
  const gif = (id: number, tags: string[], title = '') => makeDocument({ id: `${id}.gif`, tags, title });
  for (let id = 0; id < 10; id++) catalogue.put(gif(id, id < 6 ? ['cat'] : ['catfish'], 'sunflower'));
  catalogue.merge();
  for (let id = 10; id < 16; id++) catalogue.put(gif(id, ['catfish', 'catapult']));
  catalogue.put(gif(0, ['cat', 'catwalk']));
  catalogue.writeDelta();
  catalogue.put(gif(20, ['catnip', 'catfish'], 'sunflower'));
  catalogue.writeDelta();
  const suggester = new Suggester(catalogue.open().suggestions);
  const found = (query: string) => suggester.suggest(query, { limit: 20 }).map(({ term, n }) => `${term} ${n}`);

  test('adds up how many GIFs have a term, and finds new ones', () => {
    expect(found('cat')).toEqual(['catfish 11', 'cat 6', 'catapult 6', 'catnip 1']);
    expect(found('catni')[0]).toBe('catnip 1');
    expect(found('sun')).toEqual(['sunflower 11']);
  });

  test('finds the terms of a GIF that was adult before', () => {
    const changed = new Catalogue();
    changed.put(makeDocument({ id: '1.gif', tags: ['catkin'], adult: true }));
    changed.put(makeDocument({ id: '2.gif', tags: ['catnip'] }));
    changed.merge();
    changed.put(makeDocument({ id: '1.gif', tags: ['catkin'] }));
    changed.writeDelta();
    const terms = new Suggester(changed.open().suggestions).suggest('cat', { limit: 8 }).map(({ term }) => term);
    expect(terms.toSorted()).toEqual(['catkin', 'catnip']);
  });

  test('finds similar terms of every segment', () => {
    expect(found('catapul')).toEqual(['catapult 6']);
    expect(found('catapilt')).toEqual(['catapult 6']);
    expect(suggester.nearest('sunfolwer')).toBe('sunflower');
    expect(suggester.nearest('catpault')).toBe('catapult');
    expect(suggester.isName('catnip')).toBe(true);
    expect(suggester.isName('sunflower')).toBe(false);
  });

  test('omits terms that only hidden GIFs have', () => {
    const without = new Map([
      ['catnip', 1],
      ['catfish', 10],
    ]);
    const terms = suggester.suggest('cat', { limit: 20, without }).map(({ term }) => term);
    expect(terms).toEqual(['catfish', 'cat', 'catapult']);
  });
});
