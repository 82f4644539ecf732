import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OperatorError } from '../base/errors.ts';
import { DownloadError, Fetcher } from '../platform/fetch/index.ts';
import { fileOf, hashOf, type Part, signManifest } from './manifest.ts';
import { fetchManifest, fetchPart } from './remote.ts';

const PART = { sha256: 'a'.repeat(64), bytes: 100, gifs: 1 };
/** Only the publisher's own address counts as public. */
const fetcher = new Fetcher({ allowPrivate: false }, { allows: (address) => address === '127.0.0.1' });
const asked: string[] = [];
const served = new Map<string, Buffer>();
let server: http.Server;
let url: string;

beforeAll(async () => {
  const manifest = {
    format: 1,
    name: 'A',
    url: 'https://a.example',
    generation: 1,
    gifs: 1,
    bits: 0,
    parts: [PART],
  } as const;
  const signed = JSON.stringify(signManifest({ ...manifest, parts: [PART] }, generateSecretKey()));
  server = http.createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    const { port } = server.address() as AddressInfo;
    const inside = `http://127.0.0.2:${port}/catalogue/manifest.json`;
    if (request.url === '/away/catalogue/manifest.json') response.writeHead(302, { location: inside }).end();
    else if (request.url === '/catalogue/manifest.json')
      response.setHeader('content-type', 'application/json').end(signed);
    else if (served.has(request.url!))
      response.setHeader('content-type', 'application/gzip').end(served.get(request.url!));
    else if (request.url!.endsWith('.gz')) response.writeHead(302, { location: inside }).end();
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  await fetcher.close();
  server.close();
});

test('a redirect to a private address is not followed', async () => {
  const { signal } = new AbortController();
  await expect(fetchManifest({ fetcher, url, signal })).resolves.toMatchObject({ manifest: { gifs: 1 } });
  const away = fetchManifest({ fetcher, url: `${url}/away`, signal });
  await expect(away).rejects.toMatchObject({ name: 'DownloadError', reason: 'private_address' });
  await expect(away).rejects.toBeInstanceOf(DownloadError);
  const part = fetchPart({ fetcher, url, signal }, PART, { number: 0, bits: 0 });
  await expect(part).rejects.toThrow(
    `${url}/catalogue/${PART.sha256}.jsonl.gz: the address is not on the public internet (ZOETROPE_FETCH_ALLOW_PRIVATE allows it)`,
  );
  expect(asked.filter((address) => address.startsWith('127.0.0.2'))).toEqual([]);
});

/** Serves these rows as a part. Returns the part as its manifest should list it. */
function serve(...rows: object[]): Part {
  const bytes = gzipSync(rows.map((row) => JSON.stringify(row)).join('\n'));
  const sha256 = hashOf(bytes);
  served.set(`/catalogue/${fileOf(sha256)}`, bytes);
  return { sha256, bytes: bytes.length, gifs: rows.length };
}

function fetchOnlyPart(part: Part) {
  const { signal } = new AbortController();
  return fetchPart({ fetcher, url, signal }, part, { number: 0, bits: 0 });
}

const row = (id: string) => ({ id, url: `https://a.example/${id}` });

test('a part has the GIFs of its lines, with the catalogue as their source', async () => {
  const { host } = new URL(url);
  const told = { ...row('b.gif'), source: 'a'.repeat(200), verified: true };
  const gifs = await fetchOnlyPart(serve(row('a.gif'), told));
  expect(gifs.map(({ gif }) => gif)).toMatchObject([
    { ...row('a.gif'), source: host, verified: 'nothing', toldBy: `catalogue:${url}#a.gif` },
    { ...row('b.gif'), source: `${host}: ${'a'.repeat(200)}`.slice(0, 200), verified: 'header' },
  ]);
});

test.each<[string, () => Part, string]>([
  ['fewer GIFs than listed', () => ({ ...serve(row('a.gif')), gifs: 2 }), 'the part has 1 GIF instead of 2'],
  [
    'more GIFs than listed',
    () => ({ ...serve(row('a.gif'), row('b.gif')), gifs: 1 }),
    'the part has 2 GIFs instead of 1',
  ],
  ['a GIF twice', () => serve(row('a.gif'), row('b.gif'), row('a.gif')), 'the part has a GIF twice'],
  ['a GIF without an id', () => serve(row('a.gif'), { url: 'https://a.example/' }), 'line 2: id and url are required'],
  ['a GIF without a URL', () => serve({ id: 'a.gif', file: 'a.gif' }), 'line 1: id and url are required'],
  ['a file of this machine', () => serve({ ...row('a.gif'), file: '/etc/passwd' }), 'line 1: id and url are required'],
  ['an id with a slash', () => serve({ ...row('a.gif'), id: 'a/b.gif' }), 'line 1: id: has characters that are not'],
  ['a field of a wrong type', () => serve({ ...row('a.gif'), title: 7 }), 'line 1: title: must be string'],
])('a part with %s is refused with its URL', async (_, make, message) => {
  const part = make();
  const fetched = fetchOnlyPart(part);
  await expect(fetched).rejects.toThrow(OperatorError);
  await expect(fetched).rejects.toThrow(`${url}/catalogue/${fileOf(part.sha256)}: ${message}`);
});
