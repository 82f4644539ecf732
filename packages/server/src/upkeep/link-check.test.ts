import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { recordGifs } from '../catalog/index.ts';
import { parseRow, toLinkedGif } from '../ingest/sources/manifest-row.ts';
import type { Media } from '../media/index.ts';
import { writeGif } from '../media/testing/gif-writer.ts';
import { createTestMedia } from '../media/testing/test-media.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { type Service, takeWorkLock } from '../service/index.ts';
import { linkBook } from '../service/link-book.ts';
import { openStore, type Store } from '../service/store.ts';
import { checkLinks, keepCheckingLinks, type LinkCheck } from './link-check.ts';

const HOUR = 3_600_000;
const GIF = writeGif({ width: 4, height: 4, frames: [{ pixels: 1 }, { pixels: 2 }] });

let folder: string;
let store: Store;
let hosts: Record<string, number>;
let asked: string[];
let begun: AsyncDisposableStack;

beforeEach(async () => {
  begun = new AsyncDisposableStack();
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  begun.defer(() => rm(folder, { recursive: true }));
  store = await openStore(folder);
  begun.defer(() => store.db.destroy());
  asked = [];
  hosts = { a: await listen('a'), b: await listen('b'), c: await listen('c') };
});

/** Starts a server that returns the status in the path. @returns its port */
async function listen(host: string): Promise<number> {
  const server = http.createServer((request, response) => {
    asked.push(`${host}${request.url}`);
    const status = Number(request.url!.split('/')[1]);
    response.writeHead(status).end(status === 200 ? GIF : '');
  });
  begun.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

afterEach(() => begun.disposeAsync());

/** Adds linked GIFs with these URLs, `host/status/name`, in the order of their ids. */
async function link(...addresses: string[]): Promise<void> {
  const rows = addresses.map((address, n) => {
    const [host, ...rest] = address.split('/');
    return parseRow(JSON.stringify({ id: `${n}.gif`, url: `http://127.0.0.1:${hosts[host!]}/${rest.join('/')}` }));
  });
  await recordGifs(
    store.db,
    rows.map((row) => toLinkedGif({ ...row, url: row.url! }, 'manifest')),
  );
}

function newMedia(clock: Clock): Media {
  const fetcher = new Fetcher({ allowPrivate: true });
  const { media } = createTestMedia({ fetcher, links: linkBook(store.db, clock), clock });
  begun.defer(async () => {
    await Promise.all([media.close(), fetcher.close()]);
  });
  return media;
}

/**
 * Creates a check at this hour that does not wait. Also returns the durations for which the check would have waited.
 */
function newCheck(hour: number, changes: Partial<LinkCheck> = {}) {
  const clock = { now: () => 1_800_000_000_000 + hour * HOUR };
  const media = newMedia(clock);
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const { signal } = new AbortController();
  const check = { db: store.db, media, clock, hours: 24, wait, onProgress: () => {}, signal, ...changes };
  return { waits, run: () => checkLinks(check) };
}

const NOTHING = { checked: 0, alive: 0, gone: 0, unclear: 0, hidden: 0, back: 0, moved: 0, read: 0, left: 0 };

test('checks every link once, and again when it is due', async () => {
  await link('a/200/a', 'b/404/b', 'c/503/c');
  expect(await newCheck(0).run()).toEqual({ ...NOTHING, checked: 3, alive: 1, gone: 1, unclear: 1 });
  expect(await newCheck(11).run()).toEqual(NOTHING);
  expect(await newCheck(13).run()).toEqual({ ...NOTHING, checked: 1, gone: 1 });
  expect(await newCheck(26).run()).toEqual({ ...NOTHING, checked: 3, alive: 1, gone: 1, unclear: 1, hidden: 1 });
});

test('a host gets one request per second, in parallel with other hosts', async () => {
  await link('a/200/a', 'b/200/b', 'a/200/c', 'a/404/d', 'b/200/e');
  const { run, waits } = newCheck(0);
  expect(await run()).toMatchObject({ checked: 5 });
  expect(waits).toEqual([1_000, 1_000, 1_000]);
  const first = asked.slice(0, 2).map((address) => address.split('/')[0]);
  expect(first.toSorted()).toEqual(['a', 'b']);
});

test('a host that fails three times in a row gets no more requests until the next check', async () => {
  const down = (name: number) => `a/503/${name}`;
  await link(...[1, 2].map(down), 'a/200/3', ...[4, 5, 6, 7, 8].map(down), 'b/200/9');
  expect(await newCheck(0).run()).toEqual({ ...NOTHING, checked: 7, alive: 2, unclear: 5, left: 2 });
  asked = [];
  expect(await newCheck(1).run()).toMatchObject({ checked: 2, left: 0 });
  expect(new Set(asked)).toEqual(new Set(['a/503/7', 'a/503/8']));
});

describe('a check that is stopped', () => {
  test('ends, and the next check continues from there', async () => {
    await link(...['a', 'b', 'c', 'd'].map((name) => `a/200/${name}`));
    const stopping = new AbortController();
    const onProgress: LinkCheck['onProgress'] = ({ done, total }) => {
      expect(total).toBe(4);
      if (done === 2) stopping.abort(new Error('enough'));
    };
    await expect(newCheck(0, { onProgress, signal: stopping.signal }).run()).rejects.toThrow('enough');
    expect(await newCheck(1).run()).toEqual({ ...NOTHING, checked: 2, alive: 2 });
    expect(asked).toHaveLength(4);
  });
});

test('a pass over all links gives its lock back, so that the next pass can begin', async () => {
  await link('a/200/a');
  const info = vi.fn();
  const config = { media: { linkCheckHours: 24 } };
  const service = { config, store, log: { info, warn: () => {} } } as unknown as Service;
  const checking = keepCheckingLinks(service, newMedia({ now: () => Date.now() }), async () => {});
  begun.defer(() => checking.stop());
  const checked = expect.objectContaining({ checked: 1 });
  await vi.waitFor(() => expect(info).toHaveBeenCalledWith(checked, 'checked links'), { timeout: 480_000 });
  const lock = await vi.waitFor(() => takeWorkLock(store, 'links', { onLost: () => {} }), { timeout: 480_000 });
  await lock.release();
});
