import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../platform/db/index.ts';
import { startDashboard, type TestService } from './testing/service.ts';

let db: Database;
let service: TestService;

beforeAll(async () => {
  db = openDatabase(':memory:');
  service = await startDashboard(db);
});

afterAll(async () => {
  await service.stop();
  await db.destroy();
});

test.each(['site', 'account', 'none'])(
  'browsers do not keep a response from %s, and never show it as a page',
  async (path) => {
    const { headers } = await fetch(`${service.url}/dashboard/api/${path}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
  },
);
