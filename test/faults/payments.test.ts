import type { Invoice } from '@zoetrope/contract/account';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { latestOrder, settleOrder } from '../../packages/server/src/payments/orders.ts';
import { startWallet, type TestWallet } from '../../packages/server/src/payments/testing/wallet.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { foldersOf } from '../../packages/server/src/service/store.ts';
import type { Report } from '../../packages/server/src/upkeep/doctor/index.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const LONG = 240_000;
const WISP = { name: 'Wisp', description: '', homePage: '', contact: '' };

const folder = temporaryFolder();
let wallet: TestWallet;
let server: Server;
let env: Record<string, string>;

beforeAll(async () => {
  wallet = await startWallet();
  env = {
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_TEST_LIGHTNING_NETWORK: 'regtest',
    ZOETROPE_WALLET: wallet.url,
  };
  server = await startServer(folder.path, env);
});
afterAll(async () => {
  await server?.stop();
  await wallet.stop();
  folder[Symbol.dispose]();
});

async function signedIn(): Promise<{ browser: Browser; create: () => Promise<string> }> {
  const browser = new Browser(server.url, server.url);
  expect((await browser.signIn()).status).toBe(200);
  const { terms } = (await browser.ask('GET /site')).body;
  const create = async () => {
    const { status, body } = await browser.ask('POST /clients', { ...WISP, termsVersion: terms.version });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.id as string;
  };
  return { browser, create };
}

const stateOf = async (browser: Browser, id: string) => (await browser.ask(`GET /clients/${id}`)).body.state;

async function diagnosis(): Promise<Report['findings'][number]> {
  const { stdout } = await zoetrope(folder.path, ['doctor', '--json', '--quiet'], env);
  return (JSON.parse(stdout) as Report).findings.find(({ check }) => check === 'payments')!;
}

test('an unpaid invoice registers nobody, even if the wallet shows its preimage', async () => {
  const { browser, create } = await signedIn();
  const id = await create();
  const { lookup_invoice: before = 0 } = wallet.calls;
  const { bolt11 }: Invoice = (await browser.ask(`POST /clients/${id}/invoice`)).body;
  await vi.waitUntil(() => (wallet.calls['lookup_invoice'] ?? 0) >= before + 2, { timeout: LONG });
  expect(await stateOf(browser, id)).toBe('unpaid');
  expect(wallet.pay(bolt11)).toBe(true);
  await vi.waitFor(async () => expect(await stateOf(browser, id)).toBe('approved'), { timeout: LONG });
});

test('the doctor lists orders that an earlier version accepted without settlement', async () => {
  expect(await diagnosis()).toMatchObject({ state: 'well', message: '1 paid by NWC, all confirmed by the wallet' });
  const { browser, create } = await signedIn();
  const id = await create();
  await browser.ask(`POST /clients/${id}/invoice`);
  const db = openDatabase(foldersOf(folder.path).database);
  const { paymentHash } = (await latestOrder(db, id))!;
  await settleOrder(db, { paymentHash, preimage: '00'.repeat(32), now: Date.now() });
  await db.destroy();
  const { state, message, items } = await diagnosis();
  expect([state, message]).toEqual(['note', expect.stringContaining('1 of 2 orders paid by NWC was never settled')]);
  expect(items).toEqual([expect.stringContaining(`client ${id}`)]);
});

test('simultaneous requests for invoices do not exceed the limit', async () => {
  const { browser, create } = await signedIn();
  const clients: string[] = [];
  for (let n = 0; n < 5; n++) clients.push(await create());
  const { make_invoice: before = 0 } = wallet.calls;
  // There are eight requests for each client, forty in all.
  const asked = await Promise.all(
    Array.from({ length: 40 }, (_, n) => browser.ask(`POST /clients/${clients[n % 5]}/invoice`)),
  );
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(asked.map(({ body }) => (body as Invoice).id)).size).toBe(5);
  // The service creates one more invoice if it has to check the wallet again.
  expect(wallet.calls['make_invoice']! - before).toBeLessThanOrEqual(6);
  await browser.ask(`DELETE /clients/${clients[0]}`, { name: WISP.name });
  const { status } = await browser.ask(`POST /clients/${await create()}/invoice`);
  expect(status).toBe(429);
});
