import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findGif, findLink } from '../catalog/index.ts';
import { addressesToSee, type Claim, countAddresses, recordEvents } from '../claims/index.ts';
import { originalKey } from '../media/index.ts';
import { writeGif } from '../media/testing/gif-writer.ts';
import { createTestMedia, silentLog } from '../media/testing/test-media.ts';
import type { Database } from '../platform/db/index.ts';
import { DownloadError, type DownloadFailure, type DownloadOptions } from '../platform/fetch/index.ts';
import { openStore } from '../service/store.ts';
import { type FilesOptions, seeAddresses } from './files.ts';

const URL = 'https://a.example/a.gif';
const GIF = writeGif({ width: 9, height: 7, frames: [{ pixels: 1 }, { pixels: 2 }] });
const STILL = writeGif({ width: 9, height: 7, frames: [{ pixels: 1 }] });
const OTHER = writeGif({ width: 9, height: 7, frames: [{ pixels: 2 }, { pixels: 1 }] });
const SHA = hashOf(GIF);
const MINUTE_MS = 60_000;
const NOTHING = { claims: [], files: [], withdrawals: [], votes: [], reports: [], packs: [] };
const PATIENCE = { timeout: 480_000, interval: 5 };

const media = createTestMedia();
const clock = { time: 1_790_000_000_000, now: () => clock.time };
const deriving = () => ({ minAuthors: 3, now: clock.time / 1_000, marks: { needed: 0, counts: () => false } });
/** Responds to a download. */
let answer: (url: string, options: DownloadOptions) => Promise<Uint8Array>;
let quotas: FilesOptions['quotas'];
let folder: string;
let db: Database;

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-'));
  ({ db } = await openStore(folder));
  answer = async () => GIF;
  quotas = { hostFiles: 1_000, bytes: 1_000_000_000 };
});

afterEach(async () => {
  await db.destroy();
  await fs.rm(folder, { recursive: true });
});

afterAll(() => media.media.close());

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function tell(hashes: string[], n = 1, url = URL): Promise<void> {
  const who = { eventId: `event${n}`, part: 0, author: 'author', relay: 'wss://a.example', createdAt: n, seenAt: 0 };
  const words = { title: `told ${n}`, titleRank: 0, alt: '', lang: '', tags: [], adult: false };
  const claim: Claim = { ...who, ...words, bare: false, urls: [url], hashes };
  await recordEvents(db, { ...NOTHING, claims: [claim] }, deriving());
}

function see(store: FilesOptions['store'] = 'linked', by: FilesOptions['media'] = media.media): Promise<number> {
  const limits = { maxBytes: 1_000_000, timeoutMs: 1_000, signal: new AbortController().signal };
  const fetcher = { download: (url: string, options: DownloadOptions) => answer(url, options) };
  const options = { db, media: by, fetcher, clock, log: silentLog(), store, quotas, deriving, ...limits };
  return seeAddresses(options);
}

async function outcomes(): Promise<string[]> {
  return (await countAddresses(db)).map(({ state, reason }) => `${state} ${reason ?? ''}`.trim());
}

const isKept = () => media.media.original(SHA, 'gif').then((found) => found !== null);

it('links a GIF, and makes its first preview', async () => {
  await tell([SHA]);
  expect(await see()).toBe(1);
  expect(await see()).toBe(0);
  expect(await findGif(db, `${SHA}.gif`)).toMatchObject({ url: URL, width: 9, height: 7, frames: 2, source: 'nostr' });
  expect(await isKept()).toBe(false);
  expect([...media.blobs.blobs.keys()].some((key) => key.startsWith('d/') && key.endsWith(`${SHA}.webp`))).toBe(true);
});

it('also stores it, to make more images', async () => {
  await tell([SHA]);
  await see('kept');
  expect(await findLink(db, `${SHA}.gif`)).toMatchObject({ addresses: [URL], kept: SHA });
  expect(await isKept()).toBe(true);
});

it('stores the original and serves it', async () => {
  await tell([SHA]);
  await see('originals');
  expect(await findGif(db, `${SHA}.gif`)).toMatchObject({ url: null, sha256: SHA, fallback: [URL] });
  expect(media.blobs.blobs.has(originalKey(SHA, 'gif'))).toBe(true);
});

it('rejects other bytes until they are claimed', async () => {
  answer = async () => OTHER;
  await tell([SHA]);
  await see();
  expect(await outcomes()).toEqual(['refused other_bytes']);
  await tell([hashOf(OTHER)], 2);
  await see();
  expect(await findGif(db, `${hashOf(OTHER)}.gif`)).toMatchObject({ title: 'told 2' });
  expect(await findGif(db, `${SHA}.gif`)).toBeUndefined();
});

it.each([
  ['a still picture', async () => STILL, 'not_animated'],
  ['a file that is not a picture', async () => Buffer.from('<html>'), 'unreadable'],
  ['a file that is gone', () => Promise.reject(new DownloadError('gone', '404')), 'gone'],
])('refuses %s', async (_, what, reason) => {
  answer = what;
  await tell([]);
  await see();
  expect(await outcomes()).toEqual([`refused ${reason}`]);
});

it.each<DownloadFailure>(['unreachable', 'timed_out', 'bad_status'])(
  'retries after %s, but not forever',
  async (reason) => {
    answer = () => Promise.reject(new DownloadError(reason, 'not now'));
    await tell([SHA]);
    expect(await see()).toBe(1);
    expect(await outcomes()).toEqual([`waiting ${reason}`]);
    expect(await see()).toBe(0);
    clock.time += MINUTE_MS;
    expect(await see()).toBe(1);
    for (let hours = 0; hours < 48; hours++) {
      clock.time += 60 * MINUTE_MS;
      await see();
    }
    expect(await outcomes()).toEqual([`refused ${reason}`]);
    expect(await addressesToSee(db, clock.time + 1e9, { limit: 1 })).toEqual([]);
  },
);

it('retries if a host limits requests, and while this service cannot make previews', async () => {
  const closed = createTestMedia();
  await closed.media.close();
  await tell([SHA]);
  answer = () => Promise.reject(new DownloadError('too_many_requests', 'not now'));
  await see();
  expect(await outcomes()).toEqual(['waiting too_many_requests']);
  answer = async () => GIF;
  clock.time += MINUTE_MS;
  await see('linked', closed.media);
  expect(await outcomes()).toEqual(['waiting upstream_unavailable']);
  clock.time += 10 * MINUTE_MS;
  await see();
  expect(await outcomes()).toEqual(['there']);
});

it('does not store the file of an event that was deleted in the meantime', async () => {
  answer = async () => OTHER;
  await tell([hashOf(OTHER)]);
  const withdrawals = [{ eventId: 'event1', author: 'author' }];
  await recordEvents(db, { ...NOTHING, withdrawals }, deriving());
  await see('originals');
  expect(await outcomes()).toEqual(['refused other_bytes']);
  expect(media.blobs.blobs.has(originalKey(hashOf(OTHER), 'gif'))).toBe(false);
});

it('postpones files that fail because of this service', async () => {
  answer = () => Promise.reject(new Error('the disk is full'));
  await tell([SHA]);
  await expect(see()).rejects.toThrow('the disk is full');
  expect(await outcomes()).toEqual(['waiting']);
});

/** Starts a server that responds only when the test calls a function in `waiting`. */
function slowServer() {
  const waiting: (() => void)[] = [];
  return {
    waiting,
    async answer(): Promise<Uint8Array> {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return STILL;
    },
  };
}

it('fetches one file per host at a time, and meanwhile files from other hosts, even ones added later', async () => {
  const slow = slowServer();
  const asked: string[] = [];
  answer = async (url) => {
    asked.push(url);
    return url.includes('slow') ? slow.answer() : STILL;
  };
  for (let n = 1; n <= 20; n++) {
    await tell([], n, `https://slow.example/${n}.gif`);
    clock.time += 1_000;
  }
  await tell([], 21, 'https://fast.example/21.gif');
  const seeing = see();
  await vi.waitUntil(() => asked.length === 2, PATIENCE);
  await tell([], 22, 'https://later.example/22.gif');
  await vi.waitUntil(() => asked.length === 3, PATIENCE);
  expect(asked).toEqual([1, 21, 22].map((n) => expect.stringContaining(`/${n}.gif`)));
  expect(slow.waiting.length).toBe(1);
  while (asked.length < 22 || slow.waiting.length > 0) {
    slow.waiting.shift()?.();
    await vi.waitUntil(() => slow.waiting.length > 0 || asked.length === 22, PATIENCE);
  }
  expect(await seeing).toBe(22);
  expect(asked.slice(3)).toEqual(Array.from({ length: 19 }, (_, n) => `https://slow.example/${n + 2}.gif`));
});

it('first checks the URL that has waited longest', async () => {
  const asked: string[] = [];
  answer = async (url) => {
    asked.push(url);
    return STILL;
  };
  await tell([], 1, 'https://z.example/z.gif');
  clock.time += 1_000;
  await tell([], 2, 'https://z.example/a.gif');
  await see();
  expect(asked).toEqual(['https://z.example/z.gif', 'https://z.example/a.gif']);
});

it('sends no requests for a minute to a host that does not respond', async () => {
  let asked = 0;
  answer = async () => {
    asked++;
    throw new DownloadError('timed_out', 'not now');
  };
  for (let n = 1; n <= 5; n++) await tell([], n, `https://down.example/${n}.gif`);
  await see();
  expect(asked).toBe(1);
  clock.time += MINUTE_MS;
  await see();
  expect(asked).toBe(2);
});

it('limits the files per host and day, and fetches the rest on the next day', async () => {
  quotas.hostFiles = 3;
  answer = async () => STILL;
  for (let n = 1; n <= 5; n++) await tell([], n, `https://many.example/${n}.gif`);
  await tell([], 6, 'https://other.example/6.gif');
  expect(await see()).toBe(4);
  clock.time += 24 * 60 * MINUTE_MS;
  expect(await see()).toBe(2);
});

it('limits the bytes per day, including those of rejected files', async () => {
  quotas.bytes = 1_000;
  answer = async (_, { onBytes }) => {
    onBytes?.(600);
    throw new DownloadError('too_large', 'the answer is too long');
  };
  for (let n = 1; n <= 5; n++) await tell([], n, `https://large.example/${n}.gif`);
  expect(await see()).toBe(2);
  expect(await see()).toBe(0);
  clock.time += 24 * 60 * MINUTE_MS;
  expect(await see()).toBe(2);
});
