import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { blocksGif, writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const SIZE = { width: 300, height: 120 };
const folder = temporaryFolder();
const released = Promise.withResolvers<void>();
let requests = 0;
let host: http.Server;
let server: Server;
let preview: string;

beforeAll(async () => {
  host = http.createServer(async (_, response) => {
    requests++;
    await released.promise;
    response.setHeader('content-type', 'image/gif').end(blocksGif({ ...SIZE, delays: [10, 20], seed: 1 }));
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  const url = `http://127.0.0.1:${(host.address() as net.AddressInfo).port}/late.gif`;
  const rows = writeManifest(path.join(folder.path, 'rows.jsonl'), [{ id: 'late.gif', title: 'late', url, ...SIZE }]);
  const data = path.join(folder.path, 'data');
  const env = {
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_FETCH_ALLOW_PRIVATE: 'true',
    ZOETROPE_LINKED_PROBE: 'off',
    ZOETROPE_LINKED_HTTP: 'show',
    // A process that takes ten times as long is killed, so a smaller value would be too short on a busy machine.
    ZOETROPE_TEST_MEDIA_TIMEOUT_MS: '3000',
    ZOETROPE_TEST_MEDIA_DOWNLOAD_TIMEOUT_MS: '600000',
  };
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', rows], env);
  expect(code, stderr).toBe(0);
  server = await startServer(data, env);
  const { items } = (await (await server.get('/api/v1/search?q=late')).json()) as SearchResponse;
  preview = items[0]!.previews.w240.still;
});

afterAll(async () => {
  released.resolve();
  await server?.stop();
  host.close();
  folder[Symbol.dispose]();
});

test('a preview that takes longer than a request waits is still finished, and a client that retries gets it', async () => {
  for (let n = 0; n < 2; n++) {
    const late = await fetch(preview);
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await late.json()).toMatchObject({ error: { code: 'upstream_unavailable' } });
  }
  // A busy machine may not have asked the host before the second request ended.
  await expect.poll(() => requests).toBe(1);
  released.resolve();
  await vi.waitFor(async () => expect((await fetch(preview)).status).toBe(200), { timeout: 480_000, interval: 100 });
  expect(requests).toBe(1);
});
