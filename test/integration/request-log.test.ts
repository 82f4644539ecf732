import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallGif, writeManifest } from '../support/catalogue.ts';
import { DEVELOPMENT, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
/** Size of the large file. It is larger than the buffers of both ends of a connection together. */
const LARGE_BYTES = 20_000_000;

let client: { id: string };
let key: string;

beforeAll(async () => {
  // Bytes after the end of a GIF belong to the file, but not to the picture.
  fs.writeFileSync(`${folder.path}/large.gif`, Buffer.concat([smallGif(1), Buffer.alloc(LARGE_BYTES)]));
  const rows = writeManifest(`${folder.path}/rows.jsonl`, [{ id: 'cat.gif', title: 'sleepy cat' }]);
  const added = await zoetrope(data, ['add', '--quiet', rows, `${folder.path}/large.gif`], {
    ZOETROPE_EMBEDDER: 'none',
  });
  expect(added.code, added.stderr).toBe(0);
  client = JSON.parse((await zoetrope(data, ['client', 'add', 'Wisp', '--json'])).stdout) as { id: string };
  const { stdout } = await zoetrope(data, ['key', 'create', client.id, '--json']);
  ({ key } = JSON.parse(stdout) as { key: string });
});

afterAll(() => folder[Symbol.dispose]());

interface Line {
  level: number;
  time: number;
  id: string;
  route: string | null;
  status: number;
  outcome: string | null;
  client: string | null;
  ms: number;
  bytes: number;
  msg: string;
  aborted?: boolean;
  q?: string;
}

type Ask = (url: string, headers?: Record<string, string>, method?: string) => Promise<Response>;

/** Starts a service, lets `act` send requests, and stops the service. Returns all of its output to standard error. */
async function logOf(env: Record<string, string>, act: (ask: Ask, url: string) => Promise<void>): Promise<string> {
  const server = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '1', ...env });
  const written: string[] = [];
  server.process.stderr!.on('data', (chunk) => written.push(String(chunk)));
  const closed = once(server.process, 'close');
  await act(async (path, headers = DEVELOPMENT, method = 'GET') => {
    const response = await fetch(server.url + path, { headers, method });
    const body = await response.arrayBuffer();
    return new Response(body, response);
  }, server.url);
  await server.stop();
  await closed;
  return written.join('');
}

function linesOf(text: string): Line[] {
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const SEARCH = '/api/v1/search?mode=text&q=sleepy';

test('by default each request is one line without the caller or the query', async () => {
  const sent = { 'user-agent': 'SecretAgent/1.0', referer: 'https://page.example/secret' };
  const asked: [path: string, headers: Record<string, string>, method?: string][] = [
    [SEARCH, { ...DEVELOPMENT, ...sent }],
    [SEARCH, { ...sent, authorization: `Bearer ${key}` }],
    [SEARCH, { ...sent, origin: 'https://stranger.example' }],
    [SEARCH, DEVELOPMENT, 'HEAD'],
    ['/api/v1/search?q=sleepy%zz', DEVELOPMENT],
    ['/api/v1/gifs/sleepy.gif/similar', DEVELOPMENT],
    ['/?q=sleepy', {}],
    ['/nowhere/sleepy', {}],
    ['/%zz/sleepy', {}],
    [SEARCH, DEVELOPMENT, 'POST'],
  ];
  const lengths: number[] = [];
  const text = await logOf({ ZOETROPE_REQUEST_LOG: 'on' }, async (ask) => {
    for (const check of ['/healthz', '/readyz']) expect((await ask(check)).status).toBe(200);
    for (const each of asked) lengths.push(Number((await ask(...each)).headers.get('content-length')));
  });
  const lines = linesOf(text);
  expect(lines.map(({ route, status, outcome, client }) => [route, status, outcome, client])).toEqual([
    ['/api/v1/search', 200, 'made', 'development'],
    ['/api/v1/search', 200, 'kept', client.id],
    ['/api/v1/search', 403, 'refused', null],
    ['/api/v1/search', 200, 'kept', 'development'],
    ['/api/v1/search', 400, 'refused', 'development'],
    ['/api/v1/gifs/:id/similar', 404, 'made', 'development'],
    ['/', 200, null, null],
    [null, 404, 'refused', null],
    [null, 400, 'refused', null],
    [null, 405, 'refused', null],
  ]);
  const isHead = (n: number) => asked[n]![2] === 'HEAD';
  expect(lines.map(({ bytes }) => bytes)).toEqual(lengths.map((length, n) => (isHead(n) ? 0 : length)));
  expect(new Set(lines.map(({ id }) => id)).size).toBe(asked.length);
  for (const { level, time, ms, msg } of lines) {
    expect({ level, msg }).toEqual({ level: 30, msg: 'request' });
    expect(Math.min(time, ms)).toBeGreaterThanOrEqual(0);
  }
  for (const secret of ['sleepy', 'SecretAgent', 'localhost', 'stranger', 'page.example', key, '127.0.0.1']) {
    expect(text).not.toContain(secret);
  }
});

test('with `queries`, lines contain the query, but still not the caller', async () => {
  const asked = [
    SEARCH,
    '/api/v1/suggest?q=%E7%8C%AB%20%22',
    '/?q=page',
    '/api/v1/gifs/cat.gif/similar',
    '/api/v1/search?q=%zz',
  ];
  const long = `/api/v1/search?q=${'x'.repeat(900)}`;
  const text = await logOf({ ZOETROPE_REQUEST_LOG: 'queries' }, async (ask) => {
    for (const path of [...asked, long]) await ask(path, { ...DEVELOPMENT, 'user-agent': 'SecretAgent/1.0' });
  });
  expect(linesOf(text).map(({ q }) => q)).toEqual(['sleepy', '猫 "', 'page', undefined, undefined, 'x'.repeat(500)]);
  for (const secret of ['SecretAgent', 'localhost', 'cat.gif']) expect(text).not.toContain(secret);
});

test('with `off`, there are no lines', async () => {
  const text = await logOf({ ZOETROPE_REQUEST_LOG: 'off' }, async (ask) => {
    expect((await ask(SEARCH)).status).toBe(200);
  });
  expect(text).toBe('');
});

test('no line is lost or torn when threads write at the same time and are stopped immediately', async () => {
  const CONNECTIONS = 16;
  const EACH = 250;
  const text = await logOf({ ZOETROPE_REQUEST_LOG: 'queries', ZOETROPE_THREADS: '2' }, async (_, url) => {
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => pipeline(url, n * EACH, EACH)));
  });
  const queries = linesOf(text).map(({ q }) => Number(q!.split(' ')[1]));
  expect(queries.toSorted((a, b) => a - b)).toEqual(Array.from({ length: CONNECTIONS * EACH }, (_, n) => n));
});

test('a request whose caller hangs up has a line that reports it', async () => {
  const text = await logOf({ ZOETROPE_REQUEST_LOG: 'on' }, async (ask) => {
    const response = await ask('/api/v1/search?mode=text&q=large');
    const { items } = (await response.json()) as SearchResponse;
    const { pathname, hostname, port } = new URL(items[0]!.url);
    const socket = net.connect(Number(port), hostname);
    socket.write(`GET ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`);
    await once(socket, 'data');
    // The service cannot have sent the whole file, because the rest is larger than all buffers between the two ends.
    socket.destroy();
    await once(socket, 'close');
  });
  expect(linesOf(text)).toMatchObject([{ route: '/api/v1/search' }, { route: '/m/*', status: 200, aborted: true }]);
});

/** Sends all requests together on one connection, and reads until it closes. */
async function pipeline(url: string, from: number, count: number): Promise<void> {
  const { host, hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const head = `host: ${host}\r\norigin: http://localhost`;
  const requests = Array.from({ length: count }, (_, n) => {
    const last = n === count - 1 ? '\r\nconnection: close' : '';
    return `GET /api/v1/search?mode=text&q=cat+${from + n}+${'y'.repeat(n)} HTTP/1.1\r\n${head}${last}\r\n\r\n`;
  });
  socket.write(requests.join(''));
  socket.resume();
  await once(socket, 'close');
}
