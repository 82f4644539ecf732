import { gunzipSync } from 'node:zlib';
import { ACCOUNT_BASE } from '@zoetrope/contract/account';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerCompression } from './compress.ts';

const LONG = 'a word '.repeat(1_000);

function serve() {
  const app = Fastify();
  registerCompression(app);
  const html = 'text/html; charset=utf-8';
  app.get('/page', (_, reply) => reply.header('content-type', html).header('vary', 'Origin').send(LONG));
  app.get('/short', (_, reply) => reply.header('content-type', html).send('short'));
  app.get('/gif', (_, reply) => reply.header('content-type', 'image/gif').send(Buffer.from(LONG)));
  app.get(`${ACCOUNT_BASE}/keys`, () => ({ key: 'secret', name: LONG }));
  app.get('/lost', (_, reply) => reply.code(404).header('content-type', html).send(LONG));
  return (url: string, accepted = 'gzip') => app.inject({ url, headers: { 'accept-encoding': accepted } });
}

test('compresses a page as the browser wants it', async () => {
  const get = serve();
  const { headers, rawPayload } = await get('/page');
  expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, Accept-Encoding' });
  expect(headers['content-length']).toBe(`${rawPayload.length}`);
  expect(rawPayload.length).toBeLessThan(LONG.length / 10);
  expect(gunzipSync(rawPayload).toString()).toBe(LONG);
  const plain = await get('/page', 'identity');
  expect(plain.headers).toMatchObject({ vary: 'Origin, Accept-Encoding', 'content-length': `${LONG.length}` });
  expect(plain.body).toBe(LONG);
});

test.each(['/short', '/gif', '/lost', `${ACCOUNT_BASE}/keys`])('leaves %s as it is', async (url) => {
  const { headers } = await serve()(url);
  expect(headers['content-encoding']).toBeUndefined();
});
