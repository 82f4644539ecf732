import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Gif, SearchResponse } from '@zoetrope/contract';
import { finalizeEvent, generateSecretKey, getPublicKey, type NostrEvent, verifyEvent } from 'nostr-tools/pure';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Domains, startDomains } from '../../packages/server/src/account/testing/domains.ts';
import type { RelayEvent } from '../../packages/server/src/platform/relay/index.ts';
import { FilledRelay } from '../../packages/server/src/platform/relay/testing/relay.ts';
import { BLOTS, blotGif } from '../support/blots.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * Tests the complete path of a GIF from a relay. First, the event's signature is checked. Then the file is fetched over
 * HTTPS, compared with its hash, decoded and rated. After that, searches find the GIF, and its previews are served.
 * When the author deletes the event, the GIF disappears. The service is also a relay, which sends the author's event.
 */

const HOST = 'files.example';
const INTERNET = new URL('../e2e/internet.ts', import.meta.url);
const PATIENCE = { timeout: 480_000, interval: 100 };

describe.skipIf(!parts.openssl)('a GIF from a relay', () => {
  const folder = temporaryFolder();
  const key = generateSecretKey();
  const ownKey = generateSecretKey();
  let domains: Domains;
  let relay: FilledRelay;
  let server: Server;
  let calm: RelayEvent;
  let refused: RelayEvent;
  let alarming: RelayEvent;

  beforeAll(async () => {
    domains = await startDomains([HOST]);
    const files = new Map<string, Uint8Array>();
    domains.answers.set(HOST, (request, response) => {
      const bytes = files.get(request.url!);
      response.writeHead(bytes ? 200 : 404, { 'content-type': 'image/gif' }).end(bytes);
    });
    for (const name of ['calm', 'cleared', 'alarming'] as const) {
      files.set(`/${name}.gif`, await blotGif(BLOTS[name]));
    }
    const tell = (name: string, sha256: string) => {
      const tags = [
        ['url', `https://${HOST}/${name}.gif`],
        ['m', 'image/gif'],
        ['x', sha256],
        ['t', 'Blots'],
      ];
      return finalizeEvent({ kind: 1063, created_at: now(), content: `${name} blots`, tags }, key);
    };
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(files.get(`/${name}.gif`)!)
        .digest('hex');
    calm = tell('calm', hashOf('calm'));
    // The hash in this event is not that of the event's file.
    refused = tell('cleared', hashOf('calm').replace(/^./, '0'));
    alarming = tell('alarming', hashOf('alarming'));
    relay = await FilledRelay.start();
    files.set('/wave.gif', files.get('/cleared.gif')!);
    relay.publish([pack(['hello_wave', `https://${HOST}/wave.gif`], ['still', `https://${HOST}/still.png`])]);
    relay.publish([calm, refused, alarming]);
    fs.writeFileSync(`${folder.path}/authority.pem`, domains.options.ca!);
    server = await startServer(`${folder.path}/data`, {
      ZOETROPE_RELAYS: relay.url,
      ZOETROPE_RELAY_RULES: 'packs=on',
      ZOETROPE_RATING: 'on',
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_FACES: 'relay',
      ZOETROPE_NOSTR_KEY: Buffer.from(ownKey).toString('hex'),
      ZOETROPE_TEST_INTERNET: `${domains.options.port}`,
      NODE_OPTIONS: `--import=${INTERNET.href}`,
      NODE_EXTRA_CA_CERTS: `${folder.path}/authority.pem`,
    });
  });

  afterAll(async () => {
    await server?.stop();
    await relay?.down();
    domains?.stop();
    folder[Symbol.dispose]();
  });

  /** Returns an event without the library's mark for checked signatures. */
  const plain = (event: RelayEvent) => JSON.parse(JSON.stringify(event));
  const now = () => Math.floor(Date.now() / 1_000);

  function pack(...emoji: [string, string][]): RelayEvent {
    const tags = [['d', 'greetings'], ['title', 'Friendly greetings'], ...emoji.map((one) => ['emoji', ...one])];
    // A later version has a later time.
    return finalizeEvent({ kind: 30_030, created_at: now() - emoji.length, content: '', tags }, key);
  }

  async function found(q = 'blots'): Promise<Gif[]> {
    const answer = await server.get(`/api/v1/search?q=${q}&mode=text`);
    return ((await answer.json()) as SearchResponse).items;
  }

  /** Returns everything that the relay of the service sends for a filter, including events that clients would drop. */
  async function sent(filter: object): Promise<NostrEvent[]> {
    const socket = new WebSocket(server.url.replace('http', 'ws'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const events: NostrEvent[] = [];
    socket.addEventListener('open', () => socket.send(JSON.stringify(['REQ', 'a', filter])));
    socket.addEventListener('error', () => reject(new Error('the connection failed')));
    socket.addEventListener('message', ({ data }) => {
      const [type, , event] = JSON.parse(String(data));
      if (type === 'EVENT') events.push(event);
      else if (type === 'EOSE') resolve();
      else reject(new Error(String(data)));
    });
    await promise.finally(() => socket.close());
    for (const event of events) expect(verifyEvent({ ...event })).toBe(true);
    return events;
  }

  interface Counted {
    state: string;
    reason: string | null;
    n: number;
  }

  async function addresses(): Promise<Counted[]> {
    const { stdout, code, stderr } = await zoetrope(`${folder.path}/data`, ['relays', '--json']);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as { addresses: Counted[] }).addresses;
  }

  test('is found with our own previews, unless both networks rate it adult', async () => {
    const seen = async () => (await addresses()).find(({ state }) => state === 'there')?.n === 3;
    await vi.waitUntil(seen, PATIENCE);
    await vi.waitUntil(async () => (await found()).length > 0, PATIENCE);
    const items = await found();
    expect(items.map(({ title, url }) => [title, url])).toEqual([['calm blots', `https://${HOST}/calm.gif`]]);
    const preview = await fetch(items[0]!.previews.w240.animated!);
    expect([preview.status, preview.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  test("is sent as its author's own event by the relay of the service, for filters that match the event literally", async () => {
    const x = calm.tags.find(([name]) => name === 'x')![1]!;
    const [author, other] = [calm.pubkey, getPublicKey(ownKey)];
    const matching = [
      { search: 'calm', kinds: [1063], '#m': ['image/gif'] },
      { ids: [calm.id, refused.id, alarming.id] },
      { '#x': [x] },
      { '#t': ['Blots'], authors: [author] },
      { authors: [author, other], since: calm.created_at, until: calm.created_at },
      { kinds: [1063], authors: [author] },
    ];
    for (const filter of matching) expect(await sent(filter), JSON.stringify(filter)).toEqual([plain(calm)]);
    expect(await sent({ kinds: [1063], limit: 1 })).toHaveLength(1);
    const none = [
      { search: 'calm', authors: [other] },
      { '#t': ['blots'] },
      { authors: [author], since: calm.created_at + 1 },
      { authors: [author], until: calm.created_at - 1 },
      { ids: [refused.id, alarming.id] },
      { kinds: [1], authors: [author] },
    ];
    for (const filter of none) expect(await sent(filter), JSON.stringify(filter)).toEqual([]);
  });

  test('is refused if its hash is not the announced one', async () => {
    await expect.poll(addresses, PATIENCE).toContainEqual({ state: 'refused', reason: 'other_bytes', n: 1 });
  });

  test('of an emoji pack is found by its shortcode and its pack, until a later version no longer contains it', async () => {
    for (const q of ['wave', 'greetings']) {
      await vi.waitUntil(async () => (await found(q)).length > 0, PATIENCE);
      expect((await found(q)).map(({ title, url, tags }) => ({ title, url, tags }))).toEqual([
        { title: 'hello wave', url: `https://${HOST}/wave.gif`, tags: ['hello wave', 'friendly greetings'] },
      ]);
    }
    const signed = await sent({ search: 'wave' });
    expect(signed.map(({ pubkey, content }) => [pubkey, content])).toEqual([
      [getPublicKey(ownKey), 'hello wave\nhello wave friendly greetings'],
    ]);
    relay.publish([pack()]);
    await vi.waitUntil(async () => (await found('wave')).length === 0, PATIENCE);
  });

  test('is gone when its author deletes it', async () => {
    const back = { kind: 5, created_at: now(), content: '', tags: [['e', calm.id]] };
    relay.publish([finalizeEvent(back, key)]);
    await vi.waitUntil(async () => (await found()).length === 0, PATIENCE);
    for (const filter of [{ ids: [calm.id] }, { authors: [calm.pubkey] }, { search: 'calm' }]) {
      expect(await sent(filter), JSON.stringify(filter)).toEqual([]);
    }
  });
});
