import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { compareLook } from './look.ts';
import { servePage } from './tile-service.ts';
import { writeTiles } from './tiles.ts';

const SOON = { timeout: 480_000 };

describe.skipIf(!parts.chromium || !parts.dejavu)('how the pages look', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_OPERATOR_NAME: 'Ada' };
    [browser, server] = await Promise.all([launchBrowser(), servePage(folder.path, env, { write: writeTiles })]);
  });

  afterEach(() => closeWindows(browser));

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  interface Shown {
    width: number;
    colorScheme: 'light' | 'dark';
    locale?: string;
  }

  /** Opens a page on which every picture has a single colour. */
  async function open(path: string, { width, colorScheme, locale = 'en' }: Shown): Promise<Page> {
    const context = await browser.newContext({ viewport: { width, height: 700 }, colorScheme, locale });
    const page = await context.newPage();
    await page.route(/\/p\//, async (route) => {
      const body = await sharp({ create: { width: 16, height: 9, channels: 3, background: '#8a8' } })
        .png()
        .toBuffer();
      await route.fulfill({ contentType: 'image/png', body });
    });
    await page.goto(server.url + path);
    await page.addStyleTag({ content: 'body, pre, code, input { font-family: "DejaVu Sans" !important }' });
    return page;
  }

  const look = async (page: Page, name: string) => {
    // The addresses contain the port of this run, so the test replaces them.
    await page.locator('#gif input[readonly]').evaluateAll((all) => {
      for (const input of all) (input as HTMLInputElement).value = 'https://gifs.example';
    });
    return compareLook(page.locator('body'), `page-${name}`);
  };

  it.each([
    ['home-light', '/', { width: 1400, colorScheme: 'light' }],
    ['home-dark-narrow', '/', { width: 320, colorScheme: 'dark' }],
    ['results', '/?q=fire', { width: 768, colorScheme: 'light' }],
    ['nothing-dark', '/?q=nothing+like+it', { width: 768, colorScheme: 'dark' }],
    ['nowhere-ar', '/nowhere', { width: 320, colorScheme: 'light', locale: 'ar' }],
    ['report-de', '/report', { width: 768, colorScheme: 'light', locale: 'de' }],
    ['developers', '/developers/api', { width: 768, colorScheme: 'dark' }],
  ] as const)('%s', async (name, path, shown) => {
    const page = await open(path, shown);
    // The reference is longer than a screen, and changes with each parameter of the API.
    if (name === 'developers')
      await page.locator('main > :nth-child(n + 4)').evaluateAll((all) => all.map((it) => it.remove()));
    expect(await look(page, name)).toBe('');
  });

  it.each([
    ['gif-light', { width: 1400, colorScheme: 'light' }],
    ['gif-dark-narrow', { width: 320, colorScheme: 'dark' }],
    ['gif-ar', { width: 768, colorScheme: 'light', locale: 'ar' }],
  ] as const)('%s, alone and in the dialog', async (name, shown) => {
    const page = await open('/?q=fire', shown);
    await page.locator('#tiles a').first().click();
    await page.locator('#viewer h1').waitFor(SOON);
    expect(await look(page, `${name}-dialog`)).toBe('');
    const path = new URL(page.url()).pathname;
    await page.context().close();
    const alone = await open(path, shown);
    for (const summary of await alone.locator('#gif summary:visible').all()) await summary.click();
    expect(await look(alone, name)).toBe('');
  });

  it('while somebody types, and while the card of a GIF is open', async () => {
    const page = await open('/', { width: 768, colorScheme: 'light' });
    await page.getByRole('combobox', { name: 'Search GIFs' }).pressSequentially('fir');
    await page.getByRole('option').first().waitFor(SOON);
    await page.getByText('GIFs for “fir”').waitFor(SOON);
    await page.keyboard.press('ArrowDown');
    expect(await look(page, 'typing')).toBe('');
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowDown');
    await page.locator('#card .title').waitFor(SOON);
    expect(await look(page, 'card')).toBe('');
  });
});
