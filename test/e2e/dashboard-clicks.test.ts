import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Domains, startDomains } from '../../packages/server/src/account/testing/domains.ts';
import { startWallet, type TestWallet } from '../../packages/server/src/payments/testing/wallet.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

const DOMAIN = 'clicks.example';
const INTERNET = new URL('./internet.ts', import.meta.url);
/** Where pages of one origin count the clicks, so that a click that opens another page is counted, too. */
const CLICKS = 'clicks of the test';

describe.skipIf(!(parts.chromium && parts.openssl))('from the search page to a client that works', () => {
  const folder = temporaryFolder();
  const secretKey = generateSecretKey();
  let browser: Browser;
  let wallet: TestWallet;
  let domains: Domains;
  let server: Server;
  let page: Page;

  beforeAll(async () => {
    [browser, wallet, domains] = await Promise.all([launchBrowser(), startWallet(), startDomains([DOMAIN])]);
    domains.name(DOMAIN, { _: getPublicKey(secretKey) });
    fs.writeFileSync(`${folder.path}/authority.pem`, domains.options.ca!);
    server = await startServer(`${folder.path}/data`, {
      ZOETROPE_THREADS: '1',
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_TEST_LIGHTNING_NETWORK: 'regtest',
      ZOETROPE_WALLET: wallet.url,
      ZOETROPE_TEST_INTERNET: `${domains.options.port}`,
      NODE_OPTIONS: `--import=${INTERNET.href}`,
      NODE_EXTRA_CA_CERTS: `${folder.path}/authority.pem`,
    });
    const context = await browser.newContext();
    await installSigner(context, secretKey);
    // Enter in a form makes the browser click its button, so it counts, too.
    await context.addInitScript((clicks) => {
      window.addEventListener(
        'click',
        ({ isTrusted }) => {
          if (isTrusted) localStorage.setItem(clicks, String(Number(localStorage.getItem(clicks)) + 1));
        },
        true,
      );
    }, CLICKS);
    page = await context.newPage();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await wallet?.stop();
    domains?.stop();
    folder[Symbol.dispose]();
  });

  const clicks = () => page.evaluate((name) => Number(localStorage.getItem(name)), CLICKS);

  const statusOfOrigin = async () => {
    const headers = { origin: `https://${DOMAIN}` };
    return (await fetch(`${server.url}/api/v1/search?q=gm`, { headers })).status;
  };

  it('takes six clicks', async () => {
    await page.goto(server.url);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign in with extension' }).click();
    await page.getByRole('link', { name: 'Register a client' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Clicks');
    await page.getByLabel('I accept these terms').check();
    await page.getByLabel('Name', { exact: true }).press('Enter');
    await page.getByText('Waiting for the payment').waitFor(SOON);
    expect(wallet.pay(await page.getByLabel('Invoice', { exact: true }).inputValue())).toBe(true);
    await page.getByText('The payment has arrived').waitFor(SOON);
    expect(await statusOfOrigin()).toBe(403);
    await page.getByLabel('Origin', { exact: true }).fill(`https://${DOMAIN}`);
    await page.getByLabel('Origin', { exact: true }).press('Enter');
    await page.getByText('Ready: 1 origin can call.').waitFor(SOON);
    await expect.poll(statusOfOrigin, SOON).toBe(200);
    expect(await clicks()).toBe(6);
  });
});
