import type { Client, CreatedKey, Invoice, Site } from '@zoetrope/contract/account';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { HAS_OPENSSL, startDomains } from '../../packages/server/src/account/testing/domains.ts';
import {
  DASHBOARD_TABLES,
  PUBLIC_URL,
  startDashboard,
  TERMS_VERSION,
} from '../../packages/server/src/account/testing/service.ts';
import { createLookUp } from '../../packages/server/src/admission/index.ts';
import { startWallet, type TestWallet } from '../../packages/server/src/payments/testing/wallet.ts';
import { ENGINES } from '../../packages/server/src/platform/testing/engines.ts';
import { writeOne } from '../support/catalogues.ts';
import { sentence } from './sentence.ts';
import { OwnService } from './service.ts';

const LONG = 240_000;
const service = new OwnService();
let wallet: TestWallet;

beforeAll(async () => {
  wallet = await startWallet();
  await service.start(writeOne, {
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_TEST_LIGHTNING_NETWORK: 'regtest',
    ZOETROPE_WALLET: wallet.url,
  });
}, LONG);
afterAll(async () => {
  await service.stop();
  await wallet.stop();
});

const WISP = { name: 'Wisp', description: '', homePage: '', contact: '' };

async function signedIn(): Promise<{ browser: Browser; site: Site }> {
  const browser = new Browser(service.url, service.url);
  expect((await browser.signIn()).status).toBe(200);
  return { browser, site: (await browser.ask('GET /site')).body };
}

/** Registers a client and pays its fee. */
async function registered(): Promise<{ browser: Browser; client: Client }> {
  const { browser, site } = await signedIn();
  const { body } = await browser.ask('POST /clients', { ...WISP, termsVersion: site.terms.version });
  const invoice: Invoice = (await browser.ask(`POST /clients/${body.id}/invoice`)).body;
  expect(wallet.pay(invoice.bolt11)).toBe(true);
  return { browser, client: await becomes(browser, body.id, 'approved') };
}

async function becomes(browser: Browser, id: string, state: string): Promise<Client> {
  return vi.waitFor(
    async () => {
      const { body } = await browser.ask(`GET /clients/${id}`);
      expect(body.state).toBe(state);
      return body;
    },
    { timeout: LONG, interval: 100 },
  );
}

/** Searches without an Origin, like native code. */
const search = (headers: Record<string, string>) => fetch(`${service.url}/api/v1/search?q=dog`, { headers });

describe('What the service does', () => {
  sentence(9, async () => {
    const { site, browser } = await signedIn();
    expect(site.fee).toEqual({ sats: 1_000, provider: 'nwc' });
    expect(site.terms.text.join(' ')).toMatch(/1000 sats, once.* not refunded, also when the client is deleted/);
    const { body } = await browser.ask('POST /clients', { ...WISP, termsVersion: site.terms.version });
    expect(body.state).toBe('unpaid');
    const invoice: Invoice = (await browser.ask(`POST /clients/${body.id}/invoice`)).body;
    expect([invoice.sats, invoice.bolt11.slice(0, 8)]).toEqual([1_000, 'lnbcrt10']);
    await browser.ask(`DELETE /clients/${body.id}`, { name: WISP.name });
    // The invoice can still be paid, but the service does not send the money back.
    expect(wallet.pay(invoice.bolt11)).toBe(true);
    expect(wallet.calls['pay_invoice']).toBeUndefined();
  });

  sentence(13, async () => {
    const { browser, site } = await signedIn();
    expect(site.terms.text.join(' ')).toContain(site.attribution);
    for (const unaccepted of [{}, { termsVersion: '' }, { termsVersion: 'another' }]) {
      const { status } = await browser.ask('POST /clients', { ...WISP, ...unaccepted });
      expect([400, 409], JSON.stringify(unaccepted)).toContain(status);
    }
    expect((await browser.ask('GET /clients')).body.clients).toEqual([]);
  });
});

describe('Authentication', () => {
  sentence(120, async () => {
    expect(HAS_OPENSSL, 'openssl').toBe(true);
    const domains = await startDomains(['proven.example', 'silent.example']);
    const engine = await ENGINES[0]!.start();
    const db = await engine.open(DASHBOARD_TABLES);
    const dashboard = await startDashboard(db, { proof: domains.options });
    try {
      const browser = new Browser(dashboard.url, PUBLIC_URL);
      await browser.signIn({ now: dashboard.time.ms });
      domains.name('proven.example', { _: browser.pubkey });
      const { body: client } = await browser.ask('POST /clients', { ...WISP, termsVersion: TERMS_VERSION });
      const add = async (origin: string): Promise<Client> =>
        (await browser.ask(`POST /clients/${client.id}/origins`, { origin })).body;
      await add('https://proven.example');
      const { origins, requests } = await add('https://silent.example');
      expect(origins.map(({ origin }) => origin)).toEqual(['https://proven.example']);
      expect(requests).toMatchObject([{ kind: 'origin', value: 'https://silent.example', proof: { proven: false } }]);
      const lookUp = createLookUp(db);
      expect(await lookUp({ kind: 'origin', value: 'https://proven.example' })).toMatchObject({
        client: { id: client.id },
      });
      expect(await lookUp({ kind: 'origin', value: 'https://silent.example' })).toBeNull();
    } finally {
      await dashboard.stop();
      await db.destroy();
      await engine.stop();
      domains.stop();
    }
  });

  sentence(125, async () => {
    const { browser, client } = await registered();
    const made: CreatedKey = (await browser.ask(`POST /clients/${client.id}/keys`, { name: 'phone' })).body;
    const native = { authorization: `Bearer ${made.key}` };
    await vi.waitFor(async () => expect((await search(native)).status).toBe(200), { timeout: LONG });
    const { body } = await browser.ask(`GET /clients/${client.id}`);
    expect(body.keys).toMatchObject([{ id: made.id, name: 'phone' }]);
    expect(JSON.stringify(body)).not.toContain(made.key);
  });

  sentence(136, async () => {
    const stranger = new Browser(service.url, service.url);
    expect((await stranger.ask('POST /clients', { ...WISP, termsVersion: TERMS_VERSION })).status).toBe(401);
    const { browser, client } = await registered();
    expect(client.owners).toMatchObject([{ pubkey: browser.pubkey }]);
    expect(client.state).toBe('approved');
  });
});

describe('Limits', () => {
  sentence(164, async () => {
    const { browser, client } = await registered();
    const again = await browser.ask(`POST /clients/${client.id}/invoice`);
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict']);
    const paid: Invoice = (await browser.ask(`GET /clients/${client.id}/invoice`)).body;
    expect([paid.sats, paid.state]).toEqual([1_000, 'paid']);
  });
});
