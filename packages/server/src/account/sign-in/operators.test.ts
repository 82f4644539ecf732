import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { Browser } from '../testing/browser.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';
import { addOperator, listOperators, removeOperator } from './operators.ts';

describe.each(ENGINES)('with $name', ({ start }) => {
  let engine: Engine;
  let db: Database;
  let service: TestService;
  let browser: Browser;
  const by = { actor: 'command line', now: 1 };

  beforeAll(async () => {
    engine = await start();
  });

  beforeEach(async () => {
    db = await engine.open(DASHBOARD_TABLES);
    service = await startDashboard(db);
    browser = new Browser(service.url, PUBLIC_URL);
    await browser.signIn();
    return async () => {
      await service.stop();
      await db.destroy();
    };
  });

  afterAll(() => engine.stop());

  test('a stored operator has the right in running sessions, until it is removed', async () => {
    expect((await browser.ask('GET /review')).status).toBe(403);
    await addOperator(db, by, browser.pubkey);
    expect((await browser.ask('GET /review')).status).toBe(200);
    expect((await browser.ask('GET /account')).body.isOperator).toBe(true);
    expect((await browser.signIn()).body.isOperator).toBe(true);
    expect((await browser.ask('GET /site')).body.reviewed).toBe(true);
    await removeOperator(db, by, browser.pubkey);
    expect((await browser.ask('GET /review')).status).toBe(403);
    expect((await browser.ask('GET /account')).body.isOperator).toBe(false);
  });

  test('an operator is stored once, and only a stored one can be removed', async () => {
    await expect(removeOperator(db, by, browser.pubkey)).rejects.toMatchObject({ code: 'not_found' });
    await addOperator(db, by, browser.pubkey);
    await expect(addOperator(db, by, browser.pubkey)).rejects.toMatchObject({ code: 'conflict' });
    expect(await listOperators(db)).toEqual([{ pubkey: browser.pubkey, createdAt: 1 }]);
  });
});
