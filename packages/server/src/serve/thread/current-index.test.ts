import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeBuildInMemory } from '../../builds/index.ts';
import { recordGifs } from '../../catalog/index.ts';
import { loadConfig } from '../../config.ts';
import type { Withheld } from '../../index/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { openStore, type Store } from '../../service/store.ts';
import type { Words } from '../messages.ts';
import { CurrentIndex } from './current-index.ts';

const WITHHELD: Withheld = { ids: [], originals: new Set(), terms: new Map() };
const WORDS: Words = { languages: undefined, synonyms: [], packs: [] };
const POLICY = { heldBack: 'relays', links: { http: 'upgrade', probe: 'off' } } as const;

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  store = await openStore(folder);
});

afterEach(async () => {
  await store.close();
  fs.rmSync(folder, { recursive: true });
});

async function makeIndex(...titles: string[]) {
  const gifs = titles.map((title): GifRecord => {
    const words = { title, tags: [], characters: [], series: [], text: '', alt: '', lang: '' };
    const facts = { format: 'gif', width: 480, height: 270, frames: null, durationMs: null, bytes: null } as const;
    const others = { adult: false, popularity: 0, source: '', fallback: [], lqip: null, toldBy: title };
    const origin = { sha256: null, verified: 'nothing', url: `https://gifs.example/${title}.gif` } as const;
    return { id: `${title}.gif`, ...origin, ...words, ...facts, ...others };
  });
  await recordGifs(store.db, gifs);
  return makeBuildInMemory({ db: store.db, sources: async () => ({}), policy: POLICY }, 1);
}

async function open(...titles: string[]) {
  const gen = new SharedArrayBuffer(4);
  const first = { index: await makeIndex(...titles), withheld: WITHHELD, words: WORDS };
  const started = { config: loadConfig({}, folder), thread: 0, embedder: undefined, gen, first };
  return { current: new CurrentIndex(started, undefined), gen: new Int32Array(gen) };
}

const find = async ({ current }: { current: CurrentIndex }, query: string) =>
  (await (await current.lease().index.begin(query, 9)).endWithWords()).count;

test('a lease stays the same until something changes, and then has another epoch', async () => {
  const { current, gen } = await open('cat');
  const changes = [
    () => void Atomics.add(gen, 0, 1),
    () => current.withhold(WITHHELD),
    () => current.replaceWords(WORDS),
  ];
  const epochs = new Set([current.lease().epoch]);
  for (const change of changes) {
    const before = current.lease();
    expect(current.lease()).toBe(before);
    change();
    expect(current.lease()).not.toBe(before);
    epochs.add(current.lease().epoch);
  }
  expect(epochs.size).toBe(changes.length + 1);
});

test('after a swap, new leases have the new index, and old ones keep theirs', async () => {
  const opened = await open('cat');
  const before = opened.current.lease();
  opened.current.swap(await makeIndex('dog'));
  expect(await find(opened, 'dog')).toBe(1);
  expect((await (await before.index.begin('dog', 9)).endWithWords()).count).toBe(0);
});

test('the synonyms of operators count from the moment at which they arrive', async () => {
  const opened = await open('cat');
  expect(await find(opened, 'moggy')).toBe(0);
  opened.current.replaceWords({ ...WORDS, synonyms: [['moggy', 'cat']] });
  expect(await find(opened, 'moggy')).toBe(1);
});
