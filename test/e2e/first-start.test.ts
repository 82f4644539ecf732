import { expect, onTestFinished, test } from 'vitest';
import { parts } from '../support/parts.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { launchBrowser } from './browser.ts';

const ENV = { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
/** Timeout for steps that are slow on a busy machine. */
const SOON = { timeout: 480_000 };

test.skipIf(!parts.chromium)('the page of a new service fills itself, in Chromium', async () => {
  using folder = temporaryFolder();
  // The window is open before the service draws its first GIFs, because starting a browser can take longer than that.
  const browser = await launchBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await using server = await startServer(`${folder.path}/data`, ENV);
  await page.goto(server.url);
  await page.getByText('The first GIFs are being drawn.').waitFor(SOON);
  await page.evaluate(() => document.body.classList.add('same-page'));
  await page.locator('#tiles li').nth(20).waitFor(SOON);
  await page.getByText('GIFs so far, and more are being added.').waitFor(SOON);
  expect(await page.locator('body.same-page').count()).toBe(1);
});
