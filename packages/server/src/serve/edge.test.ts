import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { loadConfig } from '../config.ts';
import { tellEdge } from './edge.ts';
import type { OpenIndex, Threads } from './threads.ts';

const PATIENCE = { timeout: 480_000, interval: 10 };

/** Starts an edge that records purges, and accepts them while it is up. */
async function startEdge() {
  const received: string[] = [];
  const edge = { isUp: true, received, url: '' };
  const server = http.createServer(({ method, headers }, response) => {
    received.push(`${method} ${headers['surrogate-key']}`);
    response.writeHead(edge.isUp ? 200 : 503).end('{}');
  });
  // Node's server does not know the method SOFTPURGE, but Varnish does.
  server.on('clientError', (error: Error & { rawPacket?: Buffer }, socket) => {
    const head = String(error.rawPacket);
    received.push(`${head.split(' ')[0]} ${/^surrogate-key: (.*)$/im.exec(head)?.[1]}`);
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  edge.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return edge;
}

function tell(url: string) {
  const noted = { swap: vi.fn(), withhold: vi.fn(), bumpGeneration: vi.fn() };
  const config = loadConfig({ ZOETROPE_EDGE_PURGE_URL: url }, '/nowhere');
  const first = { index: { manifest: { build: 'first' } } } as OpenIndex;
  const told = tellEdge({ config, log: pino({ level: 'silent' }) }, noted as unknown as Threads, first);
  onTestFinished(() => told.stop());
  return told.threads;
}

const NOTHING = { ids: [], originals: new Set<string>(), terms: new Map() };

test('a purge is repeated until the edge accepts it, and later ones keep their order', async () => {
  const edge = await startEdge();
  edge.isUp = false;
  const threads = tell(edge.url);
  threads.withhold(NOTHING, ['a.gif', 'b.gif']);
  threads.bumpGeneration();
  await vi.waitFor(() => expect(edge.received.length).toBeGreaterThan(1), PATIENCE);
  expect(new Set(edge.received)).toEqual(new Set(['PURGE gif-a.gif gif-b.gif']));
  const refused = edge.received.length;
  edge.isUp = true;
  await vi.waitFor(() => expect(edge.received).toContain('PURGE search degraded'), PATIENCE);
  const accepted = new Set(edge.received.slice(refused));
  expect([...accepted]).toEqual(['PURGE gif-a.gif gif-b.gif', 'PURGE search degraded']);
});

test('if too many purges wait, everything is purged instead', async () => {
  const edge = await startEdge();
  edge.isUp = false;
  const threads = tell(edge.url);
  for (let n = 0; n < 1_500; n++) threads.withhold(NOTHING, [`${n}.gif`]);
  edge.isUp = true;
  await vi.waitFor(() => expect(edge.received).toContain('PURGE search degraded media'), PATIENCE);
  expect(edge.received.length).toBeLessThan(1_100);
});

test('each of many hidden GIFs is purged, with few keys in each request', async () => {
  const edge = await startEdge();
  const ids = Array.from({ length: 45 }, (_, n) => `${n}.gif`);
  tell(edge.url).withhold(NOTHING, ids);
  await vi.waitFor(() => expect(edge.received.length).toBeGreaterThan(2), PATIENCE);
  const purged = edge.received.slice(0, 3).map((line) => line.replace('PURGE ', '').split(' '));
  expect(purged.flat()).toEqual(ids.map((id) => `gif-${id}`));
  expect(Math.max(...purged.map((keys) => keys.length))).toBeLessThanOrEqual(20);
});

test('after a swap, the responses of the replaced build are purged, but not those of the new build', async () => {
  const edge = await startEdge();
  const threads = tell(edge.url);
  threads.swap({ manifest: { build: 'second' } } as Parameters<Threads['swap']>[0]);
  threads.bumpGeneration();
  await vi.waitFor(() => expect(edge.received).toContain('SOFTPURGE build-first'), PATIENCE);
  expect(edge.received.filter((purge) => purge.includes('second'))).toEqual([]);
});
