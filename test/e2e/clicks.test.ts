import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { moderate, recordReport } from '../../packages/server/src/moderation/index.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { smallGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
const FILES = 60;

describe.skipIf(!parts.chromium)('the clicks that an operator needs', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const secretKey = generateSecretKey();
  let browser: Browser;
  let server: Server;
  let page: Page;
  let id: string;
  /** Clicks and keys that act; letters of a text do not count. */
  let clicks: number;

  beforeAll(async () => {
    for (const name of ['gifs', 'summer']) fs.mkdirSync(`${folder.path}/${name}`);
    fs.writeFileSync(`${folder.path}/gifs/harbour-party.gif`, smallGif(7919, 120));
    for (let n = 0; n < FILES; n++) fs.writeFileSync(`${folder.path}/summer/picnic ${n}.gif`, smallGif(n * 31 + 5, 40));
    fs.writeFileSync(`${folder.path}/summer/notes.txt`, 'not a picture');
    expect((await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`], ENV)).code).toBe(0);
    browser = await launchBrowser();
    server = await startServer(data, {
      ...ENV,
      ZOETROPE_PORT: String(await freePort()),
      ZOETROPE_THREADS: '1',
      ZOETROPE_ADMINS: getPublicKey(secretKey),
    });
    id = (await search('harbour'))[0]!.id;
  });

  beforeEach(async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await installSigner(context, secretKey);
    page = await context.newPage();
    await page.goto(`${server.url}/dashboard`);
    clicks = 0;
    await click(page.getByRole('button', { name: 'Sign in with extension' }));
  });

  afterEach(() => page.context().close());

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function click(target: Locator): Promise<void> {
    clicks++;
    await target.click();
  }

  async function press(key: string): Promise<void> {
    clicks++;
    await page.keyboard.press(key);
  }

  const inConsole = (name: string) =>
    page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name, exact: true });

  async function search(q: string): Promise<{ id: string; title: string }[]> {
    const found = await server.get(`/api/v1/search?q=${q}&limit=50`);
    return ((await found.json()) as { items: { id: string; title: string }[] }).items;
  }

  it('are at most 3 from signing in until a reported GIF is hidden', async () => {
    const { db } = await openStore(data);
    const report = {
      id: 'r',
      gif: id,
      reason: 'illegal',
      message: 'look',
      contact: '',
      reporter: 'form',
      at: 1,
    } as const;
    expect(await recordReport(db, report)).toBe('taken');
    await click(page.getByRole('link', { name: 'Queue' }));
    await page.getByRole('article', { name: 'harbour party' }).waitFor();
    await press('h');
    await page.getByRole('status').getByText('Hidden.').waitFor();
    expect(clicks).toBeLessThanOrEqual(3);
    await expect.poll(() => search('harbour'), SOON).toEqual([]);
    await moderate(db, { actor: 'test', now: 2 }, id, { action: 'show' });
    await db.destroy();
  });

  it('are at most 4 until the console says why a GIF is not shown', async () => {
    const { db } = await openStore(data);
    await moderate(db, { actor: 'test', now: 3 }, id, { action: 'hide' });
    await db.destroy();
    clicks = 0;
    await click(page.getByRole('link', { name: 'Console' }));
    await click(inConsole('Catalogue'));
    await click(page.getByLabel('Words, or the id, URL or hash'));
    await page.keyboard.type(id);
    await press('Enter');
    await page.getByText('is not shown: hidden by an operator').waitFor();
    expect(clicks).toBeLessThanOrEqual(4);
  });

  it('are at most 6 until a folder with 60 files is added, with titles, and found by search', async () => {
    clicks = 0;
    await click(page.getByRole('link', { name: 'Console' }));
    await click(inConsole('Catalogue'));
    await click(page.getByText('Add GIFs', { exact: true }));
    clicks++;
    await page.getByLabel('choose a folder').setInputFiles(`${folder.path}/summer`);
    await page.getByText(`${FILES} added, 0 already in the catalogue, 0 refused.`).waitFor(SOON);
    await expect.poll(async () => (await search('picnic')).length, SOON).toBe(50);
    await click(page.getByLabel('Words, or the id, URL or hash'));
    await page.keyboard.type('picnic 59');
    await press('Enter');
    await page.getByRole('checkbox', { name: 'Select picnic 59' }).waitFor(SOON);
    expect(clicks).toBeLessThanOrEqual(6);
  });
});
