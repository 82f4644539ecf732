import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { Value } from 'typebox/value';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { createVerifier, type RelayEvent, type Verifier } from '../platform/relay/index.ts';
import { tables as relayTables } from '../platform/relay/tables.ts';
import { tables as catalogTables } from '../records/index.ts';
import { openStore } from '../service/store.ts';
import { authorsOf } from './authors.ts';
import { RelayConfig } from './config.ts';
import { Intake } from './intake.ts';
import { streamsOf } from './streams.ts';

const DAY_MS = 86_400_000;
const NOW = 20_000 * DAY_MS;
const LIMITS = { author: 5, relay: 12 };

const key = generateSecretKey();
const named = generateSecretKey();
const config = { ...(Value.Default(RelayConfig, {}) as RelayConfig), pubkeys: getPublicKey(named) };
const AUTHORS = authorsOf(config, []);
const clock = { time: NOW, now: () => clock.time };

let verifier: Verifier;
let folder: string;
let db: Database;

beforeAll(() => {
  verifier = createVerifier(1);
});
afterAll(() => verifier.close());

beforeEach(async () => {
  clock.time = NOW;
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-'));
  ({ db } = await openStore(folder));
});
afterEach(async () => {
  await db.destroy();
  await fs.rm(folder, { recursive: true });
});

let made = 0;

function file(by = key): RelayEvent {
  const tags = [
    ['url', `https://a.example/${++made}.gif`],
    ['m', 'image/gif'],
  ];
  return finalizeEvent({ kind: 1063, created_at: NOW / 1_000 - made, content: `cat ${made}`, tags }, by);
}

const many = (count: number, by = key) => Array.from({ length: count }, () => file(by));

/** Processes events from a relay. @returns the outcomes of all its events so far */
async function send(
  events: RelayEvent[],
  relay = 'wss://a.example',
  stream = 'files',
): Promise<Record<string, number>> {
  const intake = new Intake({ db, verifier, clock, minAuthors: 3, marks: 3, quotas: LIMITS }, AUTHORS);
  const key = { relay, stream, filter: '' };
  const found = streamsOf(config, AUTHORS).find(({ name }) => name === stream)!;
  await intake.take({ key, stream: found, events, progress: { head: 0, gaps: [], repairedAt: 0 } });
  const counts: Record<string, number> = {};
  const rows = await relayTables(db).selectFrom('relayCounts').selectAll().where('relay', '=', relay).execute();
  for (const { outcome, events: n } of rows) counts[outcome] = n;
  return counts;
}

it('limits an author per day, even after a restart, and accepts the rest on the next day', async () => {
  const events = many(8);
  expect(await send(events)).toEqual({ taken: 5, over_quota: 3 });
  expect(await send(events)).toEqual({ taken: 5, over_quota: 6, known: 5 });
  clock.time += DAY_MS;
  expect(await send(events)).toEqual({ taken: 8, over_quota: 6, known: 10 });
});

it('limits the events of a relay per day, over all authors, and separately from other relays', async () => {
  const strangers = Array.from({ length: 15 }, () => file(generateSecretKey()));
  expect(await send(strangers)).toEqual({ taken: 12, over_quota: 3 });
  expect(await send([file()], 'wss://b.example')).toEqual({ taken: 1 });
});

it('does not limit listed people, or events that are read again', async () => {
  expect(await send(many(9, named))).toEqual({ taken: 9 });
  const notes = Array.from({ length: 5 }, (_, n) => {
    const url = `https://a.example/note${n}.gif`;
    return finalizeEvent({ kind: 1, created_at: NOW / 1_000 - n, content: `look ${url}`, tags: [] }, key);
  });
  for (const taken of [5, 10, 15]) expect(await send(notes, 'wss://c.example', 'notes')).toEqual({ taken });
});

it('does not charge forged events to their author', async () => {
  const forged = many(20).map((event) => ({ ...event, sig: event.sig.replace(/^./, (d) => (d === '0' ? '1' : '0')) }));
  expect((await send(forged))['forged']).toBe(20);
  expect((await send(many(5)))['taken']).toBe(5);
});

it('limits the signature checks of a relay per day', async () => {
  const forged = many(70).map((event) => ({ ...event, content: `${event.content}!` }));
  // Five checks are allowed for each event that the limit admits.
  expect(await send(forged)).toEqual({ forged: 60, over_quota: 10 });
});

it('accepts all deletions of stored events, and limits others', async () => {
  const events = many(5);
  await send(events);
  const about = (ids: string[]) => {
    const tags = ids.map((id) => ['e', id]);
    return finalizeEvent({ kind: 5, created_at: NOW / 1_000, content: '', tags }, key);
  };
  const unknown = Array.from({ length: 5 }, (_, n) => `${n}`.repeat(64));
  expect(await send([about(unknown)], 'wss://a.example', 'deletions')).toEqual({ taken: 6 });
  const over = { taken: 6, over_quota: 1 };
  expect(await send([about(['9'.repeat(64)])], 'wss://a.example', 'deletions')).toEqual(over);
  const last = await send([about(events.map(({ id }) => id))], 'wss://a.example', 'deletions');
  expect(last).toEqual({ ...over, taken: 7 });
  const rows = await catalogTables(db).selectFrom('claims').select('withdrawn').execute();
  expect(rows.map(({ withdrawn }) => withdrawn)).toEqual([1, 1, 1, 1, 1]);
});
