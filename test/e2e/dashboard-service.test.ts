import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWallet, type TestWallet } from '../../packages/server/src/payments/testing/wallet.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

/** The stand-in that the other tests ask says what the contract says; here the service itself does. */
describe.skipIf(!parts.chromium)('the dashboard of the service', () => {
  const folder = temporaryFolder();
  const secretKey = generateSecretKey();
  let browser: Browser;
  let server: Server;
  let wallet: TestWallet;

  beforeAll(async () => {
    wallet = await startWallet();
    const port = await freePort();
    const env = {
      ZOETROPE_PORT: `${port}`,
      ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      ZOETROPE_ADMINS: getPublicKey(secretKey),
      ZOETROPE_THREADS: '1',
      ZOETROPE_LIGHTNING: 'nwc',
      ZOETROPE_LIGHTNING_NETWORK: 'regtest',
      ZOETROPE_NWC_URL: wallet.url,
    };
    [browser, server] = await Promise.all([launchBrowser(), startServer(folder.path, env)]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await wallet?.stop();
    folder[Symbol.dispose]();
  });

  it('takes somebody from signing in over a payment to a request that is answered, and a review', async () => {
    const context = await browser.newContext();
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.text().includes('Content Security Policy') && refused.push(message.text()));
    await installSigner(context, secretKey);
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign in by extension' }).click();
    await page.getByText('You have no client yet').waitFor(SOON);
    await page.getByRole('link', { name: 'Register a client' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Walker');
    await page.getByLabel('What it is').fill('For walkers');
    await page.getByLabel('I accept these terms').check();
    await page.getByRole('button', { name: 'Register and go to pay' }).click();
    await page.getByRole('button', { name: 'Get an invoice' }).click();
    await page.getByText('Waiting for the payment').waitFor(SOON);
    const code = page.getByRole('img', { name: 'The invoice as a code' });
    await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth), SOON).toBeGreaterThan(0);
    expect(wallet.pay(await page.getByLabel('Invoice', { exact: true }).inputValue())).toBe(true);
    await page.getByText('is paid for').waitFor(SOON);
    await page.getByRole('link', { name: 'Get started' }).click();
    await page.getByText('active', { exact: true }).waitFor(SOON);
    const address = page.url();

    await page.getByLabel('Name of the key').fill('phone');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('the only time').waitFor(SOON);
    await page.getByRole('button', { name: 'Try', exact: true }).click();
    await page.getByText('200: 0 GIFs for “gm”').waitFor(SOON);
    await page.getByLabel('Pattern').fill('Walker/*');
    await page.getByRole('button', { name: 'Add user agent' }).click();
    await page.getByRole('button', { name: 'Withdraw Walker/*' }).waitFor(SOON);

    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Approve Walker/*' }).click();
    await page.getByText('Nothing waits for you').waitFor(SOON);
    await page.getByLabel('Name, id, npub or origin').fill('Walk');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name: 'Walker' }).click();
    await page.getByRole('region', { name: 'What was done to it' }).waitFor(SOON);
    await page.getByLabel('Reason, which its owners read').fill('spam');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('suspended: spam').waitFor(SOON);

    await page.goto(address);
    await page.getByText('suspended: spam').waitFor(SOON);
    await page.getByRole('button', { name: 'Remove Walker/*' }).waitFor(SOON);
    await page.getByLabel('Type its name').fill('Walker');
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('You have no client yet').waitFor(SOON);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Sign out here' }).click();
    await page.getByRole('heading', { name: 'Sign in with Nostr' }).waitFor(SOON);
    expect(refused).toEqual([]);
  });
});
