import { createHash } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteAddress, recordEvents } from '../claims/index.ts';
import { writeGif } from '../media/testing/gif-writer.ts';
import { createTestMedia, silentLog, testConfig } from '../media/testing/test-media.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { Fetcher } from '../platform/fetch/index.ts';
import { createVerifier, type RelayEvent, serversOf, type Verifier } from '../platform/relay/index.ts';
import { FilledRelay } from '../platform/relay/testing/relay.ts';
import { tables } from '../records/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { linkBook } from '../service/link-book.ts';
import { readServers, SERVERS } from './author-servers.ts';
import { readSaid } from './events/read-event.ts';

const NOW = 1_800_000_000;
const DAY = 86_400;
const { signal } = new AbortController();

let begun: AsyncDisposableStack;
let db: Database;
let verifier: Verifier;
let relay: FilledRelay;

beforeEach(async () => {
  begun = new AsyncDisposableStack();
  db = openDatabase(':memory:');
  begun.defer(() => db.destroy());
  await migrate(db, DATA_MIGRATIONS);
  verifier = createVerifier(1);
  begun.defer(() => verifier.close());
  relay = await FilledRelay.start({ cap: 100 });
  begun.defer(() => relay.down());
});

afterEach(() => begun.disposeAsync());

/** Starts a server with files by hash. */
async function startBlobs(): Promise<{ url: string; blobs: Map<string, Buffer>; asked: string[] }> {
  const blobs = new Map<string, Buffer>();
  const asked: string[] = [];
  const server = http.createServer(({ url }, response) => {
    asked.push(url!);
    const bytes = blobs.get(url!.slice(1));
    response.writeHead(bytes === undefined ? 404 : 200, { 'content-type': 'image/gif' }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  begun.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, blobs, asked };
}

interface File {
  bytes: Buffer;
  sha256: string;
  url: string;
}

function draw(n: number): File {
  const bytes = Buffer.from(writeGif({ width: 20 + n, height: 20, frames: [{ pixels: 1 }, { pixels: 2 }] }));
  return { bytes, sha256: createHash('sha256').update(bytes).digest('hex'), url: `https://127.0.0.1:1/${n}.gif` };
}

/** Adds a GIF from an event whose URL worked when it was added. */
async function add({ sha256, url, bytes }: File, n: number, key: Uint8Array): Promise<void> {
  const tags = [
    ['url', url],
    ['m', 'image/gif'],
    ['x', sha256],
  ];
  const event = finalizeEvent({ kind: 1063, created_at: NOW - n, content: `cat ${n}`, tags }, key);
  const said = readSaid(event);
  if (typeof said === 'string') throw new Error(said);
  const deriving = { minAuthors: 0, now: NOW, marks: { needed: 0, counts: () => false } };
  const claims = said.claims.map((claim) => ({ ...claim, relay: relay.url, seenAt: NOW * 1_000 }));
  await recordEvents(db, { ...said, claims, files: [], reports: [] }, deriving);
  const size = { format: 'gif', width: 20 + n, height: 20, frames: 2, durationMs: 200, bytes: bytes.length } as const;
  const facts = { ...size, sha256, lqip: null, transparent: false, blankStill: false };
  await noteAddress(db, url, { state: 'there', facts, kept: false }, deriving);
}

function list(key: Uint8Array, servers: readonly string[], createdAt = NOW): RelayEvent {
  const tags = servers.map((server) => ['server', server]);
  return finalizeEvent({ kind: SERVERS, created_at: createdAt, content: '', tags }, key);
}

/** Reads the lists as if it were the given time, in seconds since the Unix epoch. */
function read(now = NOW): Promise<void> {
  const clock = { now: () => now * 1_000 };
  return readServers({ db, verifier, clock, log: silentLog(), signal }, [relay.url, 'ws://127.0.0.1:1']);
}

test("at least 95 of 100 dead links with mirrors are found on their authors' servers", async () => {
  const servers = await Promise.all([startBlobs(), startBlobs(), startBlobs()]);
  const [fixed] = [await startBlobs()];
  const keys = Array.from({ length: 10 }, () => generateSecretKey());
  relay.publish(keys.map((key, n) => list(key, [servers[n % 3]!.url, servers[(n + 1) % 3]!.url])));
  const files = Array.from({ length: 100 }, (_, n) => draw(n));
  for (const [n, file] of files.entries()) {
    const author = n % keys.length;
    await add(file, n, keys[author]!);
    // Every other file is only on the second server.
    servers[(author + (n % 2)) % 3]!.blobs.set(file.sha256, file.bytes);
  }
  await read();
  const fetcher = new Fetcher({ allowPrivate: true });
  const clock = { now: () => NOW * 1_000 };
  const config = testConfig({ linkedHttp: 'show', blossomServers: fixed!.url });
  const { media } = createTestMedia({ fetcher, links: linkBook(db, clock), clock, config });
  begun.defer(async () => {
    await Promise.all([media.close(), fetcher.close()]);
  });
  const gifs = await tables(db).selectFrom('gifs').select(['id', 'sha256', 'url']).execute();
  expect(gifs).toHaveLength(100);
  const verdicts = await Promise.all(
    gifs.map(({ id, sha256, url }) => media.checkLink({ id, url, format: 'gif', expectedSha256: sha256 }, signal)),
  );
  const shown = verdicts.filter(({ state, change }) => state === 'alive' && change === 'moved');
  expect(shown.length).toBeGreaterThanOrEqual(95);
  expect(fixed!.asked).toEqual([]);
});

test('a relay is asked about each author once a week, and the newest list counts', async () => {
  const [key, other] = [generateSecretKey(), generateSecretKey()];
  const [pubkey, second] = [getPublicKey(key), getPublicKey(other)];
  await add(draw(1), 1, key);
  await add(draw(2), 2, other);
  const hostile = ['javascript:alert(1)', 'https://user@evil.example', `https://${'a'.repeat(300)}.example`, ''];
  relay.publish([
    list(key, [...hostile, 'https://old.example/path/', 'https://old.example']),
    list(generateSecretKey(), ['https://x.example']),
  ]);
  await read();
  const questions = relay.questions;
  expect(await serversOf(db, [second, pubkey])).toEqual(['https://old.example']);
  const many = ['a', 'b', 'c', 'd', 'e'].map((name) => `https://${name}.example`);
  relay.publish([list(key, many, NOW + 1), { ...list(other, many, NOW + 1), sig: '0'.repeat(128) }]);
  await read(NOW + 6 * DAY);
  expect(relay.questions).toBe(questions);
  await read(NOW + 8 * DAY);
  expect(await serversOf(db, [pubkey])).toEqual(many.slice(0, 3));
  expect(await serversOf(db, [second])).toEqual([]);
  await tables(db).deleteFrom('claims').execute();
  await read(NOW + 60 * DAY);
  expect(await serversOf(db, [pubkey])).toEqual([]);
});

test('if no relay responds, the authors are asked about again', async () => {
  const key = generateSecretKey();
  await add(draw(1), 1, key);
  await relay.down();
  await read();
  await relay.up();
  relay.publish([list(key, ['https://mine.example'])]);
  await read();
  expect(await serversOf(db, [getPublicKey(key)])).toEqual(['https://mine.example']);
});
