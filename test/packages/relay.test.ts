import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { getPublicKey, type NostrEvent, verifyEvent } from 'nostr-tools/pure';
import { Relay } from 'nostr-tools/relay';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchResponse } from '../../packages/client/src/index.ts';
import { writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { TOOLS } from './app.ts';

const SECRET = '07'.repeat(32);
const PUBKEY = getPublicKey(Buffer.from(SECRET, 'hex'));
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_FACES: 'relay', ZOETROPE_NOSTR_KEY: SECRET };
const GIFS = 5;
const SOON = { timeout: 480_000, interval: 5 };

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
let service: Server;
let url: string;

beforeAll(async () => {
  const gifs = path.join(folder.path, 'gifs');
  writeGifs(gifs, GIFS);
  const rows = fs.readdirSync(gifs).map((file) => ({ file, title: 'happy party', tags: ['dance'] }));
  const list = path.join(gifs, 'list.jsonl');
  fs.writeFileSync(list, rows.map((row) => JSON.stringify(row)).join('\n'));
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', list], ENV);
  expect(code, stderr).toBe(0);
  service = await startServer(data, ENV);
  url = service.url.replace('http', 'ws');
});

afterAll(async () => {
  await service?.stop();
  folder[Symbol.dispose]();
});

const tagOf = ({ tags }: { tags: string[][] }, name: string) => tags.find(([key]) => key === name)?.[1];
const urlsOf = (events: readonly NostrEvent[]) => events.map((event) => tagOf(event, 'url'));

async function searched(q: string): Promise<string[]> {
  const response = await service.get(`/api/v1/search?${new URLSearchParams({ q })}`);
  return ((await response.json()) as SearchResponse).items.map((gif) => gif.url);
}

/** Returns the events that arrive until the relay has sent all stored events. */
function ask(relay: Relay, filter: object): Promise<NostrEvent[]> {
  const { promise, resolve, reject } = Promise.withResolvers<NostrEvent[]>();
  const events: NostrEvent[] = [];
  const subscription = relay.subscribe([filter as { search: string }], {
    onevent: (event) => void events.push(event),
    oneose: () => {
      resolve(events);
      subscription.close();
    },
    // Otherwise, the library reports the end after 4.4 seconds, even if events are missing.
    eoseTimeout: 480_000,
    onclose: (reason) => reject(new Error(reason)),
  });
  return promise;
}

describe('the relay, read by nostr-tools', () => {
  let relay: Relay;
  beforeAll(async () => {
    relay = await Relay.connect(url);
  });
  afterAll(() => relay?.close());

  it('finds what a search finds, in its order, signed', async () => {
    const q = 'happy dance';
    const events = await ask(relay, { kinds: [1063], '#m': ['image/gif'], limit: 100, search: q });
    expect(urlsOf(events)).toEqual(await searched(q));
    expect(events).toHaveLength(GIFS);
    for (const event of events) {
      expect(verifyEvent({ ...event })).toBe(true);
      expect(event).toMatchObject({ kind: 1063, pubkey: PUBKEY });
      expect(tagOf(event, 'm')).toBe('image/gif');
      expect(tagOf(event, 'x')).toMatch(/^[0-9a-f]{64}$/);
      expect(tagOf(event, 'dim')).toBe('8x8');
      expect(event.content).toContain('happy');
    }
  });

  it('answers the other requests that apps send', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const shapes = [
      { kinds: [1063], '#m': ['image/gif'], limit: 100, search: 'dance', until: now + 60 },
      { kinds: [1063], limit: 30 },
      { kinds: [1063], limit: 2_000, until: now + 60 },
      { kinds: [1063], '#m': ['image/gif'], limit: 200 },
      { search: 'dance language:en nsfw:false' },
    ];
    for (const shape of shapes) expect(await ask(relay, shape), JSON.stringify(shape)).toHaveLength(GIFS);
    const [newest, ...older] = await ask(relay, { kinds: [1063] });
    for (const event of older) expect(event.created_at).toBeLessThanOrEqual(newest!.created_at);
    expect(await ask(relay, { kinds: [1063], limit: 2 })).toHaveLength(2);
  });

  it('finds by id, hash, author, tag and time, and nothing else', async () => {
    const [event] = await ask(relay, { kinds: [1063], limit: 1 });
    const again = { ...event! };
    for (const filter of [{ ids: [again.id] }, { '#x': [tagOf(again, 'x')] }, { '#t': ['dance'], authors: [PUBKEY] }]) {
      expect(
        (await ask(relay, filter)).map(({ id }) => id),
        JSON.stringify(filter),
      ).toContain(again.id);
    }
    const none = [
      { kinds: [1] },
      { authors: ['0'.repeat(64)] },
      { ids: ['0'.repeat(64)] },
      { '#x': ['../../etc/passwd'] },
      { '#m': ['image/png'] },
      { '#p': [PUBKEY] },
      { '#t': ['unknown'] },
      { until: 1 },
      { since: again.created_at + 3_600 },
      { limit: 0 },
    ];
    for (const filter of none) expect(await ask(relay, filter), JSON.stringify(filter)).toEqual([]);
  });

  it('a hidden GIF is gone', async () => {
    const [event] = await ask(relay, { kinds: [1063], limit: 1 });
    const hash = tagOf(event!, 'x')!;
    await zoetrope(data, ['gif', 'hide', `${hash}.gif`, '--reason', 'test']);
    await expect.poll(() => ask(relay, { '#x': [hash] }), SOON).toEqual([]);
    expect(await ask(relay, { ids: [event!.id] })).toEqual([]);
    await zoetrope(data, ['gif', 'show', `${hash}.gif`, '--reason', 'test']);
    await expect.poll(async () => (await ask(relay, { '#x': [hash] })).length, SOON).toBe(1);
  });

  it('describes itself', async () => {
    const response = await fetch(service.url, { headers: { accept: 'application/nostr+json' } });
    expect(response.headers.get('content-type')).toContain('application/nostr+json');
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toMatchObject({ pubkey: PUBKEY, supported_nips: [1, 11, 50, 94] });
    const page = await fetch(service.url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

describe.skipIf(!parts.packageTools)('the relay, read by other libraries', () => {
  const load = (name: string) => import(pathToFileURL(path.join(TOOLS, name)).href);
  const filter = { kinds: [1063], '#m': ['image/gif'], search: 'dance', limit: 100 };

  it('NDK', async () => {
    const { default: Ndk } = await load('@nostr-dev-kit/ndk/dist/index.mjs');
    const ndk = new Ndk({ explicitRelayUrls: [url] });
    // The promise is not awaited, because it always takes the whole time that is allowed.
    void ndk.connect();
    const events = [...(await ndk.fetchEvents(filter))] as NostrEvent[];
    expect(urlsOf(events).sort()).toEqual((await searched('dance')).sort());
    for (const relay of ndk.pool.relays.values()) relay.disconnect();
  });

  it('rx-nostr', async () => {
    const { createRxNostr, createRxBackwardReq, noopVerifier } = await load('rx-nostr/dist/rx-nostr.js');
    const rx = createRxNostr({ verifier: noopVerifier, websocketCtor: WebSocket });
    rx.setDefaultRelays([url]);
    const request = createRxBackwardReq();
    const { promise, resolve } = Promise.withResolvers<void>();
    const events: NostrEvent[] = [];
    rx.use(request).subscribe({
      next: ({ event }: { event: NostrEvent }) => events.push(event),
      complete: resolve,
    });
    request.emit(filter);
    request.over();
    await promise;
    rx.dispose();
    expect(urlsOf(events).sort()).toEqual((await searched('dance')).sort());
  });
});

describe('hostile callers of the relay', () => {
  /** Opens a connection and collects what the relay sends. */
  async function open() {
    const socket = new WebSocket(url);
    const received: unknown[][] = [];
    socket.addEventListener('message', ({ data }) => received.push(JSON.parse(String(data)) as unknown[]));
    await once(socket, 'open');
    const say = (...message: unknown[]) => socket.send(JSON.stringify(message));
    const heard = (type: string) => received.filter(([each]) => each === type);
    return { socket, received, say, heard };
  }

  const wrong: [string, string][] = [
    ['{', 'NOTICE'],
    ['{}', 'NOTICE'],
    ['[]', 'NOTICE'],
    ['["REQ"]', 'NOTICE'],
    ['["REQ","",{}]', 'NOTICE'],
    [`["REQ","${'x'.repeat(65)}",{}]`, 'NOTICE'],
    ['["COUNT","a",{}]', 'NOTICE'],
    ['["AUTH",{}]', 'NOTICE'],
    ['["REQ","a"]', 'CLOSED'],
    ['["REQ","a",1]', 'CLOSED'],
    ['["REQ","a",{"kinds":"1063"}]', 'CLOSED'],
    ['["REQ","a",{"limit":-1}]', 'CLOSED'],
    ['["REQ","a",{"search":1}]', 'CLOSED'],
    [JSON.stringify(['REQ', 'a', ...Array(1_000).fill({})]), 'CLOSED'],
    [JSON.stringify(['REQ', 'a', { '#t': Array(1_000).fill('t') }]), 'CLOSED'],
    [JSON.stringify(['REQ', 'a', { search: 'x'.repeat(40_000) }]), 'NOTICE'],
    ['["EVENT",{"id":"ab","kind":1}]', 'OK'],
    ['["EVENT",null]', 'OK'],
  ];
  it.each(wrong.map(([text, type]) => [text.slice(0, 60), type, text]))(
    '%s is answered with %s',
    async (_, type, text) => {
      const { socket, received } = await open();
      socket.send(text);
      await expect.poll(() => received.length, SOON).toBe(1);
      expect(received[0]![0]).toBe(type);
      socket.close();
    },
  );

  it('200 subscriptions are held, and no more', async () => {
    const { socket, say, heard } = await open();
    for (let n = 0; n < 199; n++) {
      say('REQ', `s${n}`, { kinds: [1] });
      await expect.poll(() => heard('EOSE').length, SOON).toBe(n + 1);
    }
    say('REQ', 'last', { limit: 1 });
    await expect.poll(() => heard('EVENT').length, SOON).toBe(1);
    socket.close();
  });

  it('a flood ends its own connection, and other connections still work', async () => {
    const { socket, say } = await open();
    const closed = once(socket, 'close');
    for (let n = 0; n < 1_000; n++) say('CLOSE', `s${n}`);
    expect(((await closed) as [CloseEvent])[0].code).toBe(1008);
    const other = await open();
    other.say('REQ', 'a', { limit: 1 });
    await expect.poll(() => other.heard('EOSE').length, SOON).toBe(1);
    other.socket.close();
  });

  it('only the root path is a relay', async () => {
    const socket = new WebSocket(`${url}/api/v1/search`);
    await once(socket, 'error');
    expect(socket.readyState).toBeGreaterThan(WebSocket.OPEN);
  });
});

it('a wrong key is reported without being shown', async () => {
  using other = temporaryFolder();
  for (const key of ['', 'nsec1wrong', `nsec1${'q'.repeat(58)}`]) {
    const { code, stderr } = await zoetrope(other.path, ['serve'], { ...ENV, ZOETROPE_NOSTR_KEY: key });
    expect(code).not.toBe(0);
    expect(stderr).toContain('ZOETROPE_NOSTR_KEY');
    if (key !== '') expect(stderr).not.toContain(key);
  }
});
