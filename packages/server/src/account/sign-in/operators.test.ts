import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { ENGINES, type Engine } from '../../platform/testing/engines.ts';
import { Browser } from '../testing/browser.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, type TestService } from '../testing/service.ts';
import { addFirstOperator, addOperator, listOperators, removeOperator } from './operators.ts';

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
    const console = { canBeClaimed: async () => true, claim };
    service = await startDashboard(db, { console: console as never });
    browser = new Browser(service.url, PUBLIC_URL);
    await browser.signIn();
    return async () => {
      await service.stop();
      await db.destroy();
    };
  });

  afterAll(() => engine.stop());

  function claim(_: string, pubkey: string): Promise<void> {
    return addFirstOperator(db, pubkey, 1);
  }

  test("an operator in the database has an operator's rights, also in running sessions, until the operator is removed", async () => {
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

  test('only one of several people can become the first operator, and the audit log says who', async () => {
    expect((await browser.ask('GET /site')).body).toMatchObject({ reviewed: false, claimable: true });
    const other = new Browser(service.url, PUBLIC_URL);
    await other.signIn();
    const people = [browser, other];
    const claims = await Promise.all(people.map((one) => one.ask('POST /account/operator', { code: '482 913' })));
    expect(claims.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = claims.findIndex(({ status }) => status === 200);
    expect(claims[winner]!.body).toMatchObject({ isOperator: true, csrf: people[winner]!.csrf });
    expect((await other.ask('GET /site')).body).toMatchObject({ reviewed: true, claimable: false });
    const { entries } = (await people[winner]!.ask('GET /review/audit')).body;
    const { npub } = claims[winner]!.body;
    expect(entries).toMatchObject([{ action: 'operator claim', actor: npub, subject: npub, clientId: '' }]);
  });

  test.each<[string, Record<string, string>]>([
    ['another machine, through a proxy', { 'x-forwarded-for': '192.0.2.1' }],
    ['another machine that invents an entry', { 'x-forwarded-for': '127.0.0.1, 192.0.2.1' }],
  ])('refuses %s', async (_, headers) => {
    const refused = await browser.ask('POST /account/operator', { code: '482913' }, headers);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect((await browser.ask('GET /site', {}, headers)).body.claimable).toBe(false);
    expect(await listOperators(db)).toEqual([]);
  });
});
