import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import type { Use } from '../admission/index.ts';
import { ServiceError } from '../base/errors.ts';
import { createLog } from '../base/log.ts';
import { Metrics, memoryForMetrics } from '../base/metrics.ts';
import type { Verdict } from '../limits/index.ts';
import { AnswerCache, callers, toBody } from './answer.ts';
import { registerCached } from './cached-route.ts';
import type { HttpContext, Lease } from './context.ts';
import { edge } from './edge.ts';
import { createReplyError } from './reply-error.ts';

type Response = { n: number; semantic: boolean };

interface Over {
  maxBytes?: number;
  audience?: typeof callers;
  verdict?: Verdict;
}

/** Creates a service with one route, a cache and a clock. The responses are numbered. */
function makeService({ maxBytes = 1_000_000, audience = callers, verdict }: Over = {}) {
  const time = { ms: 1_000 };
  const now = { epoch: 'build 1' };
  const answer = vi.fn<(wanted: string, lease: Lease) => Promise<Response>>();
  const app = Fastify();
  app.setErrorHandler(createReplyError(createLog('silent')));
  app.decorateRequest('client', null);
  app.addHook('onRequest', async (request) => {
    request.client = { id: 'a', name: 'A', isDevelopment: false };
  });
  const index = () => ({ buildId: now.epoch.replace(' ', '-'), forRequest: index });
  const lease = () => ({ ...now, index: index() }) as unknown as Lease;
  const cache = new AnswerCache(maxBytes, { now: () => time.ms });
  const uses: Use[] = [];
  registerCached<string>(
    app,
    {
      lease,
      metrics: new Metrics(memoryForMetrics(1), 0),
      countUse: (_client: unknown, _operation: unknown, use: Use) => void uses.push(use),
      limit: () => verdict,
    } as unknown as HttpContext,
    { cache, audience },
    {
      name: 'search',
      path: '/gifs/:id',
      read: ({ q }, { id }) => `${id} ${q}`,
      key: (wanted) => wanted.toLowerCase(),
      answer: async (wanted, lease) => {
        const response = await answer(wanted, lease);
        return { body: toBody(response), isDegraded: !response.semantic };
      },
      isPrivate: (wanted) => wanted.includes('secret'),
      gif: (wanted) => wanted.split(' ')[0]!,
    },
  );
  const get = async (path: string, headers: Record<string, string> = {}) => app.inject({ url: path, headers });
  let n = 0;
  const say = (semantic: boolean) => answer.mockImplementation(async () => ({ n: ++n, semantic }));
  say(true);
  return { answer, get, say, time, now, uses };
}

describe('a cached route', () => {
  test('computes a response once for equal requests, and lets callers cache it for a minute', async () => {
    const { answer, get, time } = makeService();
    const first = await get('/gifs/1?q=Cat');
    expect(first.statusCode).toBe(200);
    expect(first.headers).toMatchObject({
      'cache-control': 'private, max-age=60',
      'content-length': String(first.rawPayload.length),
      vary: 'Accept-Encoding, Origin, Authorization, User-Agent',
    });
    time.ms += 3_600_000;
    for (const path of ['/gifs/1?q=Cat', '/gifs/1?q=cat', '/gifs/1?q=CAT']) {
      expect((await get(path)).body).toBe(first.body);
    }
    expect(answer).toHaveBeenCalledTimes(1);
    expect((await get('/gifs/2?q=cat')).json()).toMatchObject({ n: 2 });
  });

  test('sends each response compressed if accepted, the first one too, with its own ETag', async () => {
    const { answer, get } = makeService();
    const long = { n: 1, semantic: true, words: 'cat '.repeat(1_000) };
    answer.mockResolvedValue(long);
    const [compressed, meanwhile] = await Promise.all([
      get('/gifs/1?q=cat', { 'accept-encoding': 'gzip, br' }),
      get('/gifs/1?q=cat', { 'accept-encoding': 'br' }),
    ]);
    const [zipped, plain] = [await get('/gifs/1?q=cat', { 'accept-encoding': 'gzip' }), await get('/gifs/1?q=cat')];
    const answers = [compressed, meanwhile, zipped, plain];
    expect(answers.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'br', 'gzip', undefined]);
    expect(JSON.parse(brotliDecompressSync(compressed.rawPayload).toString())).toEqual(long);
    expect(compressed.headers['content-length']).toBe(String(compressed.rawPayload.length));
    expect(compressed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 10);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    const known = { 'accept-encoding': 'br', 'if-none-match': `W/${String(compressed.headers.etag)}` };
    const unchanged = await get('/gifs/1?q=cat', known);
    expect([unchanged.statusCode, unchanged.rawPayload.length]).toEqual([304, 0]);
    const older = { ...known, 'if-none-match': String(plain.headers.etag) };
    expect((await get('/gifs/1?q=cat', older)).statusCode).toBe(304);
  });

  test('caches a degraded response for 30 s, and lets callers cache it for another 30 s', async () => {
    const { answer, get, say, time } = makeService();
    say(false);
    const degraded = await get('/gifs/1?q=cat');
    expect(degraded.headers['cache-control']).toBe('private, max-age=30');
    say(true);
    time.ms += 29_999;
    expect((await get('/gifs/1?q=cat')).json()).toEqual({ n: 1, semantic: false });
    expect((await get('/gifs/1?q=CAT')).headers['cache-control']).toBe('private, max-age=30');
    time.ms += 2;
    const whole = await get('/gifs/1?q=cat');
    expect(whole.json()).toEqual({ n: 2, semantic: true });
    expect(whole.headers['cache-control']).toBe('private, max-age=60');
    time.ms += 3_600_000;
    expect((await get('/gifs/1?q=cat')).body).toBe(whole.body);
    expect(answer).toHaveBeenCalledTimes(2);
  });

  test('empties the cache when the build or generation changes', async () => {
    const { get, now } = makeService();
    await get('/gifs/1?q=cat');
    now.epoch = 'build 2';
    expect((await get('/gifs/1?q=cat')).json()).toMatchObject({ n: 2 });
  });

  test('does not cache a response of a build that was replaced meanwhile', async () => {
    const { answer, get, now } = makeService();
    const slow = Promise.withResolvers<Response>();
    answer.mockReturnValueOnce(slow.promise);
    const late = get('/gifs/1?q=cat');
    await vi.waitFor(() => expect(answer).toHaveBeenCalledTimes(1), { timeout: 480_000 });
    now.epoch = 'build 2';
    await get('/gifs/2?q=cat');
    slow.resolve({ n: 99, semantic: true });
    expect((await late).json()).toMatchObject({ n: 99 });
    expect((await get('/gifs/1?q=cat')).json()).not.toMatchObject({ n: 99 });
  });

  test('caches "not found" like any other response', async () => {
    const { answer, get } = makeService();
    answer.mockRejectedValue(new ServiceError('not_found', 'No GIF has the id 1'));
    const first = await get('/gifs/1?q=cat');
    expect(first.statusCode).toBe(404);
    expect(first.json()).toEqual({ error: { code: 'not_found', message: 'No GIF has the id 1' } });
    expect(first.headers['cache-control']).toBe('private, max-age=60');
    const again = await get('/gifs/1?q=cat', { 'if-none-match': String(first.headers.etag) });
    expect(again).toMatchObject({ statusCode: 404, body: first.body });
    expect(answer).toHaveBeenCalledTimes(1);
  });

  test.each([
    [503, new ServiceError('embedder_unavailable', 'it is down', { retryAfter: 5 })],
    [500, new TypeError('a fault of ours')],
  ])('does not cache a failure with status %i', async (status, error) => {
    const { answer, get } = makeService();
    answer.mockRejectedValueOnce(error);
    const failed = await get('/gifs/1?q=cat');
    expect(failed.statusCode).toBe(status);
    expect(failed.headers['cache-control'] ?? '').not.toContain('max-age');
    expect((await get('/gifs/1?q=cat')).statusCode).toBe(200);
  });

  test('responds with 304 if the caller already has the response', async () => {
    const { get } = makeService();
    const { headers } = await get('/gifs/1?q=cat');
    const again = await get('/gifs/1?q=cat', { 'if-none-match': String(headers.etag) });
    expect(again).toMatchObject({ statusCode: 304, body: '' });
    expect(again.headers).toMatchObject({ etag: headers.etag, 'cache-control': 'private, max-age=60' });
    expect((await get('/gifs/1?q=cat', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('reports the rate limit with each response, even with 304', async () => {
    const rule = { name: 'search', table: 'clients', quota: 10, windowSeconds: 60 } as const;
    const verdict = { rule, allowed: true, remaining: 3, resetSeconds: 60, retryAfterSeconds: 0 };
    const { get, say } = makeService({ verdict });
    say(true);
    for (const [tag, status] of [
      ['none', 200],
      ['none', 200],
      ['*', 304],
    ] as const) {
      const { statusCode, headers } = await get('/gifs/1?q=cat', { 'if-none-match': tag });
      expect([statusCode, headers['ratelimit']]).toEqual([status, '"search";r=3;t=60']);
    }
  });

  test('counts the outcomes of the requests of each client', async () => {
    const rule = { name: 'search', table: 'clients', quota: 10, windowSeconds: 60 } as const;
    const service = makeService();
    service.say(true);
    for (const q of ['cat', 'cat']) await service.get(`/gifs/1?q=${q}`);
    service.answer.mockRejectedValueOnce(new ServiceError('not_found', 'no GIF has this id'));
    await service.get('/gifs/1?q=dog');
    service.answer.mockRejectedValueOnce(new ServiceError('validation', 'q is wrong'));
    await service.get('/gifs/1?q=bat');
    service.answer.mockRejectedValueOnce(new Error('broken'));
    await service.get('/gifs/1?q=rat');
    await service.get('/gifs/1?q=%');
    expect(service.uses).toEqual(['made', 'kept', 'made', 'refused', 'made', 'refused']);
    const verdict = { rule, allowed: false, remaining: 0, resetSeconds: 60, retryAfterSeconds: 6 };
    const limited = makeService({ verdict });
    await limited.get('/gifs/1?q=cat');
    expect(limited.uses).toEqual(['limited']);
  });

  test('caches nothing if the size of the cache is 0', async () => {
    const { answer, get } = makeService({ maxBytes: 0 });
    await get('/gifs/1?q=cat');
    await get('/gifs/1?q=cat');
    expect(answer).toHaveBeenCalledTimes(2);
  });
});

describe('a cached route behind an edge', () => {
  const tellsEdge = (headers: Record<string, unknown>) => [
    headers['cache-control'],
    headers['surrogate-control'],
    headers['cdn-cache-control'],
    headers['x-accel-expires'],
    headers['surrogate-key'],
    headers['vary'],
  ];
  const WHOLE = ['private, max-age=60', ...Array(2).fill('max-age=3600, stale-while-revalidate=60'), '4'];

  test('lets the edge cache a response for an hour, tagged by build and independent of the caller', async () => {
    const { get } = makeService({ audience: edge });
    for (const query of ['cat', 'CAT']) {
      const { headers } = await get(`/gifs/1?q=${query}`);
      expect(tellsEdge(headers)).toEqual([...WHOLE, 'build-build-1 search', 'Accept-Encoding']);
      expect(Object.keys(headers).filter((name) => /^(access-control|ratelimit)/.test(name))).toEqual([]);
    }
  });

  test('lets the edge cache "not found" for an hour, tagged by build and by GIF', async () => {
    const { answer, get } = makeService({ audience: edge });
    answer.mockRejectedValue(new ServiceError('not_found', 'No GIF has the id 1'));
    const { statusCode, headers } = await get('/gifs/1?q=cat');
    expect(statusCode).toBe(404);
    expect(tellsEdge(headers)).toEqual([...WHOLE, 'build-build-1 gif-1', 'Accept-Encoding']);
  });

  test('lets only the edge cache a degraded response, for a minute', async () => {
    const { answer, get, say } = makeService({ audience: edge });
    say(false);
    const { headers } = await get('/gifs/1?q=cat');
    expect(tellsEdge(headers)).toEqual([
      ...['private, no-cache', 'max-age=60', 'max-age=60', '4', 'degraded', 'Accept-Encoding'],
    ]);
    await get('/gifs/1?q=cat');
    expect(answer).toHaveBeenCalledTimes(2);
  });

  test('marks a private response as not cacheable', async () => {
    const { answer, get } = makeService({ audience: edge });
    const { headers } = await get('/gifs/1?q=secret');
    const nothing = Array(4).fill(undefined);
    expect(tellsEdge(headers)).toEqual(['private, no-store', ...nothing, 'Accept-Encoding']);
    await get('/gifs/1?q=secret');
    expect(answer).toHaveBeenCalledTimes(2);
  });

  test('compresses the first response, because the edge requests it only once', async () => {
    const { answer, get } = makeService({ audience: edge });
    answer.mockResolvedValue({ n: 1, semantic: true, words: 'cat '.repeat(1_000) } as Response);
    for (const encoding of ['br', 'gzip', 'br']) {
      const { headers } = await get('/gifs/1?q=cat', { 'accept-encoding': encoding });
      expect(headers['content-encoding']).toBe(encoding);
    }
  });

  test('sends rate limits only when they are exceeded, because that response is not shared', async () => {
    const rule = { name: 'search', table: 'clients', quota: 10, windowSeconds: 60 } as const;
    const verdict = { rule, allowed: true, remaining: 0, resetSeconds: 60, retryAfterSeconds: 0 };
    expect((await makeService({ verdict }).get('/gifs/1?q=cat')).headers).toHaveProperty('ratelimit');
    const within = await makeService({ verdict, audience: edge }).get('/gifs/1?q=cat');
    expect(within.headers).not.toHaveProperty('ratelimit');
    const over = { ...verdict, allowed: false, retryAfterSeconds: 6 };
    const { statusCode, headers } = await makeService({ verdict: over, audience: edge }).get('/gifs/1?q=cat');
    expect(statusCode).toBe(429);
    expect(headers).toMatchObject({ ratelimit: '"search";r=0;t=60', 'retry-after': '6', 'cache-control': 'no-store' });
    expect(headers).not.toHaveProperty('surrogate-control');
  });
});
