import Fastify from 'fastify';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../base/log.ts';
import { createMediaLimits, RedisLimiter, SharedLimiter } from '../../limits/index.ts';
import { findRedis, type RedisServer, startRedis } from '../../limits/testing/redis.ts';
import { createReplyError } from '../reply-error.ts';
import { registerMediaLimit, spendBytes } from './media-limit.ts';

const program = findRedis();

const LIMITERS = [
  { where: 'here', program: 'none' },
  { where: 'in Redis', program },
];

describe.each(LIMITERS)('the media limit of an IP address, counted $where', ({ where, program }) => {
  let redis: RedisServer | undefined;
  let limiter: SharedLimiter | RedisLimiter;

  beforeAll(async () => {
    if (program === undefined) return;
    const clock = { now: () => 1_700_000_000_000 };
    const memory = new SharedLimiter(clock, clock.now());
    if (where === 'here') {
      limiter = memory;
      return;
    }
    redis = await startRedis(program);
    limiter = await RedisLimiter.open({ url: redis.url, memory, clock, log: pino({ level: 'silent' }) });
  });

  afterAll(async () => {
    if (limiter instanceof RedisLimiter) limiter.close();
    await redis?.kill();
  });

  function makeService({ media = 0, mediaBytes = 0, trustedProxies = 0 }) {
    const app = Fastify();
    app.setErrorHandler(createReplyError(createLog('silent')));
    const limited = { mediaLimits: createMediaLimits({ enabled: 'on', media, mediaBytes }, limiter), trustedProxies };
    registerMediaLimit(app, limited);
    app.get<{ Params: { bytes: string } }>('/m/:bytes', async (request, reply) => {
      const bytes = Number(request.params.bytes);
      await spendBytes(limited, request, reply, bytes);
      return 'x'.repeat(bytes);
    });
    return (remoteAddress: string, { forwarded = '', bytes = 1 } = {}) =>
      app.inject({ url: `/m/${bytes}`, remoteAddress, headers: { 'x-forwarded-for': forwarded } });
  }

  const it = test.skipIf(program === undefined);

  it('rejects further requests, and reports when to retry', async () => {
    const get = makeService({ media: 2 });
    for (const status of [200, 200, 429]) expect((await get('192.0.2.1')).statusCode).toBe(status);
    const refused = await get('192.0.2.1');
    expect(refused.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' });
    const seconds = secondsOf(refused.headers);
    // Redis uses its own clock, which tests cannot stop.
    if (where === 'here') expect(seconds).toBe(30);
    expect(refused.json()).toEqual({
      error: { code: 'rate_limited', message: `More than 2 images in 60 s; try again in ${seconds} s` },
    });
    expect((await get('192.0.2.2')).statusCode).toBe(200);
  });

  it('applies to the callers of a trusted proxy', async () => {
    const get = makeService({ media: 1, trustedProxies: 1 });
    expect((await get('127.0.0.1', { forwarded: '192.0.3.1' })).statusCode).toBe(200);
    expect((await get('127.0.0.1', { forwarded: '192.0.3.2' })).statusCode).toBe(200);
    expect((await get('127.0.0.1', { forwarded: '192.0.2.9, 192.0.3.1' })).statusCode).toBe(429);
  });

  it('applies to bytes; the last file is allowed to exceed it', async () => {
    const get = makeService({ mediaBytes: 1_000 });
    for (const status of [200, 200, 429]) expect((await get('192.0.4.1', { bytes: 700 })).statusCode).toBe(status);
    const refused = await get('192.0.4.1', { bytes: 1 });
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-expose-headers': 'Retry-After',
    });
    // The budget for the 400 bytes over the limit takes 24 s to refill, and that for the next byte takes part of
    // another second.
    if (where === 'here') expect(secondsOf(refused.headers)).toBe(25);
    expect(refused.json().error).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('More than 1000 bytes of images in 60 s'),
    });
    expect((await get('192.0.4.1', { bytes: 0 })).statusCode).toBe(200);
    expect((await get('192.0.4.2', { bytes: 700 })).statusCode).toBe(200);
  });

  it('never makes an IP address wait for more than an hour', async () => {
    const get = makeService({ mediaBytes: 1 });
    expect((await get('192.0.5.1', { bytes: 100_000 })).statusCode).toBe(200);
    expect(secondsOf((await get('192.0.5.1')).headers)).toBeLessThanOrEqual(3_600);
  });

  it('is off if it is 0', async () => {
    const get = makeService({});
    for (let n = 0; n < 50; n++) expect((await get('192.0.2.1', { bytes: 1_000 })).statusCode).toBe(200);
  });
});

function secondsOf(headers: Record<string, unknown>): number {
  const seconds = Number(headers['retry-after']);
  expect(seconds).toBeGreaterThan(0);
  return seconds;
}
