import fs from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { seeded } from '@zoetrope/starter';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { pageOfGifs } from '../catalog/index.ts';
import { addressesToSee, refreshClaimed } from '../claims/index.ts';
import { createTestMedia, silentLog } from '../media/testing/test-media.ts';
import type { Database } from '../platform/db/index.ts';
import { type DownloadOptions, Fetcher } from '../platform/fetch/index.ts';
import { createVerifier, reportRelays, type Verifier } from '../platform/relay/index.ts';
import { FilledRelay, type RelayTraits } from '../platform/relay/testing/relay.ts';
import { type GifRecord, tables } from '../records/index.ts';
import { openStore } from '../service/store.ts';
import { authorsOf } from './authors.ts';
import { RelayConfig } from './config.ts';
import { seeAddresses } from './files.ts';
import { catchUp, followRelay } from './follow.ts';
import { type Batch, Intake } from './intake.ts';
import { streamsOf } from './streams.ts';
import { makeWorld, NOW, type Shown, type World } from './testing/world.ts';

const config = Value.Default(RelayConfig, {}) as RelayConfig;
const clock = { seconds: NOW, now: () => clock.seconds * 1_000 };
const EVERYBODY = authorsOf(config, []);
const QUOTAS = { author: config.authorEvents, relay: config.relayEvents };
const DERIVING = { minAuthors: config.minAuthors, marks: { needed: config.marks, counts: EVERYBODY.isNamed } };

let world: World;
let verifier: Verifier;
let server: http.Server;
const media = createTestMedia();
const local = new Fetcher({ allowPrivate: true });
const guarded = new Fetcher(
  { allowPrivate: false },
  {
    resolve: ((_: string, __: object, done: (error: null, found: object[]) => void) =>
      done(null, [{ address: '10.0.0.1', family: 4 }])) as never,
  },
);
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  world = await makeWorld(800);
  verifier = createVerifier(2);
  server = http.createServer((request, response) => {
    const bytes = world.files.get(`https:/${request.url}`);
    response.writeHead(bytes ? 200 : 404, { 'content-type': 'image/gif' }).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  clock.seconds = NOW;
  for (const close of closing.splice(0).reverse()) await close();
});

afterAll(async () => {
  await Promise.all([verifier.close(), media.media.close(), local.close(), guarded.close()]);
  server.close();
  server.closeAllConnections();
});

/** This machine serves the two hosts of the simulated world. All other downloads use the guarded fetcher. */
const fetcher = {
  download(url: string, options: DownloadOptions): Promise<Uint8Array> {
    const { host, pathname } = new URL(url);
    if (host !== 'files.example' && host !== 'mirror.example') return guarded.download(url, options);
    const { port } = server.address() as AddressInfo;
    return local.download(`http://127.0.0.1:${port}/${host}${pathname}`, options);
  },
};

/** The real workers ingest each file only once, for all tests. */
const ingested = new Map<string, ReturnType<typeof media.media.ingest>>();
const ingest: typeof media.media.ingest = (bytes, options) => {
  const key = Buffer.from(bytes).toString('base64');
  const done = ingested.get(key) ?? media.media.ingest(bytes, options);
  ingested.set(key, done);
  return done;
};

async function openCatalogue(): Promise<Database> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-'));
  const { db } = await openStore(folder);
  closing.push(async () => {
    await db.destroy();
    await fs.rm(folder, { recursive: true });
  });
  return db;
}

async function startRelay(traits: RelayTraits = {}, events = world.events): Promise<FilledRelay> {
  const relay = await FilledRelay.start({ cap: 200, ...traits });
  relay.publish(events);
  closing.push(() => relay.down());
  return relay;
}

interface Following {
  intake: Intake;
  /** Resolves when all events of the relay have been read. */
  caughtUp: Promise<void>;
  stop(): Promise<void>;
}

function optionsFor(db: Database, { url }: FilledRelay, signal: AbortSignal) {
  const intake = new Intake(
    { db, verifier, clock, minAuthors: config.minAuthors, marks: config.marks, quotas: QUOTAS },
    EVERYBODY,
  );
  const streams = streamsOf(config, EVERYBODY);
  return { url, db, intake, streams, authors: EVERYBODY.name, clock, log: silentLog(), signal };
}

function follow(db: Database, relay: FilledRelay): Following {
  const stopping = new AbortController();
  const caughtUp = Promise.withResolvers<void>();
  const options = optionsFor(db, relay, stopping.signal);
  const following = followRelay({ ...options, onCaughtUp: caughtUp.resolve });
  const stop = async () => {
    stopping.abort();
    await following;
  };
  closing.push(stop);
  return { intake: options.intake, caughtUp: caughtUp.promise, stop };
}

async function seeAll(db: Database): Promise<void> {
  const { intake, ...rest } = optionsFor(db, { url: '' } as FilledRelay, new AbortController().signal);
  const limits = { maxBytes: 1_000_000, timeoutMs: 20_000, store: 'linked' as const };
  const options = { ...rest, ...limits, fetcher, media: { ingest }, quotas: config, deriving: () => intake.deriving };
  while ((await seeAddresses(options)) > 0);
  expect(await addressesToSee(db, clock.now(), { limit: 1 })).toEqual([]);
}

async function shownBy(db: Database): Promise<Map<string, Shown>> {
  return new Map((await pageOfGifs(db, '', 10_000)).map((gif) => [gif.id, toShown(gif)]));
}

/** Returns the order in which events arrived, keyed by id. */
async function seenBy(db: Database): Promise<Map<string, number>> {
  const rows = await tables(db).selectFrom('claims').select(['eventId', 'seq']).execute();
  return new Map(rows.map(({ eventId, seq }) => [eventId, seq]));
}

function toShown({ title, text, tags, alt, lang, adult, url, fallback, popularity }: GifRecord): Shown {
  const addresses = [url!, ...fallback].toSorted();
  const titles = text === '' ? [] : text.split('\n');
  return { title, titles, tags, alt, lang, adult, addresses, popularity: popularity.toFixed(9) };
}

async function countsOf(db: Database): Promise<Record<string, number>> {
  const [report] = await reportRelays(db);
  return report?.counts ?? {};
}

async function expectWorld(db: Database): Promise<void> {
  await seeAll(db);
  expect(await shownBy(db)).toEqual(world.expectedAt(clock.seconds, await seenBy(db)));
}

test('the world contains enough GIFs, including adult ones', () => {
  const expected = world.expectedAt(NOW, new Map());
  const adult = [...expected.values()].filter((gif) => gif.adult).length;
  expect(expected.size).toBeGreaterThan(100);
  expect(adult).toBeGreaterThan(0);
});

test('an empty catalogue is filled page by page', async () => {
  const db = await openCatalogue();
  const { caughtUp } = follow(db, await startRelay());
  await caughtUp;
  await expectWorld(db);
  const counts = await countsOf(db);
  for (const reason of ['forged', 'too_many_tags', 'too_long', 'not_https']) {
    expect(counts[reason], reason).toBeGreaterThan(1);
  }
});

test('an empty catalogue is filled from a relay that compares sets', async () => {
  const db = await openCatalogue();
  const relay = await startRelay({ compares: true });
  await catchUp(optionsFor(db, relay, new AbortController().signal));
  await expectWorld(db);
  const before = relay.questions;
  await catchUp(optionsFor(db, relay, new AbortController().signal));
  // The relay sends only rejected events and the notes of the last hour again.
  expect(relay.questions - before).toBeLessThan(before);
  await expectWorld(db);
});

test('events that arrive live, in any order, give the same catalogue', async () => {
  const db = await openCatalogue();
  const relay = await startRelay({}, []);
  const { intake, caughtUp } = follow(db, relay);
  await caughtUp;
  // The stored counts cannot be used here, because they also include pictures that packs left out.
  const read = new Set<string>();
  vi.spyOn(intake, 'take').mockImplementation(async (batch) => {
    await Intake.prototype.take.call(intake, batch);
    for (const { id } of batch.events) read.add(id);
  });
  const random = seeded('any order');
  const order = world.events.map((event) => ({ event, at: event.kind === 7 ? 2 : random() }));
  order.sort((a, b) => a.at - b.at);
  const isRead = ({ tags, content }: World['events'][number]) => tags.length <= 100 && content.length < 60_000;
  const sent = order.map(({ event }) => event);
  for (let from = 0; from < sent.length; from += 250) {
    relay.publish(sent.slice(from, from + 250));
    const wanted = sent.slice(0, from + 250).filter(isRead).length;
    await vi.waitUntil(() => read.size === wanted, { timeout: 480_000 });
  }
  await expectWorld(db);
  expect((await countsOf(db))['from_the_future']).toBeGreaterThan(10);
});

test('reading continues after an interruption', async () => {
  const db = await openCatalogue();
  const relay = await startRelay();
  const first = follow(db, relay);
  await vi.waitUntil(async () => (await countsOf(db))['taken'], { timeout: 480_000, interval: 5 });
  await first.stop();
  const [report] = await reportRelays(db);
  expect(report!.state).toBe('stopped');
  expect(report!.streams.some(({ gaps }) => gaps.length > 0)).toBe(true);
  await seeAll(db);
  await follow(db, relay).caughtUp;
  await expectWorld(db);
});

test('reading continues with the page that was interrupted, and does not begin again', async () => {
  const db = await openCatalogue();
  const key = generateSecretKey();
  const files = Array.from({ length: 30 }, (_, n) => {
    const tags = [
      ['url', `https://files.example/many-${n}.gif`],
      ['m', 'image/gif'],
    ];
    return finalizeEvent({ kind: 1063, created_at: NOW - (n + 1) * 86_400, content: `many ${n}`, tags }, key);
  });
  const relay = await startRelay({ cap: 5 }, files);
  const options = optionsFor(db, relay, new AbortController().signal);
  const read = async (most: number): Promise<string[]> => {
    const ids: string[] = [];
    const take = async (batch: Batch) => {
      ids.push(...batch.events.map(({ id }) => id));
      if (ids.length > most) throw new Error('it died');
      await options.intake.take(batch);
    };
    await catchUp({ ...options, intake: { take } }).catch((error: Error) => expect(error.message).toBe('it died'));
    return ids;
  };
  expect((await read(15)).length).toBeLessThan(files.length);
  const again = await read(1_000);
  expect(files.slice(0, 10).filter(({ id }) => again.includes(id))).toEqual([]);
  expect((await seenBy(db)).size).toBe(files.length);
});

/** Returns the events up to this time, and the later events. */
function dividedAt(seconds: number): [World['events'], World['events']] {
  const isLater = ({ created_at }: World['events'][number]) => created_at > seconds;
  return [world.events.filter((event) => !isLater(event)), world.events.filter(isLater)];
}

const isBack = async (db: Database) => {
  const [report] = await reportRelays(db);
  const { state, streams } = report!;
  return state === 'connected' && streams.every(({ head, gaps }) => head >= clock.seconds && gaps.length === 0);
};

test('a relay that disconnects is read to its end when it is back', async () => {
  const db = await openCatalogue();
  const [earlier, later] = dividedAt(NOW - 5 * 86_400);
  clock.seconds = NOW - 5 * 86_400;
  const relay = await startRelay({ breaksAt: 9 }, earlier);
  await follow(db, relay).caughtUp;
  await relay.down();
  await vi.waitUntil(async () => (await reportRelays(db))[0]!.state === 'waiting', { timeout: 480_000 });
  relay.publish(later);
  clock.seconds = NOW;
  await relay.up();
  await vi.waitUntil(() => isBack(db), { timeout: 480_000 });
  await refreshAll(db);
  await expectWorld(db);
});

async function refreshAll(db: Database): Promise<void> {
  let last: string | undefined = '';
  while (last !== undefined) {
    last = await refreshClaimed(db, last, { ...DERIVING, now: clock.seconds });
  }
}

test.each([true, false])(
  'files that reach a relay late are found a day later, with set comparison: %s',
  async (compares) => {
    const db = await openCatalogue();
    const isLate = ({ kind }: World['events'][number], n: number) => n % 3 === 0 && (kind === 1063 || kind === 5);
    const relay = await startRelay(
      { compares },
      world.events.filter((event, n) => !isLate(event, n)),
    );
    const following = follow(db, relay);
    await following.caughtUp;
    await following.stop();
    relay.publish(world.events.filter(isLate));
    clock.seconds += 86_400;
    await follow(db, relay).caughtUp;
    await seeAll(db);
    // Likes of events that were unknown when the like arrived are not stored.
    const likeable = (all: Map<string, Shown>) => [...all].map(([id, shown]) => ({ ...shown, id, popularity: '' }));
    expect(likeable(await shownBy(db))).toEqual(
      likeable(world.expectedAt(NOW, await seenBy(db))).sort((a, b) => (a.id < b.id ? -1 : 1)),
    );
  },
);

test('events that a relay received half an hour late, after a disconnection, are read', async () => {
  const db = await openCatalogue();
  const relay = await startRelay({}, []);
  const first = follow(db, relay);
  await first.caughtUp;
  await first.stop();
  const key = generateSecretKey();
  const late = Array.from({ length: 5 }, (_, n) => {
    const tags = [
      ['url', `https://files.example/late-${n}.gif`],
      ['m', 'image/gif'],
      ['x', `${n}`.repeat(64)],
    ];
    return finalizeEvent({ kind: 1063, created_at: NOW - 1_800 - n, content: 'late', tags }, key);
  });
  relay.publish(late);
  clock.seconds += 60;
  await follow(db, relay).caughtUp;
  expect([...(await seenBy(db)).keys()].sort()).toEqual(late.map(({ id }) => id).sort());
});

test('the pauses grow before a relay that refuses all requests is asked again', async () => {
  const relay = await startRelay({ closes: true }, []);
  const stopping = new AbortController();
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    if (pauses.push(ms) === 8) stopping.abort();
  };
  await followRelay({ ...optionsFor(await openCatalogue(), relay, stopping.signal), pause });
  expect(pauses).toEqual([1_000, 2_000, 5_000, 10_000, 30_000, 60_000, 300_000, 300_000]);
});

test('two relays with the same events result in one catalogue', async () => {
  const db = await openCatalogue();
  const relays = await Promise.all([startRelay(), startRelay({ compares: true })]);
  await Promise.all(relays.map((relay) => follow(db, relay).caughtUp));
  await expectWorld(db);
});
