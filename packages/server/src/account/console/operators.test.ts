import { ACCOUNT_ROUTES } from '@zoetrope/contract/account';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../../service/migrations.ts';
import { Browser } from '../testing/browser.ts';
import { PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';

/** All routes for operators, with an id in the place of each parameter. */
const ROUTES = Object.values(ACCOUNT_ROUTES)
  .filter((route) => /^\w+ \/review(\/|$)/.test(route))
  .map((route) => route.replace(/:\w+/g, 'a'));
const CHANGES = ROUTES.filter((route) => !route.startsWith('GET '));

let registry: Database;
let catalogue: Database;
let service: TestService;
const admins = new Set<string>();
let [stranger, owner, former, operator]: Browser[] = [];

beforeAll(async () => {
  [registry, catalogue] = [openDatabase(':memory:'), openDatabase(':memory:')];
  await migrate(catalogue, DATA_MIGRATIONS);
  service = await startDashboard(registry, { admins, catalogue: async () => catalogue });
  [stranger, owner, former, operator] = Array.from({ length: 4 }, () => new Browser(service.url, PUBLIC_URL));
  for (const { pubkey } of [former!, operator!]) admins.add(pubkey);
  for (const browser of [owner!, former!, operator!]) expect((await browser.signIn()).status).toBe(200);
  admins.delete(former!.pubkey);
});

afterAll(async () => {
  await service.stop();
  await registry.destroy();
  await catalogue.destroy();
});

/** Returns the headers that the dashboard sends with the body for a route. */
function headersOf(route: string): Record<string, string> {
  return route.includes('/files/') ? { 'content-type': 'application/octet-stream' } : {};
}

describe.each(ROUTES)('%s', (route) => {
  test('is refused to strangers, owners and former operators', async () => {
    const statusFor = async (browser: Browser) => (await browser.ask(route, {}, headersOf(route))).status;
    expect(await statusFor(stranger!)).toBe(401);
    expect(await statusFor(owner!)).toBe(403);
    expect(await statusFor(former!)).toBe(403);
  });

  test('is there for operators', async () => {
    const { status, body } = await operator!.ask(route, {}, headersOf(route));
    expect([401, 403, 415, 500]).not.toContain(status);
    expect(body.error?.message ?? '').not.toMatch(/^Not found: /);
  });
});

describe.each(CHANGES)('%s', (route) => {
  test.each([
    ['no CSRF token', { 'x-csrf-token': '' }, 403],
    ['a wrong CSRF token', { 'x-csrf-token': 'x'.repeat(43) }, 403],
    ['another origin', { origin: 'https://evil.example' }, 403],
    ['the content type of a form', { 'content-type': 'text/plain' }, 415],
  ])('is refused with %s', async (_, headers, status) => {
    expect((await operator!.ask(route, {}, { ...headersOf(route), ...headers })).status).toBe(status);
  });
});

test('there are routes to check', () => {
  expect(ROUTES.length).toBeGreaterThan(25);
  expect(CHANGES.length).toBeGreaterThan(10);
});
