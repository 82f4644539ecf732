import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Metrics, memoryForMetrics } from '../../base/metrics.ts';
import { registerMediaCount } from './media-count.ts';

let app: FastifyInstance;
let metrics: Metrics;

beforeAll(async () => {
  metrics = new Metrics(memoryForMetrics(1), 0);
  app = Fastify();
  app.decorateRequest('outcome', null);
  registerMediaCount(app, { metrics });
  app.get<{ Params: { status: string } }>('/:status', (request, reply) => {
    if (request.params.status === 'made') request.outcome = 'made';
    return reply.code(Number(request.params.status) || 200).send();
  });
  app.get('/cut', (_, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': '9' }).write('GIF');
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(() => app.close());

const countOf = (outcome: string) =>
  Number(new RegExp(`^zoetrope_media_requests_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(metrics.text())![1]);

test.each([
  ['200', 'kept'],
  ['206', 'kept'],
  ['made', 'made'],
  ['304', 'unchanged'],
  ['302', 'redirected'],
  ['404', 'missing'],
  ['429', 'refused'],
  ['503', 'unavailable'],
  ['cut', 'cut'],
])('an image request that ends with %s counts as %s', async (path, outcome) => {
  const before = countOf(outcome);
  const { port } = app.server.address() as AddressInfo;
  const request = http.get({ host: '127.0.0.1', port, path: `/${path}`, agent: false });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  if (path === 'cut') request.destroy();
  else response.resume();
  await vi.waitFor(() => expect(countOf(outcome)).toBe(before + 1), { timeout: 480_000 });
});
