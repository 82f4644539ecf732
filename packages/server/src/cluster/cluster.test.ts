import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SearchMode } from '@zoetrope/contract';
import { OffensiveWords, quantise, TypedReader } from '@zoetrope/search';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '../base/errors.ts';
import { type BuildPolicy, makeBuildInMemory, type VectorSource } from '../builds/index.ts';
import { recordGifs, renameGif } from '../catalog/index.ts';
import { loadConfig } from '../config.ts';
import { findGifs } from '../http/results.ts';
import { Languages, loadLanguages, openBuildSearch, type Ranked, type Search } from '../index/index.ts';
import { ClusterClient, ClusterRefusal } from '../platform/opensearch/index.ts';
import { findOpenSearch } from '../platform/opensearch/testing/cluster.ts';
import { sharedServer } from '../platform/testing/shared-server.ts';
import { SHORT_RUN } from '../platform/testing/short-run.ts';
import { type GifRecord, setHidden } from '../records/index.ts';
import { openStore, type Store } from '../service/store.ts';
import { type Examined, examineBuild } from '../upkeep/doctor/service.ts';
import { writeChanges } from './bulk.ts';
import { checkIndex } from './check.ts';
import { type ClusterReader, openClusterSearch } from './engine.ts';
import { isIndexThere, writesOf } from './layout.ts';
import { CLUSTER_FORMAT, loadState, readState, writeState } from './state.ts';
import { type IndexOptions, isIndexDue, isIndexMissing, rebuildIndex, syncIndex } from './writer.ts';

const java = process.env[SHORT_RUN] === '1' ? undefined : findOpenSearch();
const LAYOUT = { prefix: 'test', shards: 3, replicas: 1 };
const POLICY: BuildPolicy = {
  ...{ heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } },
  words: new OffensiveWords(['sad']),
};
const TYPING = { completion: true, correction: true };
const DIMENSIONS = 128;
const WORDS =
  'happy sad cat cats dog dance dancing birthday party office coffee good morning night love you the a of 猫 犬 😂 🎉'.split(
    ' ',
  );

/** Returns a number below `below` that depends only on the seed (xorshift). */
function pick(seed: number, below: number): number {
  let x = (seed + 1) * 2_654_435_761;
  for (const shift of [13, -17, 5]) x ^= shift > 0 ? x << shift : x >>> -shift;
  return (x >>> 0) % below;
}

/** Returns a unit vector near one of 20 directions. */
function direction(seed: number): Float32Array {
  const values = Array.from(
    { length: DIMENSIONS },
    (_, d) => pick((seed % 20) * 997 + d, 1000) + pick(seed * 31 + d, 400) - 700,
  );
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

function gif(n: number): GifRecord {
  const id = `${n}.gif`;
  const some = (count: number, salt: number) =>
    Array.from({ length: count }, (_, i) => WORDS[pick(n * 7 + i + salt, WORDS.length)]!);
  const words = {
    title: some(1 + (n % 4), 0).join(' '),
    tags: some(n % 3, 1_000),
    characters: n % 5 === 0 ? ['Zoe the Cat'] : [],
    series: n % 7 === 0 ? ['The Office'] : [],
    ...{ text: some(n % 2, 2_000).join(' '), alt: '', lang: '' },
  };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: n % 13 === 0, popularity: n % 4, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

function sourceOf(salt: number): VectorSource {
  const vectorsOf = async (_: unknown, gifs: readonly GifRecord[]) =>
    gifs.map(({ id }) => {
      const n = Number.parseInt(id, 10);
      return n % 9 === 0 ? undefined : quantise(direction(n + salt));
    });
  return { model: 'm', dimensions: DIMENSIONS, vectorsOf };
}

const QUERIES = [
  ...WORDS,
  ...['happy cat', 'cat happy dance', 'good morning coffee', 'the office', '"good morning"', 'hapy', 'birtday party'],
  ...[
    'danc',
    'happy d',
    'happy danc',
    'cat birth',
    'zoe',
    'zebra',
    'zebra cat',
    'goodmorning',
    'happy birthday to you my dear friend of the office',
  ],
];

describe.skipIf(java === undefined)('the index in a search cluster', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-cluster-'));
  const languages = new Languages(loadLanguages());
  let store: Store;
  let client: ClusterClient;
  let options: IndexOptions;

  beforeAll(async () => {
    store = await openStore(folder);
    client = new ClusterClient({ urls: (await sharedServer('opensearch')).split(',') });
    await recordGifs(
      store.db,
      Array.from({ length: 900 }, (_, n) => gif(n)),
    );
    const sources = async () => ({ meaning: sourceOf(0), looks: sourceOf(5) });
    options = { db: store.db, client, layout: LAYOUT, sources, policy: POLICY };
    await rebuildIndex(options);
  });

  afterAll(async () => {
    await client?.close();
    await store?.close();
    fs.rmSync(folder, { recursive: true });
  });

  const published = async () => (await readState({ client, layout: LAYOUT }))!;

  async function openCluster(hidden: readonly string[] = [], through = client, deadlineMs = 60_000): Promise<Search> {
    const state = await published();
    const reader: ClusterReader = {
      client: through,
      languages,
      embedder: 'm',
      typing: TYPING,
      hidden: () => hidden,
      deadlineMs,
    };
    return openClusterSearch(await loadState({ client, layout: LAYOUT }, state), reader);
  }

  async function openLive(): Promise<Search> {
    const shared = await makeBuildInMemory(options, 1);
    return openBuildSearch(shared, { thread: 0, languages, embedder: 'm', typing: TYPING });
  }

  const idsOf = async (ranked: Ranked | undefined) => (await ranked!.gifs(0, 1_000)).map(({ id }) => id);
  const searchWords = async (engine: Search, query: string) =>
    idsOf(await (await engine.begin(query, 200)).endWithWords());

  it('finds the same GIFs by words, in the same order, as the index in memory', async () => {
    const [remote, live] = [await openCluster(), await openLive()];
    expect(remote.documents).toBe(live.documents);
    // The mean lengths of fields differ a little, because only the index in memory counts adult GIFs. With other GIFs
    // than these, an impact halfway between two integers could be rounded differently.
    for (const query of QUERIES) {
      expect(await remote.correct(query), query).toBe(await live.correct(query));
      expect(await searchWords(remote, query), query).toEqual(await searchWords(live, query));
      expect(await remote.suggest(query, 10, new Map()), query).toEqual(await live.suggest(query, 10, new Map()));
    }
  });

  it('finds GIFs with offensive words only for queries that ask for them, and completes no such word', async () => {
    const remote = await openCluster();
    const isOffensive = (id: string) => {
      const { title, tags, text } = gif(Number.parseInt(id, 10));
      return [title, ...tags, text].join(' ').includes('sad');
    };
    expect((await searchWords(remote, 'dog')).some(isOffensive)).toBe(false);
    expect((await searchWords(remote, 'dog sad')).some(isOffensive)).toBe(true);
    expect((await idsOf(await remote.searchMeaning(direction(3), 200))).filter(isOffensive)).toEqual([]);
    for (const index of [remote, await openLive()]) {
      expect((await idsOf(await index.popular(200))).filter(isOffensive)).toEqual([]);
      for (const id of ['1.gif', '2.gif', '9.gif']) {
        expect((await idsOf(await index.similar(id, 50))).filter(isOffensive)).toEqual([]);
      }
    }
    expect((await remote.suggest('sa', 10, new Map())).map(({ term }) => term)).not.toContain('sad');
  });

  it('finds nearly the same GIFs by meaning and by both legs', async () => {
    const [remote, live] = [await openCluster(), await openLive()];
    expect(remote.hasMeaning).toBe(true);
    const both = async (index: Search, query: string, vector: Float32Array) =>
      (await index.begin(query, 200)).endWithMeaning(vector);
    const shares: number[] = [];
    for (const [i, query] of QUERIES.entries()) {
      const vector = direction(i * 3);
      const lists = [
        [await both(remote, query, vector), await both(live, query, vector)],
        [await remote.searchMeaning(vector, 200), await live.searchMeaning(vector, 200)],
      ];
      for (const [found, expected] of lists) {
        const ids = (await idsOf(expected)).slice(0, 24);
        const first = new Set((await idsOf(found)).slice(0, 24));
        shares.push(ids.filter((id) => first.has(id)).length / ids.length);
      }
    }
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    expect(mean).toBeGreaterThan(0.97);
    const begun = await remote.begin('happy cat', 200);
    expect(await idsOf(await begun.endWithMeaning(null))).toEqual(await idsOf(await begun.endWithWords()));
  });

  it('finds the same similar and popular GIFs, and returns the same facts', async () => {
    const [remote, live] = [await openCluster(), await openLive()];
    expect(await (await remote.popular(50)).gifs(0, 50)).toEqual(await (await live.popular(50)).gifs(0, 50));
    for (const id of ['1.gif', '2.gif', '9.gif']) {
      expect(await idsOf(await remote.similar(id, 12))).toEqual(await idsOf(await live.similar(id, 12)));
      expect(await remote.find(id)).toEqual(await live.find(id));
    }
    // `11.gif` is an adult GIF.
    for (const [index, id] of [remote, live].flatMap((each) =>
      ['13.gif', 'unknown.gif'].map((id) => [each, id] as const),
    )) {
      expect(await index.find(id)).toBeUndefined();
      expect(await index.similar(id, 12)).toBeUndefined();
    }
  });

  it('explains words as the index in memory does, and meaning with nearly the same scores', async () => {
    const [remote, live] = [await openCluster(), await openLive()];
    for (const query of ['happy cat', 'danc', '猫 love', 'zebra']) {
      const ids = (await searchWords(live, query)).slice(0, 12);
      const vector = direction(3);
      const found = await remote.explain(query, vector, ids);
      const expected = await live.explain(query, vector, ids);
      for (const [i, { id, words, meaning }] of expected.entries()) {
        const { score, terms, ...rest } = words;
        expect(found[i], query).toMatchObject({ id, words: rest });
        expect(found[i]!.words.terms.toSorted()).toEqual(terms.toSorted());
        expect(found[i]!.words.score).toBeCloseTo(score, 5);
        expect(found[i]!.meaning!.score).toBeCloseTo(meaning!.score, 2);
      }
      expect((await remote.explain(query, undefined, ids)).every(({ meaning }) => meaning === null)).toBe(true);
    }
  });

  it('takes the same steps as the index in memory: a changed step changes the results of both', async () => {
    const [remote, live] = [await openCluster(), await openLive()];
    const coffee = await searchWords(live, 'coffee');
    const read = vi.spyOn(TypedReader.prototype, 'read').mockReturnValue({ further: ['coffee'], isFinished: false });
    onTestFinished(() => read.mockRestore());
    for (const index of [remote, live]) {
      expect((await searchWords(index, 'party')).slice(0, coffee.length)).toEqual(coffee);
    }
  });

  it('does not find hidden GIFs, before and after they are removed from the cluster', async () => {
    const secret = { ...gif(4_001), title: 'jane doe', tags: ['jane doe'], adult: false, popularity: 9 };
    const near = '1.gif';
    await recordGifs(store.db, [secret]);
    const { gifs } = await syncIndex(options);
    const see = async (index: Search) => ({
      found: await searchWords(index, 'jane doe'),
      known: (await index.find(secret.id))?.id,
      completed: (await index.suggest('jane', 5, new Map())).map(({ term }) => term),
      corrected: await index.correct('janne doe'),
      elsewhere: [
        await idsOf(await index.searchMeaning(direction(4_001), 200)),
        await idsOf(await index.similar(near, 150)),
        await idsOf(await index.popular(1_000)),
      ].map((ids) => ids.includes(secret.id)),
    });
    const shown = {
      found: [secret.id],
      known: secret.id,
      completed: ['jane', 'jane doe'],
      corrected: 'jane doe',
      elsewhere: [true, true, true],
    };
    expect(await see(await openCluster())).toEqual(shown);
    const nothing = {
      found: [],
      known: undefined,
      completed: [],
      corrected: undefined,
      elsewhere: [false, false, false],
    };
    expect(await see(await openCluster([secret.id]))).toEqual(nothing);
    await setHidden(store.db, secret.id, true);
    expect((await syncIndex(options)).gifs).toBe(gifs - 1);
    expect(await see(await openCluster())).toEqual(nothing);
  });

  it('does not find a GIF that is hidden by its former id', async () => {
    const [former, now] = ['4002.gif', '4003.gif'];
    await recordGifs(store.db, [{ ...gif(4_002), title: 'john roe', adult: false, popularity: 9 }]);
    await renameGif(store.db, former, now);
    await syncIndex(options);
    const see = async (index: Search) => ({
      found: await searchWords(index, 'john roe'),
      known: [(await index.find(former))?.id, (await index.find(now))?.id],
      popular: (await idsOf(await index.popular(1_000))).includes(now),
    });
    expect(await see(await openCluster())).toEqual({ found: [now], known: [now, now], popular: true });
    const nothing = { found: [], known: [undefined, undefined], popular: false };
    expect(await see(await openCluster([former]))).toEqual(nothing);
  });

  it('follows the catalogue, and counts the words of new GIFs', async () => {
    const [before, stateBefore] = [await openCluster(), await published()];
    expect(await before.suggest('axol', 5, new Map())).toEqual([]);
    const axolotl = { ...gif(2_001), title: 'happy axolotl', tags: ['axolotl'], adult: false };
    await recordGifs(store.db, [axolotl, { ...gif(2), title: 'a changed title', toldBy: 'm#2.gif' }]);
    const state = await syncIndex(options);
    expect(state).toMatchObject({ index: stateBefore.index, gifs: stateBefore.gifs + 1 });
    expect(await readState({ client, layout: LAYOUT })).toEqual(state);
    const after = await openCluster();
    const search = (query: string) => searchWords(after, query);
    expect(await search('axolotl')).toEqual(['2001.gif']);
    expect(await search('changed title')).toEqual(['2.gif']);
    expect(await after.suggest('axol', 5, new Map())).toMatchObject([{ term: 'axolotl', n: 1 }]);
    expect(await syncIndex(options)).toEqual(state);
    const live = await openLive();
    for (const query of ['happy cat', 'the office', 'good morning coffee']) {
      const expected = await searchWords(live, query);
      // The order can differ, because the vocabulary still counts replaced and removed GIFs.
      expect((await search(query)).toSorted(), query).toEqual(expected.toSorted());
    }
    for (let n = 0; n < 8; n++) {
      await recordGifs(store.db, [{ ...gif(3_000 + n), title: `numbat ${n}`, adult: false }]);
      await syncIndex(options);
    }
    const merged = await openCluster();
    expect((await published()).vocabulary.length).toBeLessThan(7);
    expect(await merged.suggest('numb', 5, new Map())).toMatchObject([{ term: 'numbat', n: 8 }]);
  });

  it('is rebuilt for another model, and keeps the old index if that fails', async () => {
    const [before, stateBefore] = [await openCluster(), await published()];
    const other = async () => ({ meaning: { ...sourceOf(0), model: 'other' } });
    const end = new AbortController();
    const failing = rebuildIndex({ ...options, sources: other, signal: end.signal, onProgress: () => end.abort() });
    await expect(failing).rejects.toThrow('aborted');
    expect(await readState({ client, layout: LAYOUT })).toEqual(stateBefore);
    const state = await syncIndex({ ...options, sources: other });
    expect(state.index).not.toBe(stateBefore.index);
    expect(state.meaning).toMatchObject({ model: 'other' });
    const [old, now] = [await searchWords(before, 'happy cat'), await searchWords(await openCluster(), 'happy cat')];
    expect(old).toHaveLength(now.length);
    const indexes = await client.request<Record<string, unknown>>({
      ...{ method: 'GET', path: '/test-gifs-*?filter_path=*.settings.index.uuid', deadlineMs: 60_000 },
    });
    expect(Object.keys(indexes!).sort()).toEqual([stateBefore.index, state.index].sort());
  });

  it('names its format, and is made again by a service with another format', async () => {
    const earlier = await published();
    const mapping = { method: 'GET', path: `/${earlier.index}/_mapping`, deadlineMs: 60_000 } as const;
    expect(await client.request(mapping)).toMatchObject({
      [earlier.index]: { mappings: { _meta: { format: CLUSTER_FORMAT } } },
    });
    await writeState(client, LAYOUT, { ...earlier, format: 'that of another version' });
    expect(await readState({ client, layout: LAYOUT })).toBeUndefined();
    expect(await isIndexDue(options)).toBe(true);
    const state = await syncIndex(options);
    expect(state.index).not.toBe(earlier.index);
    expect((await openCluster()).documents).toBe(state.gifs);
    // Services of the other version still search in the index of that version.
    expect(await isIndexThere(client, earlier.index)).toBe(true);
  });

  it('is rebuilt after somebody deletes it or damages its vocabulary', async () => {
    const first = await syncIndex(options);
    const opened = await openCluster();
    expect([await isIndexDue(options), await isIndexMissing(options)]).toEqual([false, false]);
    await client.request({ method: 'DELETE', path: `/${first.index}`, deadlineMs: 60_000 });
    expect([await isIndexDue(options), await isIndexMissing(options)]).toEqual([true, true]);
    const missing = { code: 'upstream_unavailable', message: 'the index in the search cluster is missing' };
    await expect(opened.begin('happy cat', 10)).rejects.toMatchObject(missing);
    await expect(opened.find('1.gif')).rejects.toMatchObject(missing);
    await expect(opened.popular(10)).rejects.toMatchObject(missing);
    const settings = {
      ZOETROPE_SEARCH: 'opensearch',
      ZOETROPE_OPENSEARCH_URL: await sharedServer('opensearch'),
      ZOETROPE_OPENSEARCH_OPTIONS: `prefix=${LAYOUT.prefix}`,
    };
    const examined = { config: loadConfig(settings, folder), db: store.db } as Examined;
    expect(await examineBuild(examined)).toMatchObject({
      check: 'search cluster',
      message: expect.stringMatching(new RegExp(`^the index ${first.index} is missing: .*zoetrope index rebuild`)),
    });
    const second = await syncIndex(options);
    expect(second.index).not.toBe(first.index);
    await recordGifs(store.db, [{ ...gif(5_001), title: 'a delta', adult: false }]);
    const { name } = (await syncIndex(options)).vocabulary[1]!;
    const path = `/test-state/_doc/${encodeURIComponent(`${name} frequencies 0`)}`;
    await client.request({ method: 'PUT', path, body: { piece: 'AAAA' }, deadlineMs: 60_000 });
    const third = await syncIndex(options);
    expect(third.index).not.toBe(second.index);
    const remote = await openCluster();
    expect(await searchWords(remote, 'happy cat')).not.toEqual([]);
  });

  it('is not made by a write after somebody has deleted it', async () => {
    const { index } = await rebuildIndex(options);
    await client.request({ method: 'DELETE', path: `/${index}`, deadlineMs: 60_000 });
    const added = { id: '7.gif', aliases: [], popularity: 1, titled: 0, terms: {}, stored: 'AAAA' };
    for (const change of [added, '7.gif']) {
      await expect(writeChanges(client, index, [change], 1)).rejects.toThrow(ClusterRefusal);
    }
    for (const name of [index, writesOf(index)]) expect(await isIndexThere(client, name)).toBe(false);
    await rebuildIndex(options);
  });

  it('gets its alias if an earlier version has made it', async () => {
    const { index } = await published();
    await client.request({ method: 'DELETE', path: `/${index}/_alias/*`, deadlineMs: 60_000 });
    await recordGifs(store.db, [{ ...gif(6_001), title: 'a pangolin', adult: false }]);
    expect((await syncIndex(options)).index).toBe(index);
    expect(await searchWords(await openCluster(), 'pangolin')).toEqual(['6001.gif']);
    await rebuildIndex(options);
  });

  it('ignores an earlier change that arrives late', async () => {
    const { index, revision } = (await readState({ client, layout: LAYOUT }))!;
    const changed = { id: '5.gif', aliases: [], popularity: 1, titled: 0, terms: { late: 9 }, stored: 'AAAA' };
    const before = await (await openCluster()).find('5.gif');
    const late = await writeChanges(client, index, [changed, '7.gif'], revision - 1);
    expect(late).toEqual(new Set());
    await refreshed(index);
    expect(await (await openCluster()).find('5.gif')).toEqual(before);
    expect(await (await openCluster()).find('7.gif')).toBeDefined();
  });

  it('returns the same results as without failures, or only text matches, or reports that it is unavailable', async () => {
    class Unreliable extends ClusterClient {
      /** Whether each of the next requests fails. */
      failures: boolean[] = [];

      override async request<Answer>(asked: Parameters<ClusterClient['request']>[0]): Promise<Answer | null> {
        if (this.failures.shift()) throw new ServiceError('upstream_unavailable', 'planted');
        return super.request(asked);
      }
    }
    const unreliable = new Unreliable({ urls: (await sharedServer('opensearch')).split(',') });
    onTestFinished(() => unreliable.close());
    const [healthy, failing] = [await openCluster(), await openCluster([], unreliable)];
    const queries = [...QUERIES.slice(-14), 'goodmornings', 'catgifs', 'qqqqqqq', 'qqqqqqq wwwwwww'];
    const search = async (engine: Search, q: string, mode: SearchMode) => {
      const embed = async () => direction(queries.indexOf(q) * 3);
      const found = await findGifs({ q, mode, rank: 'registered' }, engine.forRequest(), { embed });
      const { corrected, semantic, isDegraded, ranked } = found;
      return { corrected, semantic, isDegraded, count: ranked.count, ids: await idsOf(ranked) };
    };
    const asks = {
      suggest: (engine: Search, q: string) => engine.forRequest().suggest(q, 10, new Map()),
      similar: async (engine: Search, q: string) => {
        const found = await engine.forRequest().similar(`${q.length}.gif`, 9);
        return found && idsOf(found);
      },
      find: (engine: Search, q: string) => engine.forRequest().find(`${q.length}.gif`),
      popular: async (engine: Search) => idsOf(await engine.forRequest().popular(20)),
    };
    /** Runs `act` while some requests fail. @returns undefined if `act` reports that the cluster is unavailable */
    const run = async <Result>(failures: boolean[], act: () => Promise<Result>): Promise<Result | undefined> => {
      unreliable.failures = failures;
      try {
        return await act();
      } catch (error) {
        expect(error).toMatchObject({ code: 'upstream_unavailable' });
        return undefined;
      }
    };
    const outcomes = { whole: 0, degraded: 0, away: 0 };
    for (const [i, q] of queries.entries()) {
      for (const mode of ['auto', 'text', 'semantic'] as const) {
        const expected = await search(healthy, q, mode);
        const words = await search(healthy, q, 'text');
        for (let round = 0; round < 12; round++) {
          const failures = Array.from({ length: 8 }, (_, n) => pick(i * 997 + round * 31 + n, 3) === 0);
          const found = await run(failures, () => search(failing, q, mode));
          if (found === undefined) outcomes.away++;
          else if (found.isDegraded) {
            outcomes.degraded++;
            expect([mode, found], q).toEqual(['auto', { ...words, isDegraded: true }]);
            expect(found.ids, q).not.toEqual([]);
          } else {
            outcomes.whole++;
            expect(found, q).toEqual(expected);
          }
        }
      }
      for (const ask of Object.values(asks)) {
        const expected = await ask(healthy, q);
        for (let round = 0; round < 4; round++) {
          const found = await run([round === 1, round === 2], () => ask(failing, q) as Promise<unknown>);
          if (found !== undefined || round === 0) expect(found, q).toEqual(expected);
        }
      }
    }
    expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(20);
  });

  it('sends no further queries for a request whose time limit has passed', async () => {
    const late = (await openCluster([], client, 1)).forRequest();
    const start = performance.now();
    while (performance.now() < start + 2); // waits until the request's deadline has passed
    await expect(late.begin('happy', 10)).rejects.toMatchObject({ cause: { message: 'no time was left' } });
  });

  it('is compared with the catalogue, GIF by GIF', async () => {
    await syncIndex(options);
    const { index, revision, gifs } = (await readState({ client, layout: LAYOUT }))!;
    const check = () => checkIndex({ ...options, onProgress: () => {}, signal: new AbortController().signal });
    const revisions = { catalogue: revision, index: revision };
    expect(await check()).toEqual({ revisions, gifs: { catalogue: gifs, index: gifs }, compared: gifs, different: [] });
    const changed = { id: '10.gif', aliases: [], popularity: 1, titled: 0, terms: {}, stored: 'AAAA' };
    await writeChanges(client, index, [changed, '8.gif'], revision + 1);
    await refreshed(index);
    const counts = { gifs: { catalogue: gifs, index: gifs - 1 }, compared: gifs };
    expect(await check()).toMatchObject({ ...counts, different: ['10.gif', '8.gif'] });
    await client.request({ method: 'DELETE', path: `/${index}`, deadlineMs: 60_000 });
    expect(await check()).toBeUndefined();
  });

  async function refreshed(index: string): Promise<void> {
    await client.request({ method: 'POST', path: `/${index}/_refresh`, deadlineMs: 60_000 });
  }
});
