import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksGif, writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* Slow requests do not block the previews of other requests. */

const PLACES = 6;
const OWN = PLACES;
const DEAD_HOSTS = 3;
/**
 * Number of files on dead hosts. It is more than eight times the maximum number of waiting previews of stored files.
 */
const DEAD = 50;

const folder = temporaryFolder();
const at = (name: string) => path.join(folder.path, name);
/** Servers that accept connections and never respond. */
const silent: net.Server[] = [];
const connections = new Set<net.Socket>();
let alive: http.Server;
let server: Server;
let previews: Map<string, string[]>;
let videos: string[];
/** The URL of a stored file's still. The second test is the first to request it. */
let still = '';

const SIZE = { width: 300, height: 120 };
const gif = (seed: number) => blocksGif({ ...SIZE, delays: [10, 20, 10], seed });
const portOf = (listener: net.Server) => (listener.address() as net.AddressInfo).port;

beforeAll(async () => {
  for (let n = 0; n < DEAD_HOSTS; n++) {
    const listener = net.createServer((socket) => {
      connections.add(socket);
      socket.on('error', () => {});
    });
    silent.push(listener.listen(0, '127.0.0.1'));
    await once(listener, 'listening');
  }
  alive = http.createServer((_, response) => response.setHeader('content-type', 'image/gif').end(gif(1_000)));
  alive.listen(0, '127.0.0.1');
  await once(alive, 'listening');
  fs.mkdirSync(at('gifs'));
  for (let n = 0; n < OWN; n++) fs.writeFileSync(path.join(at('gifs'), `own-${n}.gif`), gif(n + 1));
  const dead = Array.from({ length: DEAD }, (_, n) => {
    const id = `dead-${n}.gif`;
    return { id, title: 'dead', url: `http://127.0.0.1:${portOf(silent[n % DEAD_HOSTS]!)}/${id}`, ...SIZE };
  });
  const other = { id: 'alive.gif', title: 'alive', url: `http://127.0.0.1:${portOf(alive)}/alive.gif`, ...SIZE };
  const rows = writeManifest(at('rows.jsonl'), [...dead, other]);
  const env = {
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_FETCH_ALLOW_PRIVATE: 'true',
    ZOETROPE_LINKED_PROBE: 'off',
    ZOETROPE_LINKED_HTTP: 'show',
    ZOETROPE_TEST_MEDIA_MAX_QUEUE: `${PLACES}`,
    ZOETROPE_TEST_MEDIA_DOWNLOAD_TIMEOUT_MS: '600000',
    ZOETROPE_TEST_MEDIA_TIMEOUT_MS: '600000',
    ZOETROPE_TEST_CONNECTIONS_PER_ADDRESS: '0',
  };
  const { code, stderr } = await zoetrope(at('data'), ['add', '--quiet', rows, at('gifs')], env);
  expect(code, stderr).toBe(0);
  fs.rmSync(path.join(at('data'), 'media', 'd'), { recursive: true });
  server = await startServer(at('data'), env);
  previews = new Map();
  videos = [];
  for (const word of ['own', 'alive', 'dead']) {
    const { items } = (await (await server.get(`/api/v1/search?q=${word}&limit=200`)).json()) as SearchResponse;
    previews.set(
      word,
      items.map((item) => item.previews.w240.animated ?? ''),
    );
    if (word === 'own') still = items[0]!.previews.w480.still;
    videos.push(...items.flatMap(({ mp4 }) => (word === 'own' && mp4 ? [mp4] : [])));
  }
});

afterAll(async () => {
  for (const socket of connections) socket.destroy();
  await server?.stop();
  for (const listener of [...silent, alive]) listener.close();
  folder[Symbol.dispose]();
});

const statusOf = async (url: string) => {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
};

test('waiting videos do not block previews', async () => {
  expect(videos).toHaveLength(OWN);
  const statuses: number[] = [];
  const end = new AbortController();
  // Videos are made only while a core is idle, which might never happen on a busy machine.
  const waiting = videos.map(async (url) => {
    const answer = await fetch(url, { signal: end.signal }).catch(() => null);
    if (answer !== null) statuses.push(answer.status);
  });
  for (const url of previews.get('own')!) expect(await statusOf(url)).toBe(200);
  end.abort();
  await Promise.all(waiting);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});

test(`${DEAD} previews from silent hosts do not block other previews`, async () => {
  const dead = previews.get('dead')!;
  expect(dead).toHaveLength(DEAD);
  let settled = 0;
  const waiting = dead.map((url) => statusOf(url).finally(() => settled++));
  await vi.waitFor(() => expect(connections.size).toBeGreaterThanOrEqual(4 * DEAD_HOSTS), { timeout: 480_000 });
  for (const url of [still, ...previews.get('alive')!]) expect(await statusOf(url)).toBe(200);
  expect(settled).toBe(0);
  // Now the hosts close their connections. Waiting requests to these hosts must not be sent.
  const before = connections.size;
  for (const listener of silent) listener.on('connection', (socket) => socket.destroy());
  for (const socket of connections) socket.destroy();
  expect([...new Set(await Promise.all(waiting))]).toEqual([404]);
  expect(connections.size).toBeLessThan(before + DEAD / 2);
});
