import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../platform/db/index.ts';
import { ENGINES, type Engine } from '../platform/testing/engines.ts';
import { Browser } from './testing/browser.ts';
import { type Domains, HAS_OPENSSL, startDomains } from './testing/domains.ts';
import { DASHBOARD_TABLES, PUBLIC_URL, startDashboard, TERMS_VERSION, type TestService } from './testing/service.ts';

const WISP = { name: 'Wisp', description: '', homePage: '', contact: '', termsVersion: TERMS_VERSION };
const ORIGIN = 'https://wisp.example';
const conflict = { status: 409, body: { error: { code: 'conflict' } } };
const missing = { status: 404, body: { error: { code: 'not_found' } } };
const forbidden = { status: 403, body: { error: { code: 'forbidden' } } };

describe.skipIf(!HAS_OPENSSL).each(ENGINES)('clients whose owner has lost the key, with $name', ({ start }) => {
  let engine: Engine;
  let domains: Domains;
  let db: Database;
  let service: TestService;
  let [former, fresh, operator] = [] as unknown as [Browser, Browser, Browser];
  let clientId: string;

  beforeAll(async () => {
    engine = await start();
    domains = await startDomains(['wisp.example', 'other.example']);
  });

  afterAll(async () => {
    domains.stop();
    await engine.stop();
  });

  beforeEach(async () => {
    db = await engine.open(DASHBOARD_TABLES);
    const admins = new Set<string>();
    service = await startDashboard(db, { admins, proof: domains.options });
    [former, fresh, operator] = await Promise.all([person(), person(), person()]);
    admins.add(operator.pubkey);
    clientId = (await former.ask('POST /clients', WISP)).body.id;
    domains.name('wisp.example', { _: former.pubkey });
    await former.ask(`POST /clients/${clientId}/origins`, { origin: ORIGIN });
    return async () => {
      await service.stop();
      await db.destroy();
    };
  });

  async function person(): Promise<Browser> {
    const browser = new Browser(service.url, PUBLIC_URL);
    expect((await browser.signIn()).status).toBe(200);
    return browser;
  }

  const textsOf = async (browser: Browser) =>
    (await browser.ask('GET /notices')).body.notices.map(({ text }: { text: string }) => text);

  /** Requests the client as its new owner. The domain lists this owner's key. @returns the id of the request */
  async function requested(): Promise<string> {
    domains.name('wisp.example', { _: fresh.pubkey });
    const { status, body } = await fresh.ask('POST /handovers', { origin: ORIGIN });
    expect([status, body.handovers]).toEqual([200, [expect.objectContaining({ origin: ORIGIN })]]);
    return body.handovers[0].id;
  }

  test('get a new owner if the domain names the person and an operator approves', async () => {
    await former.ask(`POST /clients/${clientId}/owners`, { who: operator.pubkey });
    const id = await requested();
    expect(await fresh.ask(`GET /clients/${clientId}`)).toMatchObject(missing);
    expect(await textsOf(former)).toEqual([expect.stringContaining('asks to take over Wisp')]);
    const { npub } = (await former.ask('GET /account')).body;
    expect((await operator.ask('GET /review/handovers')).body.handovers).toMatchObject([
      { id, clientName: 'Wisp', origin: ORIGIN, owners: [npub] },
    ]);
    service.time.ms += 1_000;
    const approved = await operator.ask(`POST /review/handovers/${id}/approve`, { reason: 'lost key' });
    expect(approved.body).toEqual({ handovers: [] });
    expect((await fresh.ask(`GET /clients/${clientId}`)).body).toMatchObject({
      owners: [{ pubkey: fresh.pubkey }],
      origins: [{ origin: ORIGIN }],
      requests: [],
    });
    expect(await former.ask(`GET /clients/${clientId}`)).toMatchObject(missing);
    expect((await textsOf(former))[0]).toContain(
      'handed Wisp over to somebody whom https://wisp.example names as its owner: lost key',
    );
    expect(await textsOf(fresh)).toEqual(['You now own Wisp. Revoke the keys that you do not know.']);
    const { entries } = (await operator.ask(`GET /review/audit?client=${clientId}&action=handover`)).body;
    expect(entries).toMatchObject([
      { action: 'handover approve', subject: `${former.pubkey} to ${fresh.pubkey} by ${ORIGIN}: lost key` },
      { action: 'handover request', subject: `${fresh.pubkey} by ${ORIGIN}` },
    ]);
  });

  test('cannot be requested without the proof, or by an owner, or by an origin that no client has', async () => {
    expect(await fresh.ask('POST /handovers', { origin: ORIGIN })).toMatchObject(conflict);
    expect(await former.ask('POST /handovers', { origin: ORIGIN })).toMatchObject(conflict);
    domains.name('other.example', { _: fresh.pubkey });
    expect(await fresh.ask('POST /handovers', { origin: 'https://other.example' })).toMatchObject(missing);
    expect(await textsOf(former)).toEqual([]);
  });

  test('stay with their owner if the domain no longer names the requester, or an operator rejects the request', async () => {
    const id = await requested();
    domains.name('wisp.example', { _: former.pubkey });
    expect(await operator.ask(`POST /review/handovers/${id}/approve`, { reason: 'x' })).toMatchObject(conflict);
    expect(await operator.ask(`POST /review/handovers/${id}/approve`, {})).toMatchObject({ status: 400 });
    expect(await fresh.ask(`POST /review/handovers/${id}/approve`, { reason: 'x' })).toMatchObject(forbidden);
    await operator.ask(`POST /review/handovers/${id}/reject`, { reason: 'the owner is reachable' });
    expect(await textsOf(fresh)).toEqual([expect.stringMatching(/rejected .*: the owner is reachable$/)]);
    expect((await former.ask(`GET /clients/${clientId}`)).status).toBe(200);
    expect((await fresh.ask('GET /clients')).body).toMatchObject({ clients: [], handovers: [] });
  });

  test('have at most one request, which only the requester can withdraw, and get one notice a day', async () => {
    const first = await requested();
    const id = await requested();
    expect(await operator.ask(`POST /review/handovers/${first}/approve`, { reason: 'x' })).toMatchObject(missing);
    expect(await textsOf(former)).toHaveLength(1);
    expect(await former.ask(`DELETE /handovers/${id}`)).toMatchObject(forbidden);
    expect((await fresh.ask(`DELETE /handovers/${id}`)).body.handovers).toEqual([]);
  });
});
