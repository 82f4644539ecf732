import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { finalizeEvent, getPublicKey, verifyEvent } from 'nostr-tools/pure';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  addRelay,
  createVerifier,
  forgetEvents,
  type RelayEvent,
  reportRelays,
  type Verifier,
} from '../platform/relay/index.ts';
import { tables } from '../records/index.ts';
import { openStore, type Store } from '../service/store.ts';
import { type Authors, authorsOf } from './authors.ts';
import { RelayConfig } from './config.ts';
import { Intake } from './intake.ts';
import { streamsOf } from './streams.ts';

const NOW = 1_790_000_000;
const PEOPLE = Array.from({ length: 6 }, (_, n) => new Uint8Array(32).fill(n + 1));
const WALLET = new Uint8Array(32).fill(99);
const AUTHOR = new Uint8Array(32).fill(98);
const config = Value.Default(RelayConfig, {}) as RelayConfig;
const EVERYBODY = authorsOf(config, []);
const RELAY = 'wss://relay.example';
const STREAMS = streamsOf(config, EVERYBODY);

type Template = Parameters<typeof finalizeEvent>[0];
/** Signs an event. The copy does not have the library's mark for checked signatures, just like events from a relay. */
const sign = (template: Template, key: Uint8Array): RelayEvent => structuredClone({ ...finalizeEvent(template, key) });

let folder: string;
let store: Store;
let verifier: Verifier;
let turn = 0;

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'zoetrope-'));
  store = await openStore(folder);
  verifier = createVerifier(1);
});

afterAll(async () => {
  await verifier.close();
  await store.close();
  await fs.rm(folder, { recursive: true });
});

function openIntake(): Intake {
  const quotas = { author: 100_000, relay: 1_000_000 };
  const options = { db: store.db, verifier, clock: { now: () => NOW * 1_000 }, minAuthors: 1, marks: 3, quotas };
  return new Intake(options, EVERYBODY);
}

async function take(events: RelayEvent[], intake = openIntake()): Promise<void> {
  const stream = STREAMS.find(({ filter }) => filter.kinds.includes(events[0]!.kind))!;
  const key = { relay: RELAY, stream: stream.name, filter: 'all' };
  await intake.take({ key, stream, events, progress: { head: 0, gaps: [], repairedAt: 0 } });
}

/** Returns an event. Each call is about a different file. */
function makeFile(...more: string[][]): RelayEvent {
  const tags = [
    ['url', `https://files.example/${++turn}.gif`],
    ['m', 'image/gif'],
    ['x', turn.toString(16).padStart(64, '0')],
    ...more,
  ];
  return sign({ kind: 1063, created_at: NOW - 100, content: `cat ${turn}`, tags }, AUTHOR);
}

/** The faults of a zap. */
interface Fault {
  signature: boolean;
  /** Whether the request has another person's public key. */
  request: boolean;
}

/** Returns the receipt of a person's payment for an event. */
function zap(eventId: string, person: number, { signature, request }: Fault): RelayEvent {
  const tags = [
    ['e', eventId],
    ['amount', '21000'],
  ];
  const asked = sign({ kind: 9734, created_at: NOW - 60, content: '', tags }, PEOPLE[person]!);
  const signed = request ? { ...asked, pubkey: getPublicKey(PEOPLE[(person + 1) % PEOPLE.length]!) } : asked;
  const receipt = [
    ['e', eventId],
    ['description', JSON.stringify(signed)],
  ];
  const event = sign({ kind: 9735, created_at: NOW - 50, content: '', tags: receipt }, WALLET);
  return signature ? { ...event, sig: '0'.repeat(128) } : event;
}

const HONEST: Fault = { signature: false, request: false };

test('a zap counts exactly if its own signature and that of its request hold, whatever else is in the batch', async () => {
  const fault = fc.record({ signature: fc.boolean(), request: fc.boolean() });
  const batches = fc.array(fault, { minLength: 1, maxLength: PEOPLE.length });
  await fc.assert(
    fc.asyncProperty(batches, async (faults) => {
      const file = makeFile();
      await take([file]);
      await take(faults.map((fault, person) => zap(file.id, person, fault)));
      const isHonest = ({ signature, request }: Fault) => !signature && !request;
      const honest = PEOPLE.filter((_, n) => faults[n] !== undefined && isHonest(faults[n]!));
      const votes = await tables(store.db).selectFrom('votes').select('author').where('target', '=', file.id).execute();
      expect(votes.map(({ author }) => author).toSorted()).toEqual(honest.map((key) => getPublicKey(key)).toSorted());
    }),
    { numRuns: 50 * inject('cases') },
  );
});

test('the number of zaps of unknown events is reported, without zaps of known events', async () => {
  await addRelay(store.db, RELAY, NOW);
  const count = async () => (await reportRelays(store.db))[0]!.counts['unknown_target'] ?? 0;
  const file = makeFile();
  await take([file]);
  const before = await count();
  await take([zap(file.id, 0, HONEST), zap('f'.repeat(64), 1, HONEST), zap('e'.repeat(64), 2, HONEST)]);
  expect((await count()) - before).toBe(2);
});

test('events of authors who are no longer allowed are refused, and taken again when the authors are allowed again', async () => {
  const nobody = authorsOf({ ...config, authors: 'listed', pubkeys: getPublicKey(WALLET) }, []);
  const intake = openIntake();
  const file = makeFile();
  const allowing = async (authors: Authors) => {
    await intake.allow(authors);
    await take([file], intake);
    return tables(store.db).selectFrom('claims').select('author').where('eventId', '=', file.id).execute();
  };
  for (let round = 0; round < 2; round++) {
    expect(await allowing(EVERYBODY)).toEqual([{ author: file.pubkey }]);
    expect(await allowing(nobody)).toEqual([]);
  }
});

test('events about files are stored as they came, except forged, long, protected and expiring ones', async () => {
  const plain = makeFile(['unknown', 'a\u0000é🙂']);
  const forged = { ...makeFile(), content: 'other words' };
  const others = [
    makeFile(['summary', 'x'.repeat(8_000)]),
    makeFile(['-']),
    makeFile(['expiration', String(NOW + 60)]),
  ];
  const events = [plain, forged, ...others];
  await take(events);
  const ids = events.map(({ id }) => id);
  const claimed = await tables(store.db).selectFrom('claims').select('eventId').where('eventId', 'in', ids).execute();
  expect(claimed.map(({ eventId }) => eventId).toSorted()).toEqual([plain, ...others].map(({ id }) => id).toSorted());
  // After a migration, events are read again if they were processed before the service stored events.
  await tables(store.db).deleteFrom('fileEvents').execute();
  await forgetEvents(store.db, 'files');
  await take(events);
  const stored = await tables(store.db).selectFrom('fileEvents').selectAll().where('id', 'in', ids).execute();
  expect(stored).toMatchObject([{ id: plain.id, author: plain.pubkey, createdAt: plain.created_at }]);
  expect(JSON.parse(stored[0]!.event)).toEqual(plain);
  expect(verifyEvent(JSON.parse(stored[0]!.event))).toBe(true);
});
