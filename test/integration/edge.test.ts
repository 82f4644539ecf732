import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { setLimit } from '../../packages/server/src/clients/index.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { writeManifest } from '../support/catalogue.ts';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;
let edge: string;

const SEARCH = '/api/v1/search?q=dog';
/** Searches per minute. The number is so small that the budget does not refill by one search during a test. */
const QUOTA = 4;
const PAGE = { origin: 'https://app.example' };

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeOne);
  expect((await zoetrope(data, ['client', 'add', 'Wisp', '--origin', PAGE.origin])).code).toBe(0);
  const port = await freePort();
  edge = `http://127.0.0.1:${port}`;
  const env = {
    ZOETROPE_EDGE_PORT: `${port}`,
    ZOETROPE_RATES: `search=${QUOTA}`,
    ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '50',
  };
  server = await startServer(data, { ...env, ZOETROPE_THREADS: '2', ZOETROPE_EMBEDDER: 'none' });
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(edge + path, { headers: { 'user-agent': 'nobody', ...headers } });

/** Returns the service's response to an edge that asks about a caller. */
async function admit(headers: Record<string, string>) {
  const response = await get('/_admit', headers);
  const cors = [...response.headers.keys()].filter((name) => name.startsWith('access-control'));
  expect(cors).toEqual([]);
  return {
    status: response.status,
    seconds: Number(/^max-age=(\d+)$/.exec(response.headers.get('cache-control')!)?.[1]),
    control: response.headers.get('cache-control'),
    client: response.headers.get('zoetrope-client'),
    class: response.headers.get('zoetrope-client-class'),
    way: response.headers.get('zoetrope-client-way'),
    limit: response.headers.get('zoetrope-client-limit'),
  };
}

test('the service tells an edge who is admitted, and for how long', async () => {
  await vi.waitFor(async () => {
    const registered = await admit(PAGE);
    expect(registered).toMatchObject({ status: 204, client: expect.any(String), class: 'registered', limit: null });
    expect(registered.way).toMatch(/./);
    expect(registered.seconds).toBeGreaterThan(3_000);
    expect(registered.seconds).toBeLessThanOrEqual(3_600);
  }, 120_000);
  expect(await admit({ origin: 'http://localhost:1' })).toEqual({
    ...{ status: 204, client: 'development', class: 'development', seconds: 3_600, control: 'max-age=3600' },
    ...{ way: null, limit: null },
  });
  for (const headers of [{ origin: 'https://stranger.example' }, { origin: 'file://' }, {}]) {
    // A result is not cached if the registry has changed meanwhile, as it did shortly before this test.
    await vi.waitFor(async () => {
      const refused = await admit(headers);
      expect(refused).toMatchObject({ status: 403, client: null, class: null });
      expect(refused.seconds).toBeLessThanOrEqual(300);
      expect(refused.seconds).toBeGreaterThan(200);
    }, 120_000);
  }
});

test('a registry failure is not cached', async () => {
  const db = openDatabase(`${data}/zoetrope.db`);
  await db.schema.alterTable('origins').renameTo('origins_gone').execute();
  expect(await admit({ origin: 'https://new.example' })).toMatchObject({ status: 503, control: 'no-store' });
  await db.schema.alterTable('origins_gone').renameTo('origins').execute();
  await db.destroy();
  await vi.waitFor(async () => expect(await admit({ origin: 'https://new.example' })).toMatchObject({ status: 403 }), {
    timeout: 480_000,
  });
});

test('rejects callers who were not admitted, whatever identity they claim', async () => {
  for (const headers of [{}, PAGE, { origin: 'http://localhost' }, { 'zoetrope-client': '' }]) {
    const response = await get(SEARCH, headers);
    expect(response.status).toBe(403);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ error: { code: 'client_not_registered' } });
  }
});

test('answers admitted callers with shared responses, and counts forwarded requests against their budget', async () => {
  const as = (client: string, kind: string) =>
    get(SEARCH, { 'zoetrope-client': client, 'zoetrope-client-class': kind });
  const first = await as('a', 'registered');
  expect(first.status).toBe(200);
  expect(first.headers.get('surrogate-control')).toBe('max-age=3600, stale-while-revalidate=60');
  expect(first.headers.get('surrogate-key')).toMatch(/^build-\S+ search$/);
  expect(first.headers.get('access-control-allow-origin')).toBeNull();
  expect(first.headers.get('ratelimit')).toBeNull();
  const { build } = (await first.json()) as { build: string };
  expect(first.headers.get('surrogate-key')).toContain(build);
  for (let n = 1; n < QUOTA; n++) expect((await as('a', 'registered')).status).toBe(200);
  const refused = await as('a', 'registered');
  expect([refused.status, refused.headers.get('cache-control')]).toEqual([429, 'no-store']);
  expect(refused.headers.get('ratelimit')).toMatch(/^"search";r=0;/);
  for (const status of [200, 200, 429]) expect((await as('development', 'development')).status).toBe(status);
});

test("an edge learns a client's own limit, and the service applies it to forwarded requests", async () => {
  const origin = 'https://slow.example';
  const added = await zoetrope(data, ['client', 'add', 'Slow', '--origin', origin, '--json']);
  const { id } = JSON.parse(added.stdout) as { id: string };
  const db = openDatabase(`${data}/zoetrope.db`);
  await setLimit(db, { actor: 'a test', now: Date.now() }, id, 2);
  await db.destroy();
  await vi.waitFor(async () => expect(await admit({ origin })).toMatchObject({ client: id, limit: '2' }), 120_000);
  const statuses = async (client: string, limit: string, count: number) => {
    const headers = {
      'zoetrope-client': client,
      'zoetrope-client-class': 'registered',
      'zoetrope-client-limit': limit,
    };
    const made: number[] = [];
    for (let n = 0; n < count; n++) made.push((await get(SEARCH, headers)).status);
    return made;
  };
  expect(await statuses(id, '2', 3)).toEqual([200, 200, 429]);
  // Without a valid limit, the limit of the service applies.
  for (const limit of ['', '0', '-1', 'many']) {
    expect(await statuses(`client with limit ${limit}`, limit, QUOTA + 1), limit).toEqual([
      ...Array(QUOTA).fill(200),
      429,
    ]);
  }
});

test('the public port ignores admission headers and has no path for admission', async () => {
  const headers = { 'zoetrope-client': 'a', 'zoetrope-client-class': 'registered', 'user-agent': 'nobody' };
  expect((await server.get(SEARCH, headers)).status).toBe(403);
  expect((await server.get('/_admit')).status).toBe(404);
});

test('an edge gets no dashboard, and learns from images which GIF they show', async () => {
  for (const path of ['/dashboard', '/dashboard/api/site']) expect((await get(path)).status, path).toBe(404);
  const searching = await get(SEARCH, { 'zoetrope-client': 'b', 'zoetrope-client-class': 'registered' });
  const { items } = (await searching.json()) as SearchResponse;
  const { id, previews } = items[0]!;
  const image = await get(new URL(previews.small.still).pathname);
  expect(image.headers.get('surrogate-key')).toBe(`gif-${id} media`);
});

test('a port in use is reported with the name of its setting', async () => {
  const other = `${folder.path}/other`;
  const serve = (env: Record<string, string>) =>
    zoetrope(data, ['serve'], { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '1', ...env });
  fs.cpSync(data, other, { recursive: true, filter: (file) => !file.endsWith('.lock') });
  const port = new URL(edge).port;
  expect(await serve({ ZOETROPE_DATA: other, ZOETROPE_EDGE_PORT: port })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      `Port ${port} is in use: stop the program that listens there, or set ZOETROPE_EDGE_PORT`,
    ),
  });
  const free = `${await freePort()}`;
  expect(await serve({ ZOETROPE_DATA: other, ZOETROPE_EDGE_PORT: free, ZOETROPE_PORT: free })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('ZOETROPE_EDGE_PORT and ZOETROPE_PORT must differ'),
  });
});

test('purges each outdated response twice', async () => {
  const told: string[] = [];
  // The listener is a bare socket, because Node's HTTP server rejects the method SOFTPURGE.
  const listener = net.createServer((socket) => {
    socket.setEncoding('latin1').on('data', (text) => {
      told.push(`${/^.*(?= HTTP)/.exec(String(text))} ${/surrogate-key: (.*)/i.exec(String(text))?.[1]}`.trim());
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  await server.stop();
  server = await startServer(data, {
    ...{ ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none' },
    ZOETROPE_EDGE_PURGE_URL: `http://127.0.0.1:${port}/purge`,
  });
  const { build } = (await (await server.get(SEARCH)).json()) as { build: string };
  expect((await zoetrope(data, ['gif', 'hide', 'dog.gif'])).code).toBe(0);
  const twice = (line: string) =>
    // A purge that is not confirmed within two seconds is sent again.
    vi.waitUntil(() => told.filter((each) => each === line).length >= 2, { timeout: 480_000, interval: 50 });
  await twice('PURGE /purge search degraded');
  await twice('PURGE /purge gif-dog.gif');
  const rows = writeManifest(`${folder.path}/more.jsonl`, [{ id: 'cat.gif', title: 'cat' }]);
  expect((await zoetrope(data, ['add', '--quiet', rows], { ZOETROPE_EMBEDDER: 'none' })).code).toBe(0);
  await twice(`SOFTPURGE /purge build-${build}`);
  listener.close();
});
