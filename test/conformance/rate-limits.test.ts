import type { OPERATIONS } from '@zoetrope/contract';
import { describe, expect } from 'vitest';
import { bearer, useRegistry } from './registry.ts';
import { sentence } from './sentence.ts';
import { readFailure, serveOne } from './service.ts';

/** Requests per minute. The number is so small that the budget does not refill by one request during a test. */
const QUOTA = 4;
const DEVELOPMENT_QUOTA = 2;
const service = serveOne({
  ZOETROPE_RATES: `search=${QUOTA}, suggest=${QUOTA}, similar=${QUOTA}`,
  ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: `${(100 * DEVELOPMENT_QUOTA) / QUOTA}`,
});
const registry = useRegistry(service);

/** Registers a client with its own budget. @returns its headers */
async function newcomer(name: string): Promise<Record<string, string>> {
  const { key } = await registry.client(name);
  await registry.until('admitted', bearer(key));
  return bearer(key);
}

/** Returns the status of each path, requested one after the other. */
async function statuses(headers: Record<string, string>, paths: string[]): Promise<number[]> {
  const found: number[] = [];
  for (const path of paths) found.push((await service.get(`/api/v1/${path}`, headers)).status);
  return found;
}

/**
 * Returns the status codes in an operation's description. Also checks that it responds with 503 while the registry is
 * down.
 */
async function described(operation: keyof typeof OPERATIONS, path: string): Promise<string[]> {
  await registry.whileDown(async () => {
    expect(await service.fail(`/api/v1/${path}`, { origin: `https://${operation}.example` })).toMatchObject({
      status: 503,
    });
  });
  const { paths } = await service.description();
  const [, methods] = Object.entries(paths).find(([name]) => name.endsWith(operation))!;
  return Object.keys(methods['get']!.responses).toSorted();
}

describe('Status codes', () => {
  sentence(94, async () => {
    const asked = ['search?q=dog', 'search', 'search?q=dog&safe=0', 'search?q=dog&mode=semantic', 'search?q=dog'];
    expect(await statuses(await newcomer('search'), asked)).toEqual([200, 400, 403, 503, 429]);
    expect(await described('search', 'search?q=dog')).toEqual(['200', '400', '403', '429', '503']);
  });

  sentence(102, async () => {
    const asked = ['suggest?q=dog', 'suggest', 'suggest?q=dog&safe=0', 'suggest?q=do', 'suggest?q=dog'];
    expect(await statuses(await newcomer('suggest'), asked)).toEqual([200, 400, 403, 200, 429]);
    expect(await described('suggest', 'suggest?q=dog')).toEqual(['200', '400', '403', '429', '503']);
  });

  sentence(108, async () => {
    const of = (id: string, query = '') => `gifs/${id}.gif/similar${query}`;
    const asked = [of('dog'), of('dog', '?limit=51'), of('dog', '?safe=0'), of('unknown'), of('dog')];
    expect(await statuses(await newcomer('similar'), asked)).toEqual([200, 400, 403, 404, 429]);
    expect(await described('similar', of('dog'))).toEqual(['200', '400', '403', '404', '429', '503']);
    const patient = await newcomer('patient');
    const [found, unknown] = [
      await service.get(`/api/v1/${of('dog')}`, patient),
      await service.get(`/api/v1/${of('unknown')}`, patient),
    ];
    for (const name of ['cache-control', 'vary']) expect(unknown.headers.get(name)).toBe(found.headers.get(name));
    expect(unknown.headers.get('cache-control')).toMatch(/max-age=\d/);
  });
});

describe('Authentication', () => {
  sentence(124, async () => {
    const users = ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:5173'];
    const found: number[] = [];
    for (const origin of users) found.push((await service.get('/api/v1/suggest?q=dog', { origin })).status);
    expect(found).toEqual([200, 200, 429]);
    // Registered clients have separate budgets.
    expect((await service.get('/api/v1/suggest?q=dog', await newcomer('registered'))).status).toBe(200);
  });

  sentence(130, async () => {
    const headers = await newcomer('hybrid');
    const webView = await service.get('/api/v1/gifs/dog.gif/similar', { ...headers, origin: 'https://localhost' });
    expect(webView.headers.get('ratelimit-policy')).toBe(`"similar";q=${DEVELOPMENT_QUOTA};w=60`);
    const native = await service.get('/api/v1/gifs/dog.gif/similar', headers);
    expect(native.headers.get('ratelimit-policy')).toBe(`"similar";q=${QUOTA};w=60`);
    expect(native.headers.get('ratelimit')).toContain(`r=${QUOTA - 1};`);
  });
});

describe('Errors', () => {
  sentence(146, async () => {
    const headers = await newcomer('hurried');
    expect(await statuses(headers, Array(QUOTA).fill('search?q=dog'))).toEqual(Array(QUOTA).fill(200));
    const limited = await service.get('/api/v1/search?q=dog', headers);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(limited.headers.get('cache-control')).toBe('no-store');
    // Pages can read this response, unlike the response for an unknown client.
    expect(limited.headers.get('access-control-allow-origin')).toBe('*');
    expect(await readFailure(limited)).toMatchObject({ status: 429, code: 'rate_limited' });
  });
});

describe('Limits', () => {
  sentence(166, async () => {
    const [one, other] = [await newcomer('one'), await newcomer('other')];
    expect(await statuses(one, Array(QUOTA + 1).fill('suggest?q=dog'))).toEqual([...Array(QUOTA).fill(200), 429]);
    expect(await statuses(other, ['suggest?q=dog'])).toEqual([200]);
    const development = async (origin: string) => (await service.get('/api/v1/search?q=dog', { origin })).status;
    expect([await development('http://localhost'), await development('http://127.0.0.1')]).toEqual([200, 200]);
    expect(await development('https://[::1]:8443')).toBe(429);
  });
});
