import { createHash } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SearchResponse } from '@zoetrope/contract';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { smallGif, writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const DAY_MS = 86_400_000;
/**
 * Maximum time until a build is made and loaded at low priority, and passed to all threads. It is long enough for a
 * busy machine.
 */
const SOON = { timeout: 480_000 };
const ENV = {
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_THREADS: '1',
  ZOETROPE_MEDIA_VIDEO: 'off',
  ZOETROPE_FETCH_ALLOW_PRIVATE: 'true',
};

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const gifs = { mirrored: smallGif(1, 32), alone: smallGif(2, 32), blossom: smallGif(3, 32) };
const origins: http.Server[] = [];
/** The files that currently exist, keyed by URL. */
const files = new Map<string, Uint8Array>();
let asked: string[] = [];

interface Origin {
  url: string;
  put(path: string, bytes: Uint8Array): void;
  remove(path: string): void;
}

async function startOrigin(): Promise<Origin> {
  const server = http.createServer((request, response) => {
    const address = `http://${request.headers.host}${request.url}`;
    asked.push(address);
    const file = files.get(address);
    if (file === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/gif' }).end(file);
  });
  origins.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    put: (path, bytes) => void files.set(`${url}/${path}`, bytes),
    remove: (path) => void files.delete(`${url}/${path}`),
  };
}

const first = await startOrigin();
const second = await startOrigin();
const third = await startOrigin();
const blossom = await startOrigin();
const env = { ...ENV, ZOETROPE_BLOSSOM_SERVERS: blossom.url };

beforeAll(async () => {
  first.put('mirrored.gif', gifs.mirrored);
  second.put('copy.gif', gifs.mirrored);
  second.put('alone.gif', gifs.alone);
  third.put('blossom.gif', gifs.blossom);
  blossom.put(hash(gifs.blossom), gifs.blossom);
  const size = { width: 32, height: 32, frames: 2 };
  const rows = writeManifest(`${folder.path}/rows.jsonl`, [
    {
      ...{ ...size, id: 'mirrored.gif', title: 'mirrored dance', sha256: hash(gifs.mirrored) },
      ...{ url: `${first.url}/mirrored.gif`, fallback: [`${first.url}/old.gif`, `${second.url}/copy.gif`] },
    },
    { ...size, id: 'alone.gif', title: 'lonely dance', url: `${second.url}/alone.gif` },
    {
      ...{ ...size, id: 'blossom.gif', title: 'flower dance', sha256: hash(gifs.blossom) },
      url: `${third.url}/blossom.gif`,
    },
  ]);
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', rows], env);
  expect(code, stderr).toBe(0);
});

afterAll(() => {
  for (const origin of origins) {
    origin.closeAllConnections();
    origin.close();
  }
  folder[Symbol.dispose]();
});

async function check() {
  const { code, stdout, stderr } = await zoetrope(data, ['media', 'check', '--json', '--quiet'], env);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Record<string, number | string | null>;
}

/** Makes all recorded facts about links one day older. */
function aDayLater(): void {
  const db = new Sqlite(`${data}/zoetrope.db`);
  for (const column of ['checked_at', 'first_failed_at', 'last_failed_at']) {
    db.prepare(`update links set ${column} = ${column} - ${DAY_MS}`).run();
  }
  db.close();
}

const NAMES: Record<string, string> = { mirrored: 'mirrored.gif', lonely: 'alone.gif', flower: 'blossom.gif' };

/**
 * Returns the URLs in the response to a search, keyed by the id in the manifest. (When a file has been read, its hash
 * becomes the id.)
 */
async function shown(server: Server): Promise<Record<string, string>> {
  const { items } = (await (await server.get('/api/v1/search?q=dance')).json()) as SearchResponse;
  return Object.fromEntries(items.map(({ title, url }) => [NAMES[title.split(' ')[0]!], url]));
}

const preview = (id: string, fit = 'w240') => `/p/r1/${fit}/${id}`;

describe('a running service', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer(data, env);
  });
  afterAll(() => server.stop());

  test('makes previews from a mirror, and shows its URL when a check finds that the first URL is gone', async () => {
    first.remove('mirrored.gif');
    expect((await server.get(preview('mirrored.gif'))).status).toBe(200);
    expect(asked).toEqual([`${first.url}/mirrored.gif`, `${first.url}/old.gif`, `${second.url}/copy.gif`]);
    third.remove('blossom.gif');
    expect(await check()).toMatchObject({ checked: 2, alive: 2, moved: 1, build: expect.any(String) });
    await vi.waitUntil(async () => (await shown(server))['mirrored.gif'] === `${second.url}/copy.gif`, SOON);
    expect(await shown(server)).toEqual({
      'mirrored.gif': `${second.url}/copy.gif`,
      'alone.gif': `${second.url}/alone.gif`,
      'blossom.gif': `${blossom.url}/${hash(gifs.blossom)}`,
    });
    expect(await check()).toMatchObject({ checked: 0, build: null });
  });

  test('hides GIFs that have been gone for a day', async () => {
    second.remove('alone.gif');
    for (const hidden of [0, 0, 1]) {
      aDayLater();
      expect(await check()).toMatchObject({ checked: 3, alive: 2, gone: 1, hidden });
    }
    await vi.waitUntil(async () => !('alone.gif' in (await shown(server))), SOON);
    expect((await server.get('/api/v1/gifs/alone.gif/similar')).status).toBe(404);
    expect((await server.get(preview('alone.gif'))).status).toBe(404);
  });

  test('shows a GIF again when it is back', async () => {
    second.put('alone.gif', gifs.alone);
    aDayLater();
    expect(await check()).toMatchObject({ back: 1, build: expect.any(String) });
    await vi.waitUntil(async () => 'alone.gif' in (await shown(server)), SOON);
    expect((await server.get(preview('alone.gif'))).status).toBe(200);
  });
});

test('a service that checks links hides dead GIFs, and shows them again when they are back', async () => {
  second.remove('alone.gif');
  for (const _ of [1, 2]) {
    aDayLater();
    await check();
  }
  aDayLater();
  const checking = { ...env, ZOETROPE_LINKED: 'linkCheckHours=1' };
  {
    await using server = await startServer(data, checking);
    await vi.waitUntil(async () => !('alone.gif' in (await shown(server))), SOON);
  }
  second.put('alone.gif', gifs.alone);
  aDayLater();
  await using server = await startServer(data, checking);
  await vi.waitUntil(async () => 'alone.gif' in (await shown(server)), SOON);
});

test('a stored original is not downloaded again', async () => {
  fs.rmSync(`${data}/media`, { recursive: true });
  await using server = await startServer(data, { ...env, ZOETROPE_LINKED: 'keepLinked=on' });
  // If the last build was made while the GIF was hidden, the service makes another build.
  await vi.waitUntil(async () => 'alone.gif' in (await shown(server)), SOON);
  const get = async (): Promise<Buffer> => {
    const response = await server.get(preview('alone.gif'));
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  };
  const before = await get();
  expect(fs.readdirSync(`${data}/media/orig`, { recursive: true })).toContainEqual(
    expect.stringContaining(hash(gifs.alone)),
  );
  fs.rmSync(`${data}/media/d`, { recursive: true });
  second.remove('alone.gif');
  asked = [];
  expect((await server.get(preview('alone.gif', 'small'))).status).toBe(200);
  expect(await get()).toEqual(before);
  expect(asked).toEqual([]);
  expect((await shown(server))['alone.gif']).toBe(`${second.url}/alone.gif`);
});

test('apps get the URL of a stored original if the operator wants it', async () => {
  await using server = await startServer(data, { ...env, ZOETROPE_LINKED: 'keepLinked=on, linkedUrls=own' });
  const own = `${server.url}/m/${hash(gifs.alone)}.gif`;
  await vi.waitUntil(async () => (await shown(server))['alone.gif'] === own, SOON);
  const response = await fetch(own);
  expect(hash(Buffer.from(await response.arrayBuffer()))).toBe(hash(gifs.alone));
  expect((await shown(server))['mirrored.gif']).not.toContain(server.url);
});

test('a damaged copy of a linked original is removed, because it can be downloaded again', async () => {
  const kept = fs.readdirSync(`${data}/media`, { recursive: true }).find((key) => String(key).endsWith('.gif'));
  const look = async (option: string) => {
    const { stdout, stderr } = await zoetrope(data, ['doctor', option, '--json', '--quiet'], env);
    expect(stdout, stderr).not.toBe('');
    const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; items?: string[] }[] };
    return new Map(findings.map((finding) => [finding.check, finding]));
  };
  // The doctor repairs nothing while the service makes a build, and a dead link causes a build.
  const doctor = (option: string) => vi.waitFor(() => look(option), { timeout: 480_000 });
  expect((await doctor('--media')).get('foreign files')).toMatchObject({ state: 'well' });
  fs.writeFileSync(`${data}/media/${kept}`, 'damaged');
  const damaged = await doctor('--repair');
  expect(damaged.get('foreign files')).toMatchObject({ state: 'well' });
  expect(damaged.get('originals')).toMatchObject({ state: 'well' });
  expect(fs.existsSync(`${data}/media/${kept}`)).toBe(false);
});
