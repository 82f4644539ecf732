import { expect, test } from 'vitest';
import { applyLimit, createLimit } from './limits.ts';
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

test('headers contain the rule and the remaining budget', () => {
  expect(applyLimit(makeLimit()(client, 'search')).headers).toEqual([
    'ratelimit-policy',
    '"search";q=10;w=60',
    'ratelimit',
    '"search";r=9;t=6',
  ]);
});
