import { describe, expect, test } from 'vitest';
import { applyLimit, createLimit, createPageLimit, createReportLimit } from './limits.ts';
import { SharedLimiter } from './shared-limiter.ts';

const NOW = 1_700_000_000_000;
const config = {
  enabled: 'on',
  search: 10,
  suggest: 20,
  similar: 0,
  media: 0,
  mediaBytes: 0,
  pages: 0,
  redisUrl: '',
  developmentPercent: 20,
} as const;
const makeLimit = (over = {}) => createLimit({ ...config, ...over }, new SharedLimiter({ now: () => NOW }, NOW));
const client = { id: 'a', isDevelopment: false };

test('a client with its own limit for searches has the same share of the other limits', () => {
  const own = { id: 'own', isDevelopment: false, searchesPerMinute: 2 * config.search };
  const quotas = { search: config.search, suggest: 8, similar: 4 };
  const limit = makeLimit(quotas);
  for (const operation of ['search', 'suggest', 'similar'] as const) {
    expect(limit(own, operation)?.rule.quota, operation).toBe(2 * quotas[operation]);
    expect(limit({ id: 'other', isDevelopment: false }, operation)?.rule.quota, operation).toBe(quotas[operation]);
  }
  const unlimited = makeLimit({ search: 0 });
  expect(unlimited({ ...own, searchesPerMinute: 3 }, 'search')?.rule.quota).toBe(3);
  expect(unlimited({ id: 'other', isDevelopment: false }, 'search')).toBeUndefined();
});

test('each client has a budget for each operation', () => {
  const limit = makeLimit();
  const used = Array.from({ length: 11 }, () => limit(client, 'search')!.allowed);
  expect(used).toEqual([...Array(10).fill(true), false]);
  expect(limit(client, 'suggest')).toMatchObject({ allowed: true, remaining: 19 });
  expect(limit({ ...client, id: 'b' }, 'search')).toMatchObject({ allowed: true, remaining: 9 });
});

test('the development client has a share of this budget, but at least one request', () => {
  const development = { id: 'development', isDevelopment: true };
  expect(makeLimit()(development, 'search')!.rule.quota).toBe(2);
  expect(makeLimit({ developmentPercent: 1 })(development, 'search')!.rule.quota).toBe(1);
});

test('`0` turns off the limit of one operation, and `off` turns off all limits', () => {
  expect(makeLimit()(client, 'similar')).toBeUndefined();
  expect(makeLimit({ enabled: 'off' })(client, 'search')).toBeUndefined();
});

test('the remaining budget is never more than what is allowed', () => {
  const clock = { ms: NOW, now: () => clock.ms };
  const limit = createLimit(config, new SharedLimiter(clock, NOW));
  // After 3 s, half of a request has been refilled.
  Array.from({ length: 8 }, () => limit(client, 'search'));
  clock.ms += 3_000;
  expect(limit(client, 'search')).toMatchObject({ allowed: true, remaining: 1 });
  expect(limit(client, 'search')).toMatchObject({ allowed: true, remaining: 0 });
  expect(limit(client, 'search')).toMatchObject({ allowed: false, remaining: 0 });
});

test('headers contain the rule and the remaining budget', () => {
  expect(applyLimit(makeLimit()(client, 'search')).headers).toEqual([
    'ratelimit-policy',
    '"search";q=10;w=60',
    'ratelimit',
    '"search";r=9;t=6',
  ]);
});

describe('searches on the pages', () => {
  const clock = { ms: NOW, now: () => clock.ms };
  const pagesLimit = (pages: number) => createPageLimit({ enabled: 'on', pages }, new SharedLimiter(clock, NOW));
  /** A /64 network within a /48 network. */
  const ipv6 = (site: number, network: number) =>
    `2001${site.toString(16).padStart(8, '0')}${network.toString(16).padStart(4, '0')}`;

  test('use text only after half of the budget, and are refused after all of it', () => {
    const limit = pagesLimit(4);
    const verdicts = Array.from({ length: 5 }, () => limit('192.0.2.1')!);
    expect(verdicts.map(({ allowed }) => allowed)).toEqual([true, true, true, true, false]);
    expect(verdicts.map(({ isWordsOnly }) => isWordsOnly)).toEqual([false, false, true, true, true]);
  });

  test('count for the /56 and /48 network of an IPv6 address, and the /24 network of an IPv4 address', () => {
    const allowed = (limit: ReturnType<typeof pagesLimit>, address: (n: number) => string) =>
      Array.from({ length: 200 }, (_, n) => limit(address(n))!.allowed).filter(Boolean).length;
    const ofIpv6 = pagesLimit(4);
    expect(allowed(ofIpv6, (n) => ipv6(1, n % 256))).toBe(16);
    expect(allowed(ofIpv6, (n) => ipv6(1, 256 * (n % 256)))).toBe(48);
    expect(ofIpv6(ipv6(2, 0))).toMatchObject({ allowed: true });
    const ofIpv4 = pagesLimit(4);
    expect(allowed(ofIpv4, (n) => `192.0.2.${n}`)).toBe(64);
    expect(ofIpv4('192.0.3.1')).toMatchObject({ allowed: true });
  });

  test('have a common budget, which refuses only networks that have used up their own', () => {
    const limit = pagesLimit(80);
    // 100 sites make 50 searches each. The first ten searches of each site do not count against the common budget of
    // 2,000.
    for (let n = 0; n < 5_000; n++) limit(ipv6(n % 100, Math.floor(n / 100) % 4));
    expect(limit(ipv6(1, 1))).toMatchObject({ allowed: false });
    for (let n = 0; n < 60; n++) {
      const newcomer = ipv6(1_000 + n, 0);
      const verdicts = Array.from({ length: 10 }, () => limit(newcomer)!);
      expect(verdicts.map(({ allowed }) => allowed)).toEqual(Array(10).fill(true));
      expect(verdicts[0]!.isWordsOnly).toBe(true);
    }
    clock.ms += 60_000;
    expect(limit(ipv6(1, 1))).toMatchObject({ allowed: true, isWordsOnly: false });
  });
});

test('only reports that are accepted count, each for the address and its networks', () => {
  const { look, take } = createReportLimit(config, new SharedLimiter({ now: () => NOW }, NOW));
  for (let n = 0; n < 50; n++) expect(look('192.0.2.1')).toMatchObject({ allowed: true, remaining: 10 });
  for (let n = 0; n < 10; n++) expect(take('192.0.2.1')).toMatchObject({ allowed: true });
  expect(look('192.0.2.1')).toMatchObject({ allowed: false, retryAfterSeconds: 360 });
  for (let n = 0; n < 150; n++) expect(take(`192.0.2.${10 + n}`)).toMatchObject({ allowed: true });
  expect(look('192.0.2.2')).toMatchObject({ allowed: false });
  expect(look('192.0.3.2')).toMatchObject({ allowed: true });
});
