import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveRatings } from '../../packages/server/src/moderation/index.ts';
import { tables } from '../../packages/server/src/records/tables.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { smallGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };

describe.skipIf(!parts.chromium)('a GIF', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const secretKey = generateSecretKey();
  let browser: Browser;
  let server: Server;
  let operator: Page;

  beforeAll(async () => {
    fs.mkdirSync(`${folder.path}/gifs`);
    for (const [n, name] of ['harbour', 'lantern', 'meadow'].entries()) {
      fs.writeFileSync(`${folder.path}/gifs/${name}-party.gif`, smallGif(n * 7919 + 1, 120));
    }
    expect((await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`], ENV)).code).toBe(0);
    browser = await launchBrowser();
    const port = await freePort();
    server = await startServer(data, {
      ...ENV,
      ZOETROPE_PORT: String(port),
      ZOETROPE_THREADS: '1',
      ZOETROPE_ADMINS: getPublicKey(secretKey),
    });
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await installSigner(context, secretKey);
    operator = await context.newPage();
    await operator.goto(`${server.url}/dashboard`);
    await operator.getByRole('button', { name: 'Sign in with extension' }).click();
    await operator.getByRole('heading', { name: 'Your clients', exact: true }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  interface Found {
    id: string;
    url: string;
    title: string;
  }

  async function search(q: string): Promise<Found[]> {
    const { items } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { items: Found[] };
    return items;
  }

  const titles = (q: string) => search(q).then((items) => items.map(({ title }) => title));

  it('can be reported with the keyboard alone, without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 360, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${server.url}/?q=harbour`);
    await page.getByRole('link', { name: 'Report a GIF' }).press('Enter');
    await page.getByRole('heading', { name: 'Report a GIF' }).waitFor();
    await page.getByLabel('URL or id of the GIF').fill((await search('harbour'))[0]!.id);
    await page.getByLabel('URL or id of the GIF').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(
      await page.getByRole('button', { name: 'Report' }).evaluate((button) => button === document.activeElement),
    ).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('Say in a few words').waitFor();
    await page.getByLabel('Details for the operator').fill('I drew this\nin 2019');
    await page.getByRole('button', { name: 'Report' }).press('Enter');
    await page.getByText('Your report was received').waitFor();
    await context.close();
  });

  it('has an accessible report form', async () => {
    const [{ id }] = (await search('harbour')) as [Found];
    const page = await browser.newPage();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${server.url}/report?gif=${id}`);
      expect(await violations(page)).toEqual([]);
    }
    await page.close();
  });

  it('can be hidden from everybody and shown again, with the keyboard', async () => {
    const [{ url }] = (await search('harbour')) as [Found];
    await operator.goto(`${server.url}/dashboard/review/gifs`);
    const card = operator.getByRole('article', { name: 'harbour party' });
    await card.locator('blockquote', { hasText: 'I drew this' }).waitFor();
    const tab = operator.getByRole('button', { name: 'Reports and requests (1)' });
    expect(await tab.getAttribute('aria-pressed')).toBe('true');
    const picture = card.locator('img');
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(
      120,
    );
    // The only report is about copyright.
    expect(await picture.getAttribute('class')).toBe('');
    expect(await violations(operator)).toEqual([]);

    await operator.getByLabel('Reason for your decisions').fill('not ours');
    await card.getByRole('button', { name: 'Hide' }).press('Enter');
    await operator.getByRole('status').getByText('Hidden.').waitFor();
    await expect.poll(() => titles('harbour'), SOON).toEqual([]);
    await expect.poll(async () => (await fetch(url)).status, SOON).toBe(404);
    expect(await violations(operator)).toEqual([]);
    await operator.getByRole('link', { name: 'harbour party' }).press('Enter');
    await operator.getByText('History (1)').press('Enter');
    await card.getByText('hidden: no → yes').waitFor();
    await card.getByText('not ours').waitFor();
    await card.getByRole('button', { name: 'Undo hide' }).press('Enter');
    await card.getByText('Undone.').waitFor();
    await expect.poll(() => titles('harbour'), SOON).toEqual(['harbour party']);
    await expect.poll(async () => (await fetch(url)).status, SOON).toBe(200);
    await card.getByText('I drew this').waitFor();
    await card.getByRole('button', { name: 'Dismiss reports' }).press('Enter');
    await card.getByText('Reports dismissed.').waitFor();
  });

  it('can be edited, and is then found by its new title', async () => {
    const [{ id }] = (await search('lantern')) as [Found];
    await operator.goto(`${server.url}/dashboard/review/gifs/${id}`);
    const card = operator.getByRole('article', { name: 'lantern party' });
    await card.getByRole('button', { name: 'Edit …' }).press('Enter');
    expect(await operator.evaluate(() => (document.activeElement as HTMLInputElement).name)).toBe('title');
    await operator.keyboard.press('Control+A');
    await operator.keyboard.type('lighthouse');
    expect(await violations(operator)).toEqual([]);
    await operator.keyboard.press('Enter');
    await operator.getByText('Saved.').waitFor();
    await expect.poll(() => titles('lighthouse'), SOON).toEqual(['lighthouse']);
    await operator.getByRole('button', { name: 'Remove edits' }).click();
    await expect.poll(() => titles('lantern'), SOON).toEqual(['lantern party']);
  });

  it('is uncertain until an operator rates it', async () => {
    const [{ id }] = (await search('meadow')) as [Found];
    const { db } = await openStore(data);
    await tables(db).deleteFrom('ratings').where('id', '=', id).execute();
    await saveRatings(db, [{ id, rating: 'review', saidBy: 'model' }]);
    await db.destroy();
    await operator.goto(`${server.url}/dashboard/review/queue`);
    await operator.getByRole('button', { name: 'Uncertain (1)' }).press('Enter');
    const card = operator.getByRole('article', { name: 'meadow party' });
    expect(await card.locator('img').getAttribute('class')).toBe('veiled');
    await card.getByRole('button', { name: 'Mark as adult', exact: true }).press('Enter');
    await operator.getByRole('status').getByText('Marked as adult.').waitFor();
    await expect.poll(() => titles('meadow'), SOON).toEqual([]);
    await operator.getByRole('button', { name: 'Hidden' }).press('Enter');
    await operator.getByText('No hidden GIFs.').waitFor();
  });
});
