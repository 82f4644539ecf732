import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { toImeta } from '@zoetrope/client';
import type { Gif, SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { blocksGif, smallGif, writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const ENV = {
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_MEDIA_VIDEO: 'off',
  ZOETROPE_FETCH_ALLOW_PRIVATE: 'true',
  ZOETROPE_LINKED_PROBE: 'on',
  ZOETROPE_TEST_LINKED_PROBE_RATE: '100',
};
/** Maximum time until a build is made, loaded and passed to all threads. */
const SOON = { timeout: 480_000 };

const small = smallGif(1, 32);
/**
 * A file that is longer than the part that is fetched first. Its width and height differ from those in its manifest
 * row.
 */
const long = Buffer.concat([blocksGif({ width: 120, height: 90, delays: [10, 20], seed: 5 }), Buffer.alloc(40_000)]);
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const FILES: Record<string, Uint8Array> = { '/small.gif': small, '/copy.gif': small, '/long.gif': long };
const origins: http.Server[] = [];
let asked: string[] = [];
/** The origin responds with 429 to this number of further requests. */
let busy = 0;

function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  asked.push(`${request.url} ${request.headers.range ?? 'whole'}`);
  if (request.url === '/busy.gif' && busy-- > 0) return void response.writeHead(429, { 'retry-after': '0' }).end();
  if (request.url === '/page.gif') return void response.setHeader('content-type', 'text/html').end('<p>gone</p>');
  const file = FILES[request.url === '/busy.gif' ? '/small.gif' : request.url!];
  if (file === undefined) return void response.writeHead(404).end();
  const end = Number(/^bytes=0-(\d+)$/.exec(request.headers.range ?? '')?.[1] ?? file.length - 1);
  const last = Math.min(end, file.length - 1);
  if (request.headers.range !== undefined) {
    response.writeHead(206, { 'content-range': `bytes 0-${last}/${file.length}`, 'content-type': 'image/gif' });
  }
  response.end(file.subarray(0, last + 1));
}

async function listen(server: http.Server | https.Server): Promise<string> {
  origins.push(server as http.Server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `localhost:${(server.address() as AddressInfo).port}`;
}

afterAll(() => {
  for (const origin of origins) {
    origin.closeAllConnections();
    origin.close();
  }
});

async function itemsOf(server: Server, query: string): Promise<Gif[]> {
  return ((await (await server.get(`/api/v1/search?q=${query}`)).json()) as SearchResponse).items;
}

const field = (gif: Gif, name: string) => toImeta(gif).find((text) => text.startsWith(`${name} `));

describe('a linked GIF', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const env = { ...ENV, ZOETROPE_LINKED_HTTP: 'show' };
  let server: Server;
  let manifest: string;
  let printed: string;

  beforeAll(async () => {
    const base = `http://${await listen(http.createServer(answer))}`;
    const claims = { width: 480, height: 270, tags: ['dance'] };
    busy = 1;
    manifest = writeManifest(`${folder.path}/rows.jsonl`, [
      { ...claims, id: 'small.gif', title: 'small', url: `${base}/small.gif` },
      { ...claims, id: 'copy.gif', title: 'same bytes elsewhere', url: `${base}/copy.gif`, tags: ['dance', 'twin'] },
      { ...claims, id: 'long.gif', title: 'long', url: `${base}/long.gif`, frames: 9, duration: 1 },
      { ...claims, id: 'page.gif', title: 'a page', url: `${base}/page.gif` },
      { ...claims, id: 'gone.gif', title: 'gone', url: `${base}/gone.gif` },
      { ...claims, id: 'busy.gif', title: 'busy', url: `${base}/busy.gif` },
    ]);
    const { code, stdout, stderr } = await zoetrope(data, ['add', manifest], env);
    expect(code, stderr).toBe(0);
    printed = stdout + stderr;
    server = await startServer(data, env);
  });
  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  test('is shown with its true size after its first bytes were fetched, if it is an image', async () => {
    const items = await itemsOf(server, 'dance');
    expect(items.map(({ title, width, height, verified }) => [title, width, height, verified]).sort()).toEqual([
      ['busy', 32, 32, true],
      ['long', 120, 90, true],
    ]);
    const shown = items.find(({ title }) => title === 'long')!;
    expect([shown.id, shown.sha256, shown.bytes]).toEqual(['long.gif', null, long.length]);
    expect([field(shown, 'dim'), field(shown, 'x')]).toEqual(['dim 120x90', undefined]);
    expect(asked).toContain('/long.gif bytes=0-16383');
    expect(asked.filter((path) => path.endsWith('whole'))).toEqual([]);
  });

  test('is counted and explained while it is not shown yet', () => {
    expect(printed).toMatch(/hidden until their first bytes have been fetched/);
    expect(printed).toMatch(/First bytes of 6 linked GIFs fetched: 4 are images, 2 are not/);
    expect(printed).toMatch(/2 linked GIFs are not shown yet/);
  });

  test('gets its hash as its id when it has been read completely; equal files become one, and old ids still work', async () => {
    const [gif] = await itemsOf(server, 'twin');
    const id = `${hash(small)}.gif`;
    expect(gif).toMatchObject({ id, sha256: hash(small), tags: ['dance', 'twin'] });
    expect(field(gif!, 'x')).toBe(`x ${hash(small)}`);
    for (const old of ['small.gif', 'copy.gif', 'busy.gif', id]) {
      expect((await server.get(`/api/v1/gifs/${old}/similar`)).status, old).toBe(200);
      expect((await server.get(`/p/r1/w240/${old}`)).status, old).toBe(200);
    }
  });

  test('gets its hash as its id with its first preview, and keeps this id when its manifest is added again', async () => {
    asked = [];
    expect((await server.get('/p/r1/w240/long.gif')).status).toBe(200);
    const id = `${hash(long)}.gif`;
    // The file has its new name in the next build.
    await vi.waitFor(async () => {
      const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest], env);
      expect(code, stderr).toBe(0);
      const shown = (await itemsOf(server, 'long'))[0]!;
      expect([shown.id, shown.sha256, shown.frames, shown.width]).toEqual([id, hash(long), 2, 120]);
    }, SOON);
    for (const name of ['long', hash(long)]) {
      expect((await server.get(`/p/r1/w240/${name}.gif`)).status, name).toBe(200);
    }
    // The file is fetched only once, because its previews are stored under both names.
    expect(asked.filter((path) => path.startsWith('/long'))).toEqual(['/long.gif whole']);
  });

  test('can be hidden by any of its ids', async () => {
    expect((await zoetrope(data, ['gif', 'hide', 'long.gif'], env)).code).toBe(0);
    await vi.waitFor(async () => expect(await itemsOf(server, 'long')).toEqual([]), SOON);
    expect((await server.get('/api/v1/gifs/long.gif/similar')).status).toBe(404);
  });
});

describe.skipIf(!parts.openssl)('a linked GIF with an http URL', () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  test('is shown over https if that returns an image, and otherwise hidden', async () => {
    const [key, cert] = [`${folder.path}/key.pem`, `${folder.path}/cert.pem`];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-days', '2', '-nodes'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
    execFileSync('openssl', ['req', '-x509', ...curve, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const tls = { key: fs.readFileSync(key), cert: fs.readFileSync(cert) };
    const secure = await listen(https.createServer(tls, answer));
    const plain = await listen(http.createServer(answer));
    const manifest = writeManifest(`${folder.path}/rows.jsonl`, [
      { id: 'secure.gif', title: 'secure dance', url: `http://${secure}/small.gif` },
      { id: 'plain.gif', title: 'plain dance', url: `http://${plain}/long.gif` },
    ]);
    const data = `${folder.path}/data`;
    const env = { ...ENV, ZOETROPE_LINKED_HTTP: 'upgrade', NODE_EXTRA_CA_CERTS: cert };
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', manifest], env);
    expect(code, stderr).toBe(0);
    await using server = await startServer(data, env);
    const items = await itemsOf(server, 'dance');
    expect(items.map(({ url }) => url)).toEqual([`https://${secure}/small.gif`]);
  });
});

test('a linked GIF from a trusted manifest is shown immediately, and its note has no size', async () => {
  using folder = temporaryFolder();
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, [{ title: 'dance', width: 99, height: 98, bytes: 5 }]);
  const env = { ...ENV, ZOETROPE_LINKED_PROBE: 'off' };
  expect((await zoetrope(folder.path, ['add', '--quiet', manifest], env)).code).toBe(0);
  await using server = await startServer(folder.path, env);
  const [gif] = await itemsOf(server, 'dance');
  expect(gif).toMatchObject({ width: 99, height: 98, verified: false, sha256: null });
  expect(['m', 'dim', 'x', 'size'].flatMap((name) => field(gif!, name) ?? [])).toEqual([]);
});
