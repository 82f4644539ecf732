import fs from 'node:fs';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRequest, rejectRequest, requestHandover } from '../../packages/server/src/clients/index.ts';
import { moderate, recordReport } from '../../packages/server/src/moderation/index.ts';
import { tables } from '../../packages/server/src/records/tables.ts';
import { openStore } from '../../packages/server/src/service/store.ts';
import { smallGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';

const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
const NAMES = ['harbour', 'lantern', 'meadow', 'orchard'];

describe.skipIf(!parts.chromium)('the queue', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const secretKey = generateSecretKey();
  let browser: Browser;
  let server: Server;
  let page: Page;
  let ids: Record<string, string>;

  beforeAll(async () => {
    fs.mkdirSync(`${folder.path}/gifs`);
    for (const [n, name] of NAMES.entries()) {
      fs.writeFileSync(`${folder.path}/gifs/${name}-party.gif`, smallGif(n * 7919 + 1, 120));
    }
    expect((await zoetrope(data, ['add', '--quiet', `${folder.path}/gifs`], ENV)).code).toBe(0);
    browser = await launchBrowser();
    server = await startServer(data, {
      ...ENV,
      ZOETROPE_PORT: String(await freePort()),
      ZOETROPE_THREADS: '1',
      ZOETROPE_ADMINS: getPublicKey(secretKey),
    });
    const { items } = (await (await server.get('/api/v1/search?q=party')).json()) as {
      items: { id: string; title: string }[];
    };
    ids = Object.fromEntries(items.map(({ id, title }) => [title.split(' ')[0], id]));
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await installSigner(context, secretKey);
    page = await context.newPage();
    await page.goto(`${server.url}/dashboard`);
    await page.getByRole('button', { name: 'Sign in with extension' }).click();
    await page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  beforeEach(async () => {
    const { db } = await openStore(data);
    await tables(db).deleteFrom('reports').execute();
    const about = { message: 'look: <b>this</b>', contact: '', reporter: 'form' } as const;
    const reports = [
      ['harbour', 'adult'],
      ['lantern', 'other'],
      ['meadow', 'illegal'],
      ['meadow', 'other'],
    ] as const;
    for (const [at, [name, reason]] of reports.entries()) {
      await recordReport(db, { id: `report${at}`, gif: ids[name]!, reason, at: at + 1, ...about });
    }
    await db.destroy();
    await page.goto(`${server.url}/dashboard/review/queue`);
    await page.getByRole('button', { name: 'Reports and requests (3)' }).waitFor();
  });

  const current = (): Locator => page.locator('.entry[aria-current]');
  const names = () => page.locator('.entry h3 a, .entry.settled a').allTextContents();
  const status = (text: string) => page.getByRole('status').getByText(text).waitFor();

  async function titles(q: string): Promise<string[]> {
    const { items } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { items: { title: string }[] };
    return items.map(({ title }) => title);
  }

  it('is worked through with single keys, which use the chosen reason', async () => {
    await page.getByRole('link', { name: 'Queue 3 waiting' }).waitFor();
    expect(await current().textContent()).toContain('harbour party');
    // The words of reporters are text.
    await current().locator('blockquote', { hasText: 'look: <b>this</b>' }).waitFor();
    expect(await current().locator('img').getAttribute('class')).toBe('veiled');
    await page.keyboard.press('v');
    expect(await current().locator('img').getAttribute('class')).toBe('');
    await page.keyboard.press('r');
    // Letters in a field are only text.
    await page.keyboard.type('bad jokes');
    await page.keyboard.press('Enter');
    expect(await current().textContent()).toContain('harbour party');
    await page.keyboard.press('j');
    expect(await current().textContent()).toContain('lantern party');
    expect(await current().evaluate((entry) => entry === document.activeElement)).toBe(true);
    await page.keyboard.press('k');
    await page.keyboard.press('h');
    await status('Hidden.');
    expect(await current().textContent()).toContain('lantern party');
    await expect.poll(() => titles('harbour'), SOON).toEqual([]);
    await page.getByRole('link', { name: 'Queue 2 waiting' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('s');
    await status('Marked as safe. 1 report still open');
    expect(await current().textContent()).toContain('lantern party');
    await page.keyboard.press('d');
    await status('Reports dismissed.');
    expect(await current().textContent()).toContain('meadow party');
    await page.keyboard.press('u');
    await status('Undone.');
    expect(await current().textContent()).toContain('lantern party');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'lantern party', level: 1 }).waitFor();
    await page.getByText(/History/).click();
    await page.getByText('bad jokes').first().waitFor();
  });

  it('shows the most reported GIFs first, and lists and switches off its keys', async () => {
    await page.getByLabel('Order').selectOption('most');
    await expect.poll(async () => (await names())[0]).toBe('meadow party');
    await page.getByRole('heading', { name: 'Queue' }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Undo the last decision').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Single keys work on this page').uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('d');
    await page.keyboard.press('?');
    await page.getByLabel('Single keys work on this page').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Reports and requests (3)' }).waitFor();
  });

  it('tells the second of two operators what the first did', async () => {
    const { db } = await openStore(data);
    await moderate(db, { actor: 'npub1other', now: Date.now(), reason: 'spam' }, ids['lantern']!, { action: 'adult' });
    await db.destroy();
    const card = page.getByRole('article', { name: 'lantern party' });
    await card.getByRole('button', { name: 'Hide' }).click();
    await card.getByText('npub1other was first and did "adult" (spam). Nothing was changed now').waitFor();
    await card.getByText('rated adult by an operator').waitFor();
    const own = await openStore(data);
    const gif = await tables(own.db)
      .selectFrom('gifs')
      .select('hidden')
      .where('id', '=', ids['lantern']!)
      .executeTakeFirst();
    expect(gif?.hidden).toBe(0);
    await own.db.destroy();
  });

  it('lets operators decide about requests of clients, and names the operator who decided first', async () => {
    const added = await zoetrope(data, ['client', 'add', 'Harbour App', '--json'], ENV);
    const { id: clientId } = JSON.parse(added.stdout) as { id: string };
    const { db } = await openStore(data);
    const by = { actor: 'npub1owner', now: Date.now(), isOwner: true };
    const request = (value: string, now: number) =>
      createRequest(db, { ...by, now }, { clientId, kind: 'origin', value });
    await request('https://one.example', by.now - 1);
    const two = await request('https://two.example', by.now);
    await page.reload();
    const card = page.getByRole('article', { name: 'Harbour App' });
    // Keys decide about the current entry, which is the one with the focus.
    await card.getByRole('button', { name: 'Reject https://one.example' }).focus();
    await page.keyboard.press('y');
    await status('https://one.example was approved.');
    await rejectRequest(db, { ...by, actor: 'npub1other' }, 'origin', { id: two.id, reason: 'too late' });
    const pubkey = getPublicKey(generateSecretKey());
    await requestHandover(db, by, { pubkey, origin: 'https://one.example' });
    await db.destroy();
    await card.getByRole('button', { name: 'Approve https://two.example' }).click();
    await status('npub1other was first and did “origin reject” (https://two.example: too late)');
    await page.reload();
    await page.getByText('1 request to take over a client').waitFor();
    await page.getByRole('link', { name: 'Clients 1 waiting' }).waitFor();
    await page.getByRole('button', { name: 'Reports and requests (3)' }).waitFor();
  });

  it('shows the decisions without scrolling, and on a phone the current entry of the navigation', async () => {
    const isInSight = (target: Locator) =>
      target.evaluate((element) => {
        const { top, bottom, left, right } = element.getBoundingClientRect();
        return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
      });
    const card = page.getByRole('article', { name: 'harbour party' });
    expect(await isInSight(card.getByRole('button', { name: 'Dismiss reports' }))).toBe(true);
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(`${server.url}/dashboard/review/languages`);
    const here = page.getByRole('navigation', { name: 'Console' }).locator('[aria-current]');
    await here.waitFor();
    await expect.poll(() => isInSight(here)).toBe(true);
    const header = await page.locator('header.top').boundingBox();
    // Two lines.
    expect(header!.height).toBeLessThan(100);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
