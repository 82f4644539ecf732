import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { servePage } from './tile-service.ts';
import { FIRES, writeMornings } from './tiles.ts';

/*
 * Tests the flows of the pages and of the picker in another browser engine. Playwright needs its own build of Firefox,
 * so another library drives the Firefox that people use.
 */

const SOON = { timeout: 480_000 };
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_OPERATOR_NAME: 'Ada' };

describe.skipIf(parts.firefox === undefined)('in Firefox', () => {
  const folder = temporaryFolder();
  const problems: string[] = [];
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    const firefox = { browser: 'firefox', executablePath: parts.firefox!, headless: true } as const;
    [browser, server] = await Promise.all([
      puppeteer.launch({ ...firefox, protocolTimeout: SOON.timeout, timeout: SOON.timeout }),
      servePage(folder.path, ENV, { write: writeMornings }),
    ]);
  });

  afterEach(async () => {
    for (const page of await browser.pages()) await page.close();
    expect(problems.splice(0)).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(SOON.timeout);
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    await page.setViewport({ width: 1_000, height: 800 });
    await page.goto(server.url + path);
    return page;
  }

  const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
  const textOf = (page: Page, selector: string) =>
    page.$eval(selector, (element) => element.textContent.trim()).catch(() => undefined);
  const untilText = (page: Page, selector: string, text: string) =>
    expect.poll(() => textOf(page, selector), SOON).toBe(text);

  it('somebody types, chooses with the keyboard, copies a link, and goes back', async () => {
    const page = await open('/');
    await page.type('#q', 'fir');
    await untilText(page, '#completions li', 'fire');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await untilText(page, '#status', `${FIRES} GIFs for “fire”`);
    expect(pathOf(page)).toBe('/?q=fire');
    await page.keyboard.press('ArrowDown');
    await page.waitForSelector('#card:not([hidden])');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#viewer[open] #gif h1');
    expect(pathOf(page)).toMatch(/^\/g\/\w+$/);
    const title = await textOf(page, '#gif h1');
    await page.click('#gif .primary');
    await untilText(page, '#gif .primary', 'Copied');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => textOf(page, '#gif h1'), SOON).not.toBe(title);
    await page.keyboard.press('Escape');
    await expect.poll(() => pathOf(page), SOON).toBe('/?q=fire');
    await page.goBack();
    await expect.poll(() => pathOf(page), SOON).toBe('/');
  });

  it('the tiles move once their stills are there, and nothing shifts', async () => {
    const page = await open('/?q=fire');
    const tops = () =>
      page.$$eval('#tiles li', (tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().top)));
    const before = await tops();
    const moving = () =>
      page.$$eval(
        '#tiles img',
        (images) =>
          images.filter((image) => image.complete && image.naturalWidth > 0 && image.currentSrc.endsWith('.gif'))
            .length,
      );
    await expect.poll(moving, SOON).toBeGreaterThan(2);
    expect(await tops()).toEqual(before);
  });

  it('the page of a GIF is complete, and its theme can be chosen', async () => {
    const page = await open('/?q=fire');
    await page.goto(new URL((await page.$eval('#tiles a', (link) => link.href))!).href);
    await page.waitForSelector('#gif[data-id]');
    expect(await page.$$eval('#gif .tiles li', (tiles) => tiles.length)).toBeGreaterThan(0);
    const ground = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
    const light = await ground();
    await page.select('[data-theme-choice] select', 'dark');
    await expect.poll(ground, SOON).not.toBe(light);
  });

  it('somebody picks a GIF in the picker, describes one, and keeps it', async () => {
    const page = await open('/developers');
    const input = await page.waitForSelector('gif-picker >>> input[type=search]');
    await input!.type('fire');
    await page.keyboard.press('Enter');
    await untilText(page, 'gif-picker >>> [role=status]', `${FIRES} GIFs`);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf(page, '.picked code'), SOON).toContain('"imeta"');
    await (await page.waitForSelector('gif-picker >>> [aria-label^="About this GIF"]'))!.evaluate((it) =>
      (it as HTMLElement).click(),
    );
    const description = await page.waitForSelector('gif-picker >>> .details input');
    await description!.type('A log burns');
    await page.keyboard.press('Tab');
    await untilText(page, 'gif-picker >>> .details [aria-pressed]', 'Remove from favourites');
    await (await page.waitForSelector('gif-picker >>> .details .retry'))!.click();
    await expect.poll(() => textOf(page, '.picked code'), SOON).toContain('alt A log burns');
  });

  it('the dashboard offers to sign in', async () => {
    const page = await open('/dashboard');
    await untilText(page, 'h1', 'Sign in with Nostr');
  });
});
