import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSecretKey } from 'nostr-tools/pure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DownloadError, Fetcher } from '../platform/fetch/index.ts';
import { signManifest } from './manifest.ts';
import { fetchManifest, fetchPart } from './remote.ts';

const PART = { sha256: 'a'.repeat(64), bytes: 100, gifs: 1 };
/** Only the publisher's own address counts as public. */
const fetcher = new Fetcher({ allowPrivate: false }, { allows: (address) => address === '127.0.0.1' });
const asked: string[] = [];
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
    `${url}/catalogue/${PART.sha256}.jsonl.gz: the address is not on the public internet`,
  );
  expect(asked.filter((address) => address.startsWith('127.0.0.2'))).toEqual([]);
});
