import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BuildError } from '@zoetrope/search';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { type BlobStore, FolderBlobs, readBlob } from '../platform/blobs/index.ts';
import { type GifRecord, revision } from '../records/index.ts';
import { openStore, type Store } from '../service/store.ts';
import { makeBuild } from './builder.ts';
import { loadBuild } from './load.ts';
import { readPublished } from './publish.ts';
import { SharedBuilds } from './shared-builds.ts';

const POLICY = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;

let folder: string;
let store: Store;
let blobs: FolderBlobs;
/** The shared builds as seen by the machine that makes builds and by another machine. */
let mine: SharedBuilds;
let others: SharedBuilds;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  store = await openStore(`${folder}/one`);
  fs.mkdirSync(`${folder}/two`);
  blobs = new FolderBlobs(`${folder}/bucket`);
  mine = new SharedBuilds(blobs, store.builds);
  others = new SharedBuilds(blobs, `${folder}/two`);
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

function linked(n: number): GifRecord {
  const id = `${n}.gif`;
  const words = { title: `cat ${n}`, tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

/** Adds GIFs and publishes a build of them. */
async function publish(from: number, count: number) {
  const gifs = Array.from({ length: count }, (_, n) => linked(from + n));
  await recordGifs(store.db, gifs);
  return makeBuild({ db: store.db, folder: store.builds, sources: async () => ({}), policy: POLICY, smallestBase: 10 });
}

const loaded = async (of: string) => {
  const published = (await readPublished(of))!;
  return (await loadBuild(of, published, 1)).manifest;
};

/** A store that counts its reads. One of the reads fails, breaks off, or returns wrong bytes. */
function unreliable(at = Number.POSITIVE_INFINITY, how: 'down' | 'gone' | 'damaged' = 'down') {
  let reads = 0;
  const store: BlobStore = {
    put: (key, bytes) => blobs.put(key, bytes),
    head: (key) => blobs.head(key),
    delete: (key) => blobs.delete(key),
    list: (prefix) => blobs.list(prefix),
    async get(key) {
      if (reads++ !== at) return blobs.get(key);
      if (how === 'down') throw new Error('the store is down');
      if (how === 'gone') return null;
      const stream = await blobs.get(key);
      stream?.push('x');
      return stream;
    },
  };
  return { store, reads: () => reads };
}

describe('a shared build', () => {
  it('is the same on another machine, and later builds fetch only what is new', async () => {
    expect(await others.pull()).toBeUndefined();
    const base = await publish(0, 50);
    await mine.push(base);
    expect(await others.pull()).toEqual(base);
    expect(await loaded(`${folder}/two`)).toEqual(base);
    const delta = await publish(50, 3);
    expect(delta.earlier).toEqual([base.build]);
    await mine.push(delta);
    const counted = unreliable();
    expect(await new SharedBuilds(counted.store, `${folder}/two`).pull()).toEqual(delta);
    expect(counted.reads()).toBe(2 + delta.engine.sections.length);
    expect(await loaded(`${folder}/two`)).toEqual(delta);
    expect(await others.pull()).toEqual(delta);
  });

  it('of a catalogue that was restored to an earlier state replaces the later ones', async () => {
    await publish(0, 50);
    const later = await publish(50, 3);
    await mine.push(later);
    await others.pull();
    const restored = await openStore(`${folder}/restored`);
    onTestFinished(() => restored.close());
    const { db, builds } = restored;
    await recordGifs(db, [linked(1)]);
    const now = () => revision(db);
    expect(await now()).toBeLessThan(later.revision);
    expect(await others.pull({ revisionNow: now })).toEqual(later);
    const build = await makeBuild({ db, folder: builds, sources: async () => ({}), policy: POLICY });
    await new SharedBuilds(blobs, builds).push(build);
    expect(await others.pull({ revisionNow: now })).toEqual(build);
    expect(await loaded(`${folder}/two`)).toEqual(build);
    expect(await others.isUpToDate()).toBe(true);
    expect(await mine.isUpToDate()).toBe(false);
  });

  it('is fetched completely or not at all, wherever the store fails, and the next attempt succeeds', async () => {
    const first = await publish(0, 20);
    await mine.push(first);
    await others.pull();
    const second = await publish(20, 20);
    await mine.push(second);
    const reads = 2 + second.engine.sections.length;
    for (let at = 0; at < reads; at++) {
      const { store } = unreliable(at, (['down', 'gone', 'damaged'] as const)[at % 3]);
      await expect(new SharedBuilds(store, `${folder}/two`).pull()).rejects.toThrow();
      expect(await loaded(`${folder}/two`)).toEqual(first);
    }
    expect(fs.readdirSync(`${folder}/two`).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await others.pull()).toEqual(second);
  });

  it('is not used if a section has the right length but other bytes', async () => {
    const build = await publish(0, 20);
    await mine.push(build);
    const { name } = build.engine.sections[0]!;
    for await (const { key } of blobs.list('builds/')) {
      if (path.basename(key) !== name) continue;
      const bytes = (await readBlob(blobs, key))!;
      bytes[0]! ^= 1;
      await blobs.put(key, bytes);
    }
    await expect(others.pull()).rejects.toThrow(`section ${name} of the shared segment ${build.build} is damaged`);
    expect(await readPublished(`${folder}/two`)).toBeUndefined();
  });

  it.each(['section', 'manifest', 'pointer'] as const)(
    'can be withdrawn and stored again if somebody overwrote its %s',
    async (what) => {
      await mine.push(await publish(0, 20));
      const delta = await publish(20, 1);
      await mine.push(delta);
      const pattern = { section: /terms$/, manifest: /manifest/, pointer: /published/ }[what];
      const keys: string[] = [];
      for await (const { key } of blobs.list('builds/')) if (pattern.test(key)) keys.push(key);
      expect(keys.length).toBeGreaterThan(1);
      for (const key of keys) await blobs.put(key, Buffer.from('overwritten'));
      await expect(others.pull()).rejects.toThrow(BuildError);
      expect(await mine.isUpToDate()).toBe(true);
      expect(await others.withdraw()).toBe(true);
      expect(await others.withdraw()).toBe(false);
      expect(await mine.isUpToDate()).toBe(false);
      // Each attempt can find a different damaged object: a pointer, the base or the delta.
      let [pulled, attempts]: [string | undefined, number] = [undefined, 0];
      while (pulled === undefined && attempts++ < keys.length + 2) {
        await mine.push(delta);
        pulled = await others.pull().then(
          (build) => build?.build,
          () => others.withdraw().then(() => undefined),
        );
      }
      expect(pulled).toBe(delta.build);
      expect(await loaded(`${folder}/two`)).toEqual(delta);
    },
  );

  it('never replaces a later build, and for equal content only the new revision is noted', async () => {
    const first = await publish(0, 20);
    await mine.push(first);
    const second = await publish(20, 1);
    expect(await mine.pull()).toEqual(second);
    await mine.push(second);
    await others.pull();
    await recordGifs(store.db, [linked(20)]);
    const again = await publish(20, 1);
    expect([again.build, again.revision]).toEqual([second.build, await revision(store.db)]);
    await mine.push(again);
    expect(await others.pull()).toEqual(again);
  });

  it('is removed from the store after five later ones, with segments that no build needs', async () => {
    const base = await publish(0, 20);
    await mine.push(base);
    for (let n = 0; n < 3; n++) await mine.push(await publish(100 + n, 1));
    for (let n = 0; n < 6; n++) await mine.push(await publish(200 + 40 * n, 40));
    const names = new Set<string>();
    for await (const { key } of blobs.list('builds/')) names.add(key.split('/')[2]!);
    expect(names.has(base.build)).toBe(false);
    expect(names.size).toBe(1 + 5);
    expect(await others.pull()).toMatchObject({ revision: await revision(store.db) });
    expect(await loaded(`${folder}/two`)).toEqual(await loaded(store.builds));
  });

  it('loses its pointer in the store if somebody has overwritten the pointer', async () => {
    await mine.push(await publish(0, 20));
    const keys = async () => {
      const found: string[] = [];
      for await (const { key } of blobs.list('builds/')) found.push(key);
      return found;
    };
    const pointer = (await keys()).find((key) => key.includes('/published/'))!;
    await blobs.put(pointer, Buffer.from('{}'));
    await mine.push(await publish(100, 40));
    expect(await keys()).not.toContain(pointer);
    expect(await others.pull()).toMatchObject({ revision: await revision(store.db) });
  });

  it('is fetched while it is held, however old it is, and only a build from after the hold replaces it', async () => {
    const held = await publish(0, 20);
    await mine.push(held);
    const hold = { build: held.build, at: 0, until: null };
    for (let n = 0; n < 6; n++) await mine.push(await publish(100 + 40 * n, 40), held.build);
    expect(await others.pull({ hold })).toEqual(held);
    expect(await loaded(`${folder}/two`)).toEqual(held);
    const ended = { ...hold, until: (await revision(store.db)) + 1 };
    expect(await others.pull({ hold: ended })).toEqual(held);
    const next = await publish(500, 40);
    await mine.push(next);
    expect(await others.pull({ hold: ended })).toEqual(next);
  });

  it('is stored again when it is held, and later builds stay in the store', async () => {
    const held = await publish(0, 20);
    const copy = `${folder}/copy`;
    fs.cpSync(store.builds, copy, { recursive: true });
    const later = await publish(100, 40);
    await mine.push(later);
    await new SharedBuilds(blobs, copy).push(held, held.build);
    expect(await others.pull()).toEqual(later);
    expect(await others.pull({ hold: { build: held.build, at: 0, until: null } })).toEqual(held);
  });
});
