import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import { afterEach, expect, test, vi } from 'vitest';
import { type EventRefusal, type RelayEvent, readEvent } from './event.ts';
import { comparesSets, createVerifier, RelayConnection, readBackwards } from './index.ts';
import { FilledRelay, type RelayTraits } from './testing/relay.ts';

const START = 1_790_000_000;
const KEYS = Array.from({ length: 5 }, generateSecretKey);
const HALF_A_MEGABYTE = 'x'.repeat(500_000);

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function note(n: number, createdAt: number, content = `note ${n}`): RelayEvent {
  const template = { kind: 1063, created_at: createdAt, tags: [['t', `tag${n % 3}`]], content };
  // The event in the form in which it arrives over the network, without the library's symbol for verified events.
  return JSON.parse(JSON.stringify(finalizeEvent(template, KEYS[n % KEYS.length]!)));
}

/** Returns a note without a valid signature, because signing would take longer than the rest of the test. */
function unsigned(n: number, createdAt: number): RelayEvent {
  const id = n.toString(16).padStart(64, '0');
  const pubkey = (n % 5).toString(16).padStart(64, '0');
  const tags = [['t', `tag${n % 3}`]];
  return { id, pubkey, sig: '0'.repeat(128), kind: 1063, created_at: createdAt, tags, content: '' };
}

async function startRelay(events: readonly RelayEvent[], traits: RelayTraits = {}): Promise<FilledRelay> {
  const relay = await FilledRelay.start(traits);
  closing.push(() => relay.down());
  relay.publish(events);
  return relay;
}

async function connect({ url }: FilledRelay, onRefused: (reason: EventRefusal) => void = () => {}) {
  const connection = await RelayConnection.open({ url, onRefused });
  closing.push(() => connection.close());
  return connection;
}

async function readAll(relay: FilledRelay, gaps: number[] = []): Promise<string[]> {
  const connection = await connect(relay);
  const paging = { page: connection.page.bind(connection), onGap: (second: number) => gaps.push(second) };
  const ids: string[] = [];
  for await (const { events } of readBackwards(paging, { kinds: [1063] }, { since: 0, until: START + 100_000 })) {
    ids.push(...events.map(({ id }) => id));
  }
  return ids;
}

test('reads all events page by page, each once, even if several share a second', async () => {
  const events = Array.from({ length: 1_000 }, (_, n) => unsigned(n, START + Math.floor(n / 7)));
  const ids = await readAll(await startRelay(events, { cap: 60 }));
  expect(ids.length).toBe(1_000);
  expect(new Set(ids)).toEqual(new Set(events.map(({ id }) => id)));
});

test('splits a second with more than one page of events by authors and tags, and reports it', async () => {
  const before = Array.from({ length: 100 }, (_, n) => unsigned(n, START - n));
  const crowd = Array.from({ length: 600 }, (_, n) => unsigned(1_000 + n, START + 5));
  const gaps: number[] = [];
  const ids = await readAll(await startRelay([...before, ...crowd], { cap: 60 }), gaps);
  // Each author has 120 events in that second, 40 with each tag.
  expect(new Set(ids)).toEqual(new Set([...before, ...crowd].map(({ id }) => id)));
  expect(gaps).toEqual([START + 5]);
});

test('compares sets with a relay that supports it', async () => {
  const events = Array.from({ length: 800 }, (_, n) => unsigned(n, START + (n < 300 ? 0 : n)));
  const relay = await startRelay(events, { compares: true });
  expect(await comparesSets(relay.url)).toBe(true);
  expect(await comparesSets((await startRelay([])).url)).toBe(false);
  const connection = await connect(relay);
  const known = events.filter((_, n) => n % 3 !== 0).map(({ id, created_at }) => ({ id, createdAt: created_at }));
  const missing = await connection.missing({ kinds: [1063] }, known);
  expect(new Set(missing)).toEqual(new Set(events.filter((_, n) => n % 3 === 0).map(({ id }) => id)));
  expect((await connection.missing({ kinds: [1063] }, [])).length).toBe(800);
});

test('finds events by id, even if the relay returns only a few per request', async () => {
  const events = Array.from({ length: 130 }, (_, n) => unsigned(n, START));
  const connection = await connect(await startRelay(events, { cap: 50 }));
  const ids = [...events.map(({ id }) => id), 'f'.repeat(64)];
  expect((await connection.byId(ids)).map(({ id }) => id).sort()).toEqual(ids.slice(0, -1).sort());
});

test('rejects invalid events', async () => {
  const good = note(1, START);
  const bad = [
    { ...note(2, START, HALF_A_MEGABYTE.repeat(20)) },
    { ...note(3, START), tags: Array.from({ length: 101 }, () => ['t', 'x']) },
    { ...note(4, START), tags: 'none' },
    { ...note(5, START), id: 'short' },
  ] as RelayEvent[];
  const refused: string[] = [];
  const connection = await connect(await startRelay([good, ...bad]), (reason) => refused.push(reason));
  const page = await connection.page({ kinds: [1063] });
  expect(page.events).toEqual([good]);
  expect(page.count).toBe(5);
  expect(refused.sort()).toEqual(['malformed', 'malformed', 'too_long', 'too_many_tags']);
});

test('drops an event that was not requested', async () => {
  const relay = await startRelay([]);
  const refused: string[] = [];
  const connection = await connect(relay, (reason) => refused.push(reason));
  const heard: RelayEvent[] = [];
  connection.listen({ kinds: [1063], '#t': ['tag1'] }, (event) => heard.push(event));
  const wanted = note(1, START);
  await vi.waitUntil(() => relay.questions > 0, { timeout: 480_000 });
  relay.publish([wanted, note(2, START)]);
  await vi.waitUntil(() => heard.length > 0, { timeout: 480_000 });
  expect(heard).toEqual([wanted]);
  expect(refused).toEqual([]);
});

test('rejects events that a relay sends without being asked for them', async () => {
  const wanted = unsigned(1, START);
  const refused: string[] = [];
  const relay = await startRelay([wanted], { intrudes: [{ ...unsigned(2, START), kind: 1 }, unsigned(3, START - 10)] });
  const connection = await connect(relay, (reason) => refused.push(reason));
  const page = await connection.page({ kinds: [1063], since: START });
  expect(page.events).toEqual([wanted]);
  expect(refused).toEqual(['not_asked_for', 'not_asked_for']);
});

test('ends a response that never ends', async () => {
  const relay = await startRelay([], { intrudes: Array.from({ length: 5_001 }, (_, n) => unsigned(n, START)) });
  const connection = await connect(relay);
  await expect(connection.page({ kinds: [1063] })).rejects.toThrow('it sends more than was requested');
});

test('ends the connection if the relay closes a subscription, because no more events would arrive', async () => {
  const connection = await connect(await startRelay([], { closes: true }));
  connection.listen({ kinds: [1063] }, () => {});
  expect(await connection.ended).toMatch(/connection/);
});

test('checks signatures in threads, in order', async () => {
  const verifier = createVerifier(2);
  closing.push(verifier.close);
  const events = Array.from({ length: 80 }, (_, n) => note(n, START + n));
  const forged = events.map((event, n) => (n % 4 === 0 ? { ...event, content: 'other words' } : event));
  expect(await verifier.verify(forged)).toEqual(forged.map((_, n) => n % 4 !== 0));
});

test('a relay that closes the connection ends all requests', async () => {
  const relay = await startRelay([note(1, START)]);
  const connection = await connect(relay);
  await relay.down();
  expect(await connection.ended).toMatch(/connection/);
  await expect(connection.page({ kinds: [1063] })).rejects.toThrow();
  await relay.up();
});

test.each([null, [], 'text', { ...note(1, START), kind: 1.5 }, { ...note(1, START), created_at: '5' }])(
  '%j is not an event',
  (value) => {
    expect(readEvent(value)).toBe('malformed');
  },
);
