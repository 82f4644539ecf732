import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { createMediaLimit, SharedLimiter } from '../../limits/index.ts';
import { replyError } from '../reply-error.ts';
import { registerMediaLimit } from './media-limit.ts';

function makeService(media: number, trustedProxies = 0) {
  const app = Fastify();
  app.setErrorHandler(replyError);
  const limiter = new SharedLimiter({ now: () => 1_700_000_000_000 }, 1_700_000_000_000);
  registerMediaLimit(app, { limitMedia: createMediaLimit({ enabled: 'on', media }, limiter), trustedProxies });
  app.get('/m/*', async () => 'an image');
  return (remoteAddress: string, forwarded = '') =>
    app.inject({ url: '/m/a.gif', remoteAddress, headers: { 'x-forwarded-for': forwarded } });
}

test('each address has a budget, and hears when there will be more', async () => {
  const get = makeService(2);
  for (const status of [200, 200, 429]) expect((await get('192.0.2.1')).statusCode).toBe(status);
  const refused = await get('192.0.2.1');
  expect(refused.headers).toMatchObject({
    'retry-after': '30',
    'cache-control': 'no-store',
    'access-control-allow-origin': '*',
  });
  expect(refused.json()).toEqual({
    error: { code: 'rate_limited', message: 'More than 2 images in 60 s; try again in 30 s' },
  });
  expect((await get('192.0.2.2')).statusCode).toBe(200);
});

test('behind a proxy it is that of who asked the proxy', async () => {
  const get = makeService(1, 1);
  expect((await get('127.0.0.1', '192.0.2.1')).statusCode).toBe(200);
  expect((await get('127.0.0.1', '192.0.2.2')).statusCode).toBe(200);
  expect((await get('127.0.0.1', '192.0.2.9, 192.0.2.1')).statusCode).toBe(429);
});

test('0 is no limit', async () => {
  const get = makeService(0);
  for (let n = 0; n < 50; n++) expect((await get('192.0.2.1')).statusCode).toBe(200);
});
