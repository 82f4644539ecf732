import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Domains, startDomains } from '../../packages/server/src/account/testing/domains.ts';
import { startWallet, type TestWallet } from '../../packages/server/src/payments/testing/wallet.ts';
import { type Postgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { blocksGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';
import { Meeting } from './signers.ts';

/** The developer's domain. The test runs its web server. */
const DOMAIN = 'walker.example';
const INTERNET = new URL('./internet.ts', import.meta.url);
const SEARCH = '/api/v1/search?q=gm';

const STORES = [
  { store: 'its own file', programs: 'none' },
  { store: 'PostgreSQL', programs: parts.postgres },
];

/** The other dashboard tests use a fake service that follows the contract. These tests use the real service. */
describe.skipIf(!(parts.chromium && parts.openssl))('the dashboard of the service', () => {
  const folder = temporaryFolder();
  const secretKey = generateSecretKey();
  let browser: Browser;
  let wallet: TestWallet;
  let meeting: Meeting;
  let domains: Domains;

  beforeAll(async () => {
    [browser, wallet, meeting, domains] = await Promise.all([
      launchBrowser('*.example'),
      startWallet(),
      Meeting.start(folder.path),
      startDomains([DOMAIN]),
    ]);
    fs.writeFileSync(`${folder.path}/authority.pem`, domains.options.ca!);
    domains.answers.set(DOMAIN, (request, response) => {
      if (request.url!.startsWith('/.well-known/')) {
        response.end(JSON.stringify({ names: { _: getPublicKey(secretKey) } }));
      } else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Walker</title>');
    });
  });

  afterAll(async () => {
    await browser?.close();
    await wallet?.stop();
    await meeting?.stop();
    domains?.stop();
    folder[Symbol.dispose]();
  });

  describe.each(STORES)('with its clients in $store', ({ store, programs }) => {
    let postgres: Postgres | undefined;
    let server: Server;
    let context: BrowserContext;
    let page: Page;
    const refused: string[] = [];

    beforeAll(async () => {
      if (programs === undefined) return;
      if (store === 'PostgreSQL') postgres = await startPostgres(programs);
      const port = await freePort();
      const env = {
        ZOETROPE_PORT: `${port}`,
        ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${port}`,
        ZOETROPE_DATABASE_URL: postgres?.url ?? '',
        ZOETROPE_ADMINS: getPublicKey(secretKey),
        ZOETROPE_MEMBERS: getPublicKey(secretKey),
        ZOETROPE_SIGNER_RELAYS: meeting.url,
        ZOETROPE_THREADS: '1',
        ZOETROPE_EMBEDDER: 'none',
        ZOETROPE_TEST_LIGHTNING_NETWORK: 'regtest',
        ZOETROPE_WALLET: wallet.url,
        ZOETROPE_TEST_INTERNET: `${domains.options.port}`,
        NODE_OPTIONS: `--import=${INTERNET.href}`,
        NODE_EXTRA_CA_CERTS: `${folder.path}/authority.pem`,
      };
      server = await startServer(`${folder.path}/${store}`, env);
      context = await browser.newContext({ ignoreHTTPSErrors: true });
      await installSigner(context, secretKey);
      page = await context.newPage();
      page.on('console', (message) => {
        if (message.text().includes('Content Security Policy')) refused.push(message.text());
      });
    });

    afterAll(async () => {
      await context?.close();
      await server?.stop();
      await postgres?.stop();
    });

    /** Returns the origin of the client's own page. */
    const origin = () => `https://${DOMAIN}:${domains.options.port}`;

    async function signOut(): Promise<void> {
      await page.getByRole('link', { name: 'Sessions' }).click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in with Nostr' }).waitFor(SOON);
    }

    async function signInByBunker(): Promise<void> {
      const bunker = meeting.bunker(secretKey, { bunkerSecret: 'once' });
      await bunker.start();
      const signer = await bunker.signer.getPublicKey();
      const address = `bunker://${signer}?relay=${encodeURIComponent(meeting.url)}&secret=once`;
      await page.getByLabel('From your signer').fill(address);
      await page.getByRole('button', { name: 'Sign in with bunker' }).click();
      await page.getByRole('link', { name: 'Walker' }).waitFor(SOON);
      await bunker.stop();
    }

    async function signInByCode(): Promise<void> {
      await page.getByRole('button', { name: 'Show QR code' }).click();
      const uri = await page.getByRole('link', { name: 'Open in a signer' }).getAttribute('href', SOON);
      // Messages that are sent before the page listens are lost. Nobody scans a code that fast.
      await expect.poll(() => meeting.relay.awaited.has(new URL(uri!).host), SOON).toBe(true);
      const bunker = meeting.bunker(secretKey);
      await bunker.start(uri!);
      await page.getByRole('link', { name: 'Walker' }).waitFor(SOON);
      await bunker.stop();
    }

    /** Returns the status that a page at the client's origin gets for a search, or the error. */
    async function searchFromOrigin(): Promise<number | string> {
      const own = await context.newPage();
      await own.goto(origin());
      const status = await own.evaluate(async (url) => {
        const response = await fetch(url, { cache: 'no-store' }).catch((error) => String(error));
        return typeof response === 'string' ? response : response.status;
      }, server.url + SEARCH);
      await own.close();
      return status;
    }

    it.skipIf(programs === undefined)('covers sign-in, payment, domain proof, requests and review', async () => {
      await page.goto(`${server.url}/dashboard`);
      await page.getByRole('button', { name: 'Sign in with extension' }).click();
      await page.getByText('You have no clients yet').waitFor(SOON);
      await page.getByRole('link', { name: 'Register a client' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Walker');
      await page.getByLabel('What is it').fill('For walkers');
      await page.getByLabel('I accept these terms').check();
      await page.getByRole('button', { name: 'Register and continue to payment' }).click();
      await page.getByText('Waiting for the payment').waitFor(SOON);
      const code = page.getByRole('img', { name: 'QR code of the invoice' });
      await expect.poll(() => code.evaluate((image: HTMLImageElement) => image.naturalWidth), SOON).toBeGreaterThan(0);
      expect(wallet.pay(await page.getByLabel('Invoice', { exact: true }).inputValue())).toBe(true);
      await page.getByText('The payment has arrived').waitFor(SOON);
      await page.getByText('Approved, but nothing can call yet').waitFor(SOON);
      const address = page.url();

      await page.getByRole('link', { name: 'Access', exact: true }).click();
      expect(await searchFromOrigin()).toBe('TypeError: Failed to fetch');
      await page.getByLabel('Origin', { exact: true }).fill(origin());
      await page.getByRole('button', { name: 'Add origin' }).click();
      await page.getByRole('button', { name: `Remove ${origin()}` }).waitFor(SOON);
      await page.getByText('its domain was last checked').waitFor(SOON);
      await expect.poll(searchFromOrigin, SOON).toBe(200);
      await page.getByLabel('Origin', { exact: true }).fill('https://other.example');
      await page.getByRole('button', { name: 'Add origin' }).click();
      await page.getByText('its certificate is not valid').waitFor(SOON);
      await page.getByRole('button', { name: 'Withdraw https://other.example' }).click();

      await page.getByLabel('Key name').fill('phone');
      await page.getByRole('button', { name: 'Create key' }).click();
      await page.getByText('the only time').waitFor(SOON);
      const key = await page.getByLabel('Key', { exact: true }).inputValue();
      await page.getByRole('link', { name: 'Start', exact: true }).click();
      await page.getByRole('button', { name: 'Try', exact: true }).click();
      await page.getByText('200: 0 GIFs for “gm”').waitFor(SOON);
      const searchByKey = async () =>
        (await fetch(server.url + SEARCH, { headers: { authorization: `Bearer ${key}` } })).status;
      expect(await searchByKey()).toBe(200);
      await page.getByRole('link', { name: 'Access', exact: true }).click();
      await page.getByLabel('Pattern').fill('Walker/*');
      await page.getByRole('button', { name: 'Add user agent' }).click();
      await page.getByRole('button', { name: 'Withdraw Walker/*' }).waitFor(SOON);
      // Only a domain can be verified.
      expect(await page.getByRole('button', { name: 'Verify again: Walker/*' }).count()).toBe(0);
      await signOut();

      await signInByBunker();
      await page.getByRole('link', { name: 'Queue' }).click();
      await page.getByRole('button', { name: 'Approve Walker/*' }).click();
      await page.getByRole('status').getByText('Walker/* was approved').waitFor(SOON);
      await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Clients' }).click();
      await page.getByLabel('Name, id, npub or origin').fill('Walk');
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByRole('link', { name: 'Walker' }).click();
      await page.getByRole('region', { name: 'History' }).waitFor(SOON);
      await page.getByLabel('Reason (shown to the owners)').fill('spam');
      await page.getByRole('button', { name: 'Suspend' }).click();
      await page.getByText('suspended: spam', { exact: true }).waitFor(SOON);
      await expect.poll(searchByKey, SOON).toBe(403);
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('active', { exact: true }).waitFor(SOON);
      await expect.poll(searchByKey, SOON).toBe(200);
      await signOut();

      await signInByCode();
      await page.goto(`${address}/access`);
      await page.getByRole('button', { name: 'Remove Walker/*' }).waitFor(SOON);
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      // Counts are saved a few seconds after the requests.
      const chart = page.getByRole('img', { name: 'Requests per day' });
      await expect
        .poll(async () => {
          await page.reload();
          await page.getByText('No requests yet').or(chart).waitFor(SOON);
          return chart.isVisible();
        }, SOON)
        .toBe(true);
      await page.getByRole('link', { name: 'Settings', exact: true }).click();
      await page.getByLabel('Type its name').fill('Walker');
      await page.getByRole('button', { name: 'Delete permanently' }).click();
      await page.getByText('You have no clients yet').waitFor(SOON);
      await expect.poll(searchByKey, SOON).toBe(403);
      await expect.poll(searchFromOrigin, SOON).toBe('TypeError: Failed to fetch');
      await signOut();
      expect(refused).toEqual([]);
    });

    it.skipIf(programs === undefined)("covers a member's upload, its review and its deletion", async () => {
      await page.goto(`${server.url}/dashboard/uploads`);
      await page.getByRole('button', { name: 'Sign in with extension' }).click();
      const buffer = Buffer.from(blocksGif({ width: 60, height: 60, delays: [10, 10], seed: 1 }));
      const files = [
        { name: 'happy cat.gif', mimeType: 'image/gif', buffer },
        { name: 'notes.gif', mimeType: 'image/gif', buffer: Buffer.from('this is a text') },
      ];
      await page.getByLabel('Upload files').setInputFiles(files);
      await page.getByRole('alert').getByText('notes.gif was refused: It is neither a GIF nor a WebP').waitFor(SOON);
      await page.getByText('Used within 24 hours: 1 of 50 files').waitFor(SOON);
      await page.getByText('waits for a review').waitFor(SOON);
      const widthOfPicture = () =>
        page.locator('uploads-page img').evaluate((image: HTMLImageElement) => image.naturalWidth);
      await expect.poll(widthOfPicture, SOON).toBe(60);
      await page.getByRole('link', { name: 'Queue' }).click();
      await page.getByRole('button', { name: 'Uploaded (1)' }).click();
      await page.getByRole('link', { name: 'happy cat' }).waitFor(SOON);
      await page.keyboard.press('s');
      await page.getByRole('button', { name: 'Uploaded (0)' }).waitFor(SOON);
      await page.getByRole('link', { name: 'Uploads' }).click();
      await page.getByText('accepted', { exact: false }).waitFor(SOON);
      await page.getByRole('button', { name: /^Remove [0-9a-f]{12}$/ }).click();
      await page.getByRole('button', { name: 'Delete file' }).click();
      await page.getByText(/^[0-9a-f]{12} was removed\.$/).waitFor(SOON);
      await page.getByText('You have not uploaded anything yet.').waitFor(SOON);
      expect(refused).toEqual([]);
    });
  });
});
