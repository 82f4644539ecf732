import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { FolderBlobs } from '../platform/blobs/index.ts';
import { CAN_CUT_POWER, cutPower, type Files, writeFiles } from '../platform/testing/power-cut.ts';
import type { GifRecord } from '../records/index.ts';
import { openStore, type Store } from '../service/store.ts';
import { makeBuild } from './builder.ts';
import { listBuilds } from './list.ts';
import { loadBuild } from './load.ts';
import { publishExisting, publishedState, publishFrom, readPublished } from './publish.ts';
import { SharedBuilds } from './shared-builds.ts';

const POLICY = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  store = await openStore(path.join(folder, 'data'));
});

afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

function linked(n: number, title: string): GifRecord {
  const id = `${n}.gif`;
  const words = { title, tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
  const claims = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
  const told = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: `m#${id}` };
  return { id, sha256: null, verified: 'nothing', url: `https://gifs.example/${id}`, ...claims, ...words, ...told };
}

/** Publishes a build with these GIFs and those that are already in the catalogue. @returns the build's name */
async function publish(title: string, { from = 0, count = 20, whole = false } = {}): Promise<string> {
  const gifs = Array.from({ length: count }, (_, n) => linked(from + n, title));
  await recordGifs(store.db, gifs);
  const sources = async () => ({});
  const options = { db: store.db, folder: store.builds, sources, policy: POLICY, smallestBase: 10, whole };
  return (await makeBuild(options)).build;
}

/** Returns the published builds in folders of builds, after all their checksums were verified. */
async function publishedIn(states: readonly Files[]): Promise<Set<string | undefined>> {
  const found = new Set<string | undefined>();
  for (const state of states) {
    const place = await mkdtemp(path.join(folder, 'state-'));
    writeFiles(place, state);
    const published = await readPublished(place);
    if (published) await loadBuild(place, published, 1);
    found.add(published?.build);
  }
  return found;
}

/** Readers ignore files that a writer has not finished. */
const ofReaders = { isRelevant: (name: string) => !/\.part(\/|$)/.test(name) };

it('has another state after each build, and after the same build at a later revision', async () => {
  const states = [await publishedState(store.builds)];
  const note = async () => void states.push(await publishedState(store.builds));
  await publish('cat').then(note);
  await publish('dog').then(note);
  const published = await readPublished(store.builds);
  if (!published) throw new Error('no build');
  await publishExisting(store.builds, { ...published, revision: published.revision + 1 }).then(note);
  expect(new Set(states).size).toBe(4);
  expect(await publishedState(store.builds)).toBe(states[3]);
});

describe.runIf(CAN_CUT_POWER)('after a power cut at any moment', () => {
  it.each([
    ['a base', { whole: true }],
    ['a delta', { from: 20, count: 1 }],
  ])(
    'of publishing %s, the folder has that build or the previous build, and the build is complete',
    async (_, more) => {
      const before = await publish('cat');
      let next: string | undefined;
      const { during, after } = await cutPower(
        store.builds,
        async () => {
          next = await publish('dog', more);
        },
        ofReaders,
      );
      expect(await publishedIn(during)).toEqual(new Set([before, next]));
      expect(await publishedIn(after)).toEqual(new Set([next]));
    },
  );

  it('of publishing the first build, the folder has a complete build or none', async () => {
    let first: string | undefined;
    const { during, after } = await cutPower(
      store.builds,
      async () => {
        first = await publish('cat');
      },
      ofReaders,
    );
    expect(await publishedIn(during)).toEqual(new Set([undefined, first]));
    expect(await publishedIn(after)).toEqual(new Set([first]));
  });

  it('of publishing a build again, under a later revision, the folder has this build, and it is complete', async () => {
    const build = await publish('cat');
    const { during, after } = await cutPower(store.builds, () => publish('cat'), ofReaders);
    expect(await publishedIn([...during, ...after])).toEqual(new Set([build]));
  });

  it("of fetching another machine's build, the folder has that build or the previous build, and the build is complete", async () => {
    const blobs = new FolderBlobs(path.join(folder, 'bucket'));
    const mine = new SharedBuilds(blobs, store.builds);
    const place = path.join(folder, 'other');
    fs.mkdirSync(place);
    const others = new SharedBuilds(blobs, place);
    const before = await publish('cat');
    await mine.push((await readPublished(store.builds))!);
    await others.pull();
    const next = await publish('dog', { from: 20, count: 1 });
    await mine.push((await readPublished(store.builds))!);
    const { during, after } = await cutPower(place, () => others.pull(), ofReaders);
    expect(await publishedIn(during)).toEqual(new Set([before, next]));
    expect(await publishedIn(after)).toEqual(new Set([next]));
  });
});

it('keeps the build before, which readers may still be opening, and removes older ones', async () => {
  const names: string[] = [];
  for (const title of ['cat', 'dog', 'bird']) names.push(await publish(title, { whole: true }));
  expect(fs.readdirSync(store.builds).sort()).toEqual([...names.slice(1), 'current'].sort());
});

it('publishes a build even if a writer was killed while it wrote the same build', async () => {
  const build = await publish('cat');
  fs.rmSync(store.builds, { recursive: true });
  fs.mkdirSync(path.join(store.builds, `${build}.part`), { recursive: true });
  expect(await publish('cat')).toBe(build);
  expect(fs.readdirSync(store.builds).sort()).toEqual([build, 'current'].sort());
});

describe('several processes with one folder', () => {
  it('publish the same build at the same time', async () => {
    await publish('cat');
    const { build } = (await readPublished(store.builds))!;
    await Promise.all(Array.from({ length: 20 }, () => publishFrom(store.builds, build)));
    expect((await readPublished(store.builds))!.build).toBe(build);
    expect(fs.readdirSync(path.join(store.builds, build)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('keep the previous build, although each process publishes the next build', async () => {
    const before = await publish('cat', { whole: true });
    const build = await publish('dog', { whole: true });
    for (let process = 0; process < 2; process++) await publishFrom(store.builds, build);
    expect(fs.readdirSync(store.builds).sort()).toEqual([before, build, 'current'].sort());
  });

  it('do not remove files that another process still fetches, but remove them after an hour', async () => {
    const fetched = path.join(store.builds, 'b0123456789ab.1a2b3c4d.part');
    fs.mkdirSync(fetched);
    const pointer = path.join(store.builds, 'current.1a2b3c4d.part');
    fs.writeFileSync(pointer, 'b0123');
    for (const title of ['cat', 'dog', 'bird']) await publish(title, { whole: true });
    expect([fetched, pointer].map((file) => fs.existsSync(file))).toEqual([true, true]);
    const hourAgo = Date.now() / 1_000 - 3_610;
    for (const file of [fetched, pointer]) fs.utimesSync(file, hourAgo, hourAgo);
    await publish('cow', { whole: true });
    expect([fetched, pointer].map((file) => fs.existsSync(file))).toEqual([false, false]);
  });
});

describe('the list of builds', () => {
  it('has the published build, the one before, and the base of both', async () => {
    const base = await publish('one', { count: 40 });
    const second = await publish('two', { from: 40, count: 1 });
    const listed = await listBuilds(store.builds);
    expect(listed).toMatchObject([
      { build: second, earlier: [base], gifs: 41, isCurrent: true },
      { build: base, earlier: [], gifs: 40, isCurrent: false },
    ]);
    expect(listed[0]!.bytes).toBeGreaterThan(listed[1]!.bytes);
    const sizes = fs.readdirSync(path.join(store.builds, base)).map((name) => sizeOf(base, name));
    expect(listed[1]!.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0) - sizeOf(base, 'manifest.json'));
  });

  it('leaves out unfinished, incomplete and damaged builds', async () => {
    const base = await publish('one', { count: 40 });
    const second = await publish('two', { from: 40, count: 1 });
    fs.cpSync(path.join(store.builds, base), path.join(store.builds, `${base}.part`), { recursive: true });
    fs.mkdirSync(path.join(store.builds, 'b000000000000'));
    const manifest = path.join(store.builds, base, 'manifest.json');
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace('"documents": 40', '"documents": 41'));
    expect(await listBuilds(store.builds)).toEqual([]);
    fs.rmSync(path.join(store.builds, base), { recursive: true });
    expect(await listBuilds(store.builds)).toEqual([]);
    expect(fs.existsSync(path.join(store.builds, second))).toBe(true);
  });

  const sizeOf = (build: string, name: string) => fs.statSync(path.join(store.builds, build, name)).size;
});

it('is not looked for outside of its folder, whatever the pointer says', async () => {
  await publish('cat');
  for (const pointer of ['', '..', '../data', 'b00000000000x', 'current']) {
    fs.writeFileSync(path.join(store.builds, 'current'), `${pointer}\n`);
    await expect(readPublished(store.builds)).rejects.toThrow('the file current of the builds is damaged');
  }
});
