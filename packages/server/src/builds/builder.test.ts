import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Languages, OffensiveWords } from '@zoetrope/search';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { recordGifs, snapshot } from '../catalog/index.ts';
import { countVectors, loadLanguages, openBuildSearch, type Search, setTombstones } from '../index/index.ts';
import { moderate } from '../moderation/index.ts';
import { areChangesKnown, changedSince, type GifRecord, revision } from '../records/index.ts';
import { openStore, type Store } from '../service/store.ts';
import { type BuildOptions, isBaseDue, isBuildDue, makeBuild, type VectorSource } from './builder.ts';
import { loadBuild } from './load.ts';
import { readPublished, readSegments } from './publish.ts';
import { parseJsonBytes } from './stored-gif.ts';

const POLICY = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;
const OPERATOR = { actor: 'test', now: 0 };
const BASE = 30;

let folder: string;
let store: Store;
let options: BuildOptions;
const languages = new Languages(loadLanguages());

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  store = await openStore(folder);
  options = { db: store.db, folder: store.builds, sources: async () => ({}), policy: POLICY, smallestBase: 10 };
});

afterEach(async () => {
  await store.db.destroy();
  await rm(folder, { recursive: true });
});

const nameOf = (n: number) => `${String(n).padStart(3, '0')}.gif`;

function linked(n: number, title: string): GifRecord {
  const id = nameOf(n);
  const words = { title, tags: ['animal'], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: n % 5, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

const recordBase = (size = BASE) =>
  recordGifs(
    store.db,
    Array.from({ length: size }, (_, n) => linked(n, `cat ${n}`)),
  );

async function open({ embedder }: { embedder?: string } = {}): Promise<Search> {
  const shared = await loadBuild(store.builds, (await readPublished(store.builds))!, 1);
  return openBuildSearch(shared, {
    ...{ thread: 0, languages, embedder },
    typing: { completion: true, correction: true },
  });
}

/** Returns a source that gives each GIF a vector. */
function sourceOf(model: string): VectorSource {
  const vectorsOf: VectorSource['vectorsOf'] = async (_, gifs) => gifs.map(() => new Int8Array(128).fill(1));
  return { model, dimensions: 128, vectorsOf };
}

/** Returns the files that this process has open in the folder of the builds. */
function openFiles(): string[] {
  const builds = fs.realpathSync(store.builds);
  const targets = fs.readdirSync('/proc/self/fd').map((file) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${file}`);
    } catch {
      return ''; // the file was closed in the meantime
    }
  });
  return targets.filter((target) => target.startsWith(builds));
}

/** Returns the ids of the shown GIFs, most popular first, and all their titles, according to the catalogue. */
async function catalogue() {
  const gifs: [string, string][] = [];
  for await (const batch of snapshot(store.db, 100, POLICY))
    for (const { id, title, adult } of batch) if (!adult) gifs.push([id, title]);
  return gifs;
}

async function allOf(index: Search): Promise<[string, string][]> {
  const gifs = await (await index.popular(200)).gifs(0, 200);
  return gifs.map(({ id, words }) => {
    const { title } = parseJsonBytes(`{${words}}`) as GifRecord;
    return [id, title];
  });
}

describe('a build', () => {
  it('shows the catalogue after any sequence of changes, whatever was published between them', async () => {
    const change = fc.record({
      act: fc.constantFrom('record', 'hide', 'show', 'edit', 'adult', 'publish', 'whole'),
      n: fc.nat(40),
      title: fc.constantFrom('dog', 'cat', 'happy bird'),
    });
    await recordBase();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        for (const { act, n, title } of [...changes, { act: 'publish', n: 0, title: '' }]) {
          if (act === 'publish') await makeBuild(options);
          else if (act === 'whole') await makeBuild({ ...options, whole: true });
          else if (act === 'record') await recordGifs(store.db, [linked(n, title)]);
          else if (act === 'edit')
            await moderate(store.db, OPERATOR, nameOf(n), { action: 'edit', edit: { title } }).catch(() => {});
          else await moderate(store.db, OPERATOR, nameOf(n), { action: act as 'hide' }).catch(() => {});
        }
        const index = await open();
        const expected = await catalogue();
        expect(await allOf(index)).toEqual(expected);
        expect(index.documents).toBe(expected.length);
        const published = (await readPublished(store.builds))!;
        expect([published.gifs, published.revision]).toEqual([expected.length, await revision(store.db)]);
        expect(published.earlier.length).toBeLessThanOrEqual(4);
        expect(await isBuildDue(store.db, store.builds, POLICY)).toBe(false);
        for (const word of ['dog', 'bird']) {
          const ranked = await (await index.begin(word, 200)).endWithWords();
          const found = (await ranked.gifs(0, 200)).map(({ id }) => id);
          expect(found.sort()).toEqual(
            expected.flatMap(([id, title]) => (title.split(' ').includes(word) ? [id] : [])).sort(),
          );
        }
      }),
      { numRuns: 20 * inject('cases'), endOnFailure: true },
    );
  });

  it('gives results with equal titles apart, even across segments, and pages continue each other', async () => {
    await recordBase();
    const titles = ['big dog', 'big dog', 'old dog', 'wet dog', 'shy dog'];
    const dogs = titles.map((title, i) => linked(40 + 5 * i, title));
    await recordGifs(store.db, dogs);
    await makeBuild(options);
    await recordGifs(store.db, [linked(35, 'Big dog!')]);
    expect((await makeBuild(options)).earlier).toHaveLength(1);
    const ranked = await (await (await open()).begin('dog', 200)).endWithWords();
    const ids = async (from: number, to: number) => (await ranked.gifs(from, to)).map(({ id }) => id);
    const all = [35, 50, 55, 60, 40, 45].map(nameOf);
    expect(await ids(0, 200)).toEqual(all);
    expect([...(await ids(0, 2)), ...(await ids(2, 4)), ...(await ids(4, 6))]).toEqual(all);
  });

  it('is due when there is none, and when the catalogue or the policy has changed', async () => {
    const isDue = (policy: BuildOptions['policy'] = POLICY) => isBuildDue(store.db, store.builds, policy);
    await recordBase();
    expect(await isDue()).toBe(true);
    await makeBuild(options);
    expect([await isDue(), await isDue({ ...POLICY, heldBack: 'all' })]).toEqual([false, true]);
    expect(await isDue({ ...POLICY, words: new OffensiveWords(['voldemort']) })).toBe(true);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    expect(await isDue()).toBe(true);
  });

  it('of few changes is a small segment, and the base stays as it is', async () => {
    await recordBase();
    const base = await makeBuild(options);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    const delta = await makeBuild(options);
    expect([delta.earlier, delta.engine.documents, delta.gifs]).toEqual([[base.build], 1, BASE + 1]);
    expect(fs.readdirSync(store.builds).sort()).toEqual([base.build, delta.build, 'current'].sort());
  });

  it('without changes is the same build with a later revision', async () => {
    await recordBase();
    const base = await makeBuild(options);
    await recordGifs(store.db, [linked(1, 'cat 1')]);
    const again = await makeBuild(options);
    expect([again.build, again.revision]).toEqual([base.build, base.revision + 1]);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    await makeBuild(options);
    await moderate(store.db, OPERATOR, nameOf(99), { action: 'hide' });
    expect(await makeBuild(options)).toMatchObject({ build: base.build, earlier: [], gifs: BASE });
    expect(await allOf(await open())).toEqual(await catalogue());
  });

  it('rewrites small segments with the next change, so that there are few segments', async () => {
    await recordBase(200);
    await makeBuild(options);
    for (let n = 0; n < 20; n++) {
      await recordGifs(store.db, [linked(200 + n, 'dog')]);
      expect((await makeBuild(options)).earlier.length).toBeLessThanOrEqual(4);
    }
    const segments = await readSegments(store.builds, (await readPublished(store.builds))!);
    expect(segments.slice(1).reduce((sum, { engine }) => sum + engine.documents, 0)).toBe(20);
    expect(await isBaseDue(store.db, store.builds)).toBe(false);
    await recordGifs(store.db, [linked(220, 'dog')]);
    await makeBuild(options);
    expect(await isBaseDue(store.db, store.builds)).toBe(true);
    expect((await makeBuild({ ...options, whole: true })).earlier).toEqual([]);
    expect(await isBaseDue(store.db, store.builds)).toBe(false);
  });

  it('of many changes, of a small catalogue or for another policy is one segment', async () => {
    await recordBase();
    await makeBuild(options);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    expect((await makeBuild({ ...options, smallestBase: 1_000 })).earlier).toEqual([]);
    await recordGifs(store.db, [linked(98, 'another dog')]);
    const policy = { ...POLICY, heldBack: 'all' } as const;
    expect((await makeBuild({ ...options, policy })).earlier).toEqual([]);
    await makeBuild(options);
    await recordGifs(
      store.db,
      Array.from({ length: 10 }, (_, n) => linked(100 + n, 'dog')),
    );
    expect((await makeBuild(options)).earlier).toEqual([]);
  });

  it('is made from the whole catalogue if the published build is damaged or shows another catalogue', async () => {
    await recordBase();
    const base = await makeBuild(options);
    await recordGifs(store.db, [linked(97, 'dog')]);
    fs.writeFileSync(path.join(store.builds, base.build, 'ids-order'), 'damaged');
    expect((await makeBuild(options)).earlier).toEqual([]);
    // A database from a backup has no record of builds that were made after the backup.
    const other = await openStore(path.join(folder, 'restored'));
    await recordGifs(
      other.db,
      Array.from({ length: BASE }, (_, n) => linked(n, `cat ${n}`)),
    );
    for (let n = 0; n < 5; n++) await recordGifs(other.db, [linked(n, 'changed')]);
    expect((await makeBuild({ ...options, db: other.db })).earlier).toEqual([]);
    await other.db.destroy();
  });

  it('shares the segments that are in memory already', async () => {
    await recordBase();
    await makeBuild(options);
    const before = await loadBuild(store.builds, (await readPublished(store.builds))!, 1);
    await recordGifs(store.db, [linked(99, 'a new dog'), linked(3, 'changed')]);
    const delta = await makeBuild(options);
    const after = await loadBuild(store.builds, delta, 1, before.segments);
    expect(after.segments).toHaveLength(2);
    expect(after.segments[0]).toBe(before.segments[0]);
    // The build that is still served contains the document that the delta replaced.
    const hidden = (shared: typeof before) => new Uint8Array(shared.hidden).some((byte) => byte !== 0);
    expect([hidden(before), hidden(after)]).toEqual([false, true]);
    const { ids, has } = setTombstones(after, [nameOf(99), nameOf(3), 'none.gif']);
    expect(ids).toEqual([nameOf(99), nameOf(3)]);
    expect([has(nameOf(3)), has('none.gif')]).toEqual([true, false]);
    setTombstones(after, []);
    expect(hidden(after)).toBe(true);
  });

  it('is one segment if the vectors of the base are of another model', async () => {
    const make = (model: string) =>
      makeBuild({ ...options, sources: async () => ({ meaning: sourceOf(model) }) }).then(({ earlier }) => earlier);
    await recordBase();
    await make('one');
    await recordGifs(store.db, [linked(98, 'a new dog')]);
    expect(await make('one')).toHaveLength(1);
    await recordGifs(store.db, [linked(99, 'another dog')]);
    expect(await make('two')).toEqual([]);
    await recordGifs(store.db, [linked(97, 'a third dog')]);
    expect((await makeBuild(options)).earlier).toEqual([]);
  });

  it('describes the looks of its changes with the figures of its base', async () => {
    const given: (number[] | undefined)[] = [];
    const sources: BuildOptions['sources'] = async (looks) => {
      given.push(looks && [...looks]);
      return { looks: { ...sourceOf('looks'), figures: Uint8Array.of(1, 2, 3, 4) } };
    };
    await recordBase();
    await makeBuild({ ...options, sources });
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    await makeBuild({ ...options, sources });
    expect(given).toEqual([undefined, [1, 2, 3, 4]]);
  });

  it('counts the vectors of the GIFs that it shows', async () => {
    const make = () => makeBuild({ ...options, sources: async () => ({ meaning: sourceOf('one') }) });
    await recordBase();
    await make();
    await recordGifs(store.db, [linked(99, 'a new dog'), linked(3, 'changed')]);
    const shared = await loadBuild(store.builds, await make(), 1);
    expect(shared.segments).toHaveLength(2);
    expect([countVectors(shared, 'meaning'), countVectors(shared, 'looks')]).toEqual([BASE + 1, 0]);
  });

  it('counts no vector of a GIF that a later segment replaces, and none that was never made', async () => {
    const vectorsOf: VectorSource['vectorsOf'] = async (_, gifs) =>
      gifs.map(({ id }) => (id === nameOf(98) ? undefined : new Int8Array(128).fill(1)));
    const sources = async () => ({ meaning: { ...sourceOf('one'), vectorsOf } });
    const make = () => makeBuild({ ...options, sources });
    await recordBase(200);
    await make();
    const changed = Array.from({ length: 15 }, (_, n) => linked(90 + n, `changed ${n}`));
    await recordGifs(store.db, changed);
    await make();
    await recordGifs(store.db, [linked(95, 'changed again')]);
    const shared = await loadBuild(store.builds, await make(), 1);
    expect(shared.segments).toHaveLength(3);
    expect(countVectors(shared, 'meaning')).toBe(200 - 1);
  });

  it('is searched by meaning only with the model of its vectors', async () => {
    await recordBase();
    await makeBuild({ ...options, sources: async () => ({ meaning: sourceOf('one') }) });
    const hasMeaning = async (embedder: string) => (await open({ embedder })).hasMeaning;
    expect([await hasMeaning('one'), await hasMeaning('another')]).toEqual([true, false]);
  });

  it('suggests no term that occurs only in earlier versions of changed GIFs', async () => {
    await recordBase();
    await recordGifs(store.db, [linked(98, 'zeppelin'), linked(99, 'zebra')]);
    await makeBuild(options);
    await recordGifs(store.db, [linked(98, 'a dog')]);
    expect((await makeBuild(options)).earlier).toHaveLength(1);
    const index = await open();
    expect((await index.suggest('ze', 8, new Map())).map(({ term }) => term)).toEqual(['zebra']);
  });

  it('can be stopped, and then publishes nothing', async () => {
    await recordBase();
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(makeBuild({ ...options, signal })).rejects.toThrow('stopped');
    expect(await readPublished(store.builds)).toBeUndefined();
  });

  it.skipIf(!fs.existsSync('/proc/self/fd'))('of few changes leaves no file of its base open', async () => {
    await recordBase();
    await makeBuild(options);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    expect((await makeBuild(options)).earlier).toHaveLength(1);
    expect(openFiles()).toEqual([]);
  });

  it('needs a new base if its own base is damaged', async () => {
    await recordBase();
    const base = await makeBuild(options);
    await recordGifs(store.db, [linked(99, 'a new dog')]);
    await makeBuild(options);
    expect(await isBaseDue(store.db, store.builds)).toBe(false);
    fs.rmSync(path.join(store.builds, base.build, 'manifest.json'));
    expect(await isBaseDue(store.db, store.builds)).toBe(true);
  });

  it('of the whole catalogue makes the notes of earlier changes unnecessary', async () => {
    await recordBase();
    expect(await areChangesKnown(store.db, 0)).toBe(true);
    await makeBuild(options);
    expect([await areChangesKnown(store.db, 0), await changedSince(store.db, 0)]).toEqual([false, []]);
  });

  it('reports whether its tombstones have changed', async () => {
    await recordBase();
    await makeBuild(options);
    const shared = await loadBuild(store.builds, (await readPublished(store.builds))!, 1);
    const hidden = [['none.gif'], [nameOf(3)], [nameOf(3)], [nameOf(4)], []];
    const changes = hidden.map((ids) => setTombstones(shared, ids).changed);
    expect(changes).toEqual([false, true, false, true, true]);
  });
});
