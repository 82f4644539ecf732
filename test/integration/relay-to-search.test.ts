import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { Gif, SearchResponse } from '@zoetrope/contract';
import { finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
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
 * When the author deletes the event, the GIF disappears.
 */

const HOST = 'files.example';
const INTERNET = new URL('../e2e/internet.ts', import.meta.url);
const PATIENCE = { timeout: 120_000, interval: 100 };

describe.skipIf(!parts.openssl)('a GIF from a relay', () => {
  const folder = temporaryFolder();
  const key = generateSecretKey();
  let domains: Domains;
  let relay: FilledRelay;
  let server: Server;
  let calm: RelayEvent;

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
      ];
      return finalizeEvent({ kind: 1063, created_at: now(), content: `${name} blots`, tags }, key);
    };
    const hashOf = (name: string) =>
      createHash('sha256')
        .update(files.get(`/${name}.gif`)!)
        .digest('hex');
    calm = tell('calm', hashOf('calm'));
    relay = await FilledRelay.start();
    // The hash in the second event is not that of the event's file.
    files.set('/wave.gif', files.get('/cleared.gif')!);
    relay.publish([pack(['hello_wave', `https://${HOST}/wave.gif`], ['still', `https://${HOST}/still.png`])]);
    relay.publish([calm, tell('cleared', hashOf('calm').replace(/^./, '0')), tell('alarming', hashOf('alarming'))]);
    fs.writeFileSync(`${folder.path}/authority.pem`, domains.options.ca!);
    server = await startServer(`${folder.path}/data`, {
      ZOETROPE_RELAYS: relay.url,
      ZOETROPE_RELAY_RULES: 'packs=on',
      ZOETROPE_RATING: 'on',
      ZOETROPE_EMBEDDER: 'none',
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

  test('is refused if its hash is not the announced one', async () => {
    expect(await addresses()).toContainEqual({ state: 'refused', reason: 'other_bytes', n: 1 });
  });

  test('of an emoji pack is found by its shortcode and its pack, until a later version has it no more', async () => {
    for (const q of ['wave', 'greetings']) {
      await vi.waitUntil(async () => (await found(q)).length > 0, PATIENCE);
      expect((await found(q)).map(({ title, url, tags }) => ({ title, url, tags }))).toEqual([
        { title: 'hello wave', url: `https://${HOST}/wave.gif`, tags: ['hello wave', 'friendly greetings'] },
      ]);
    }
    relay.publish([pack()]);
    await vi.waitUntil(async () => (await found('wave')).length === 0, PATIENCE);
  });

  test('is gone when its author deletes it', async () => {
    const back = { kind: 5, created_at: now(), content: '', tags: [['e', calm.id]] };
    relay.publish([finalizeEvent(back, key)]);
    await vi.waitUntil(async () => (await found()).length === 0, PATIENCE);
  });
});
