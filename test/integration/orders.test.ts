import type { Invoice, OddOrders } from '@zoetrope/contract/account';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import {
  DASHBOARD_TABLES,
  PUBLIC_URL,
  startDashboard,
  type TestService,
} from '../../packages/server/src/account/testing/service.ts';
import { createLog } from '../../packages/server/src/base/log.ts';
import { Payments } from '../../packages/server/src/payments/payments.ts';
import { openLnbits } from '../../packages/server/src/payments/providers/lnbits.ts';
import { paymentMigrations } from '../../packages/server/src/payments/tables.ts';
import { NOT_PAID, type RestWallet, startRestWallet } from '../../packages/server/src/payments/testing/rest-wallet.ts';
import { type Database, migrate } from '../../packages/server/src/platform/db/index.ts';
import { ENGINES, type Engine } from '../../packages/server/src/platform/testing/engines.ts';
import { listAudit } from '../../packages/server/src/registry/index.ts';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const LONG = 240_000;
const WISP = { name: 'Wisp', description: '', homePage: '', contact: '' };
/** LNbits's response about a paid invoice if its node does not know the preimage. */
const UNPROVEN = () => ({ paid: true, preimage: null, details: { status: 'success', preimage: '0'.repeat(64) } });

let wallet: RestWallet;
beforeAll(async () => {
  wallet = await startRestWallet();
});
afterAll(() => wallet.stop());

/** Registers a client and gets its invoice. */
async function ordered(browser: Browser, termsVersion: string): Promise<{ clientId: string; invoice: Invoice }> {
  const { status, body } = await browser.ask('POST /clients', { ...WISP, termsVersion });
  expect(status, JSON.stringify(body)).toBe(200);
  const invoice = (await browser.ask(`POST /clients/${body.id}/invoice`)).body;
  expect(invoice.state).toBe('open');
  return { clientId: body.id, invoice };
}

async function signedIn(url: string, origin: string): Promise<Browser> {
  const browser = new Browser(url, origin);
  expect((await browser.signIn()).status).toBe(200);
  return browser;
}

describe.each(ENGINES)('the dashboard, with its orders in $name', ({ start }) => {
  let engine: Engine;
  let db: Database;
  let payments: Payments;
  let dashboard: TestService;
  let [owner, operator] = [] as unknown as [Browser, Browser];

  beforeAll(async () => {
    engine = await start();
    db = await engine.open(DASHBOARD_TABLES);
    const { orders, reservations } = paymentMigrations;
    await migrate(db, { '1': orders, '2': reservations }, 'payment_migrations');
    payments = new Payments({
      ...{ config: { feeSats: 1_000, network: 'regtest', proof: 'required' }, db },
      provider: openLnbits({ url: wallet.url, key: 'secret' }),
      clock: { now: () => Date.now() },
      log: createLog('silent'),
    });
    const admins = new Set<string>();
    dashboard = await startDashboard(db, { payments, admins });
    [owner, operator] = await Promise.all([signedIn(dashboard.url, PUBLIC_URL), signedIn(dashboard.url, PUBLIC_URL)]);
    admins.add(operator.pubkey);
  }, LONG);
  afterAll(async () => {
    await dashboard?.stop();
    await payments?.close();
    await db?.destroy();
    await engine?.stop();
  });

  /** Returns the order that an operator must resolve, as soon as there is one. */
  const unresolved = () =>
    vi.waitFor(
      async () => {
        const { orders }: OddOrders = (await operator.ask('GET /review/orders')).body;
        expect(orders).toHaveLength(1);
        return orders[0]!;
      },
      { timeout: LONG },
    );

  test('an order without proof of payment is shown to its payer and to operators, and an operator can accept it', async () => {
    wallet.answer = NOT_PAID;
    const { terms } = (await owner.ask('GET /site')).body;
    const { clientId, invoice } = await ordered(owner, terms.version);
    wallet.answer = UNPROVEN;
    const { id } = invoice;
    expect(await unresolved()).toMatchObject({ id, clientId, sats: 1_000, state: 'unproven', provider: 'lnbits' });
    expect((await owner.ask(`GET /clients/${clientId}/invoice`)).body).toMatchObject({ id, state: 'unproven' });
    expect(await owner.ask(`POST /clients/${clientId}/invoice`)).toMatchObject({ status: 409 });
    for (const decision of ['accept', 'refuse']) {
      expect((await owner.ask(`POST /review/orders/${id}/${decision}`)).status).toBe(403);
      expect((await operator.ask(`POST /review/orders/none/${decision}`)).status).toBe(404);
    }
    expect(await operator.ask(`POST /review/orders/${id}/accept`)).toMatchObject({ status: 200, body: { orders: [] } });
    expect((await operator.ask(`POST /review/orders/${id}/accept`)).status).toBe(409);
    expect((await owner.ask(`GET /clients/${clientId}`)).body.state).toBe('approved');
    expect((await owner.ask(`GET /clients/${clientId}/invoice`)).body.state).toBe('paid');
    const { npub } = (await operator.ask('GET /account')).body;
    expect((await listAudit(db, clientId)).at(-1)).toMatchObject({ action: 'order accept', actor: npub });
  });

  test('a refused order lets its payer get another invoice', async () => {
    wallet.answer = NOT_PAID;
    const { terms } = (await owner.ask('GET /site')).body;
    const { clientId, invoice } = await ordered(owner, terms.version);
    wallet.answer = ({ preimage }) => ({ paid: true, preimage: preimage.replaceAll(/./g, '1') });
    expect(await unresolved()).toMatchObject({ id: invoice.id, state: 'disproven' });
    expect((await operator.ask(`POST /review/orders/${invoice.id}/accept`)).status).toBe(409);
    expect((await operator.ask(`POST /review/orders/${invoice.id}/refuse`)).body).toEqual({ orders: [] });
    expect((await owner.ask(`GET /clients/${clientId}/invoice`)).body.state).toBe('refused');
    wallet.answer = NOT_PAID;
    expect((await owner.ask(`POST /clients/${clientId}/invoice`)).body).toMatchObject({ state: 'open' });
  });
});

describe('a service', () => {
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  const operator = new Browser('', '');
  const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_ADMINS: operator.pubkey };

  async function diagnosis(data: string, env: Record<string, string>): Promise<Report['findings'][number]> {
    const { stdout } = await zoetrope(data, ['doctor', '--json', '--quiet'], env);
    return (JSON.parse(stdout) as Report).findings.find(({ check }) => check === 'orders')!;
  }

  const approved = (browser: Browser, clientId: string) =>
    vi.waitFor(async () => expect((await browser.ask(`GET /clients/${clientId}`)).body.state).toBe('approved'), {
      timeout: LONG,
      interval: 100,
    });

  async function customer({ url }: Server): Promise<{ browser: Browser; clientId: string; invoice: Invoice }> {
    const browser = await signedIn(url, url);
    const { terms } = (await browser.ask('GET /site')).body;
    return { browser, ...(await ordered(browser, terms.version)) };
  }

  test('logs an unproven order once, the doctor lists it, and the setting that the log names settles it', async () => {
    const data = `${folder.path}/unproven`;
    const env = {
      ...ENV,
      ZOETROPE_WALLET: `lnbits+${wallet.url.replace('//', '//:secret@')}`,
      ZOETROPE_TEST_LIGHTNING_NETWORK: 'regtest',
    };
    wallet.answer = NOT_PAID;
    let paid: Awaited<ReturnType<typeof customer>>;
    {
      await using server = await startServer(data, env);
      const lines: string[] = [];
      server.process.stderr!.on('data', (chunk) => lines.push(String(chunk)));
      paid = await customer(server);
      const { clientId, browser, invoice } = paid;
      expect(await diagnosis(data, env)).toMatchObject({ state: 'well', message: 'none waits for an operator' });
      let looks = 0;
      wallet.answer = () => {
        looks++;
        return UNPROVEN();
      };
      await vi.waitUntil(() => looks >= 3, { timeout: LONG });
      expect((await browser.ask(`GET /clients/${clientId}/invoice`)).body.state).toBe('unproven');
      const said = lines
        .join('')
        .split('\n')
        .filter((line) => line.includes(invoice.id));
      expect(said).toHaveLength(1);
      expect(JSON.parse(said[0]!)).toMatchObject({
        ...{ level: 40, room: 'payments', wallet: 'lnbits', order: invoice.id },
        msg: expect.stringContaining('set ZOETROPE_LIGHTNING_PROOF=optional'),
      });
      expect(await diagnosis(data, env)).toEqual({
        ...{ check: 'orders', state: 'note' },
        message: expect.stringMatching(/^1 waits for an operator: .*ZOETROPE_LIGHTNING_PROOF=optional$/),
        items: [expect.stringMatching(`^order ${invoice.id}, client ${clientId}, lnbits: unproven since 20`)],
      });
    }
    const trusting = { ...env, ZOETROPE_LIGHTNING_PROOF: 'optional' };
    await using server = await startServer(data, trusting);
    const { secretKey, pubkey } = paid.browser;
    const again = Object.assign(new Browser(server.url, server.url), { secretKey, pubkey });
    await again.signIn();
    await approved(again, paid.clientId);
    expect(await diagnosis(data, trusting)).toMatchObject({ state: 'well', items: [] });
  });

  test('with the demo approves a client without money, and says that it is a demonstration', async () => {
    await using server = await startServer(`${folder.path}/demo`, { ...ENV, ZOETROPE_WALLET: 'demo' });
    const { browser, clientId, invoice } = await customer(server);
    expect(invoice.bolt11).toMatch(/^lnbcrt10000n1/);
    expect((await browser.ask('GET /site')).body.fee).toEqual({ sats: 1_000, provider: 'demo' });
    await approved(browser, clientId);
    expect((await browser.ask(`GET /clients/${clientId}/invoice`)).body.state).toBe('paid');
  });

  test('with the demo does not start if other machines can reach it', async () => {
    const env = { ...ENV, ZOETROPE_WALLET: 'demo', ZOETROPE_HOST: '0.0.0.0' };
    const { code, stderr } = await zoetrope(`${folder.path}/open`, ['serve'], env);
    expect([code, stderr]).toEqual([1, expect.stringContaining('ZOETROPE_WALLET=demo')]);
    expect(stderr).toContain('Set ZOETROPE_HOST=127.0.0.1, not 0.0.0.0');
  });
});
