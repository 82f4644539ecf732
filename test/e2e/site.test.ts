import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { servePage } from './tile-service.ts';
import { FIRES, writeTiles } from './tiles.ts';

const PAGES = [
  '/developers',
  '/developers/api',
  '/developers/quality',
  '/developers/speed',
  '/developers/picker',
  '/developers/faces',
  '/developers/nostr',
  '/developers/mcp',
  '/developers/comparison',
  '/status',
  '/privacy',
];

describe.skipIf(!parts.chromium)('the pages for developers', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    const service = servePage(folder.path, { ZOETROPE_RATES: '' }, { write: writeTiles });
    [browser, server] = await Promise.all([launchBrowser(), service]);
  });

  afterEach(() => closeWindows(browser));

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function open(address: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    const page = await context.newPage();
    await page.goto(server.url + address);
    return page;
  }

  it.each(PAGES)('%s is accessible on a phone and in dark mode, and sends requests to no other host', async (path) => {
    const problems: string[] = [];
    for (const options of [{}, { viewport: { width: 360, height: 700 }, colorScheme: 'dark' as const }]) {
      const page = await open('/privacy', options);
      page.on('pageerror', (error) => problems.push(error.message));
      page.on('request', (request) => {
        if (new URL(request.url()).origin !== server.url && !request.url().startsWith('data:'))
          problems.push(request.url());
      });
      await page.goto(server.url + path);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('nav [aria-current="page"]').count()).toBe(1);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (window as unknown as { axe: typeof axe }).axe.run(document, { resultTypes: ['violations'] }),
      );
      problems.push(...violations.map(({ id, nodes }) => `${id} ${JSON.stringify(nodes).slice(0, 300)}`));
    }
    expect(problems).toEqual([]);
  });

  it('show the working picker and what to put into a note', async () => {
    const page = await open('/developers');
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('fire');
    await page.keyboard.press('Enter');
    const tiles = page.locator('gif-picker .pick');
    await expect.poll(() => page.locator('gif-picker [role=status]').textContent()).toBe(`${FIRES} GIFs`);
    await tiles.first().click();
    const note = JSON.parse((await page.locator('.picked code').textContent())!);
    expect(note.tags[0][0]).toBe('imeta');
    expect(note.tags[0][1]).toBe(`url ${note.content}`);
  });

  it('have a console for each operation', async () => {
    const page = await open('/developers/api');
    const forms = page.locator('.console');
    expect(await forms.count()).toBe(3);
    await forms.first().getByLabel('q').fill('fire');
    await forms.first().getByLabel('limit').fill('3');
    await forms.first().getByRole('button').click();
    const answer = await forms.first().locator('output pre').textContent();
    expect(answer).toMatch(/GET \/api\/v1\/search\?q=fire&limit=3\s+200 in \d+ ms/);
    const { id } = JSON.parse(answer!.slice(answer!.indexOf('{'))).items[0];
    await forms.last().getByLabel('id').fill(id);
    await forms.last().getByRole('button').click();
    await forms.last().locator('output pre').getByText('200 in').waitFor();
  });

  it('use an endpoint that rejects all other callers', async () => {
    const fromElsewhere = [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://a.example' },
    ];
    for (const headers of fromElsewhere) {
      const answer = await fetch(`${server.url}/try/api/v1/search?q=fire`, { headers });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ error: { code: 'client_not_registered' } });
    }
  });

  it('show the status of the service', async () => {
    const page = await open('/status');
    expect(await page.getByRole('row', { name: 'Search by words' }).textContent()).toContain('works');
  });
});
