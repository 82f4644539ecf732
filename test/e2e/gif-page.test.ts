import { type EventTemplate, finalizeEvent, generateSecretKey } from 'nostr-tools/pure';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Gif, toImeta } from '../../packages/client/src/index.ts';
import { startBlossomServer } from '../support/blossom-server.ts';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder, zoetrope } from '../support/server.ts';
import { violations } from './axe.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { servePage } from './tile-service.ts';
import { FIRES, MORNINGS, writeMornings } from './tiles.ts';

const SOON = { timeout: 480_000 };
const EXPOSED = { 'access-control-expose-headers': 'X-Reason' };
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_OPERATOR_NAME: 'Ada' };

describe.skipIf(!parts.chromium)('the page of a GIF', () => {
  const folder = temporaryFolder();
  let browser: Awaited<ReturnType<typeof launchBrowser>>;
  let server: Server;
  let fires: Gif[];

  beforeAll(async () => {
    [browser, server] = await Promise.all([launchBrowser(), servePage(folder.path, ENV, { write: writeMornings })]);
    ({ items: fires } = (await (await server.get('/api/v1/search?q=fire')).json()) as { items: Gif[] });
  });

  afterEach(() => closeWindows(browser));

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    folder[Symbol.dispose]();
  });

  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, permissions, ...options });
    const page = await context.newPage();
    await page.goto(server.url + path);
    return page;
  }

  const pageOf = ({ id }: Gif) => `/g/${id.replace(/\.gif$/, '')}`;
  const pathOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search;
  const tile = (page: Page, n: number) => page.locator('#tiles a').nth(n);
  const dialog = (page: Page) => page.getByRole('dialog', { name: 'GIF' });
  const heading = (page: Page) => page.locator('#gif h1');
  const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
  const isFocused = (element: Locator) => element.evaluate((it) => it === document.activeElement);

  it('opens above the results, with an address of its own, and Back closes it', async () => {
    const page = await open('/?q=gm');
    await page.evaluate(() => document.body.classList.add('same-page'));
    const second = tile(page, 40);
    await second.scrollIntoViewIfNeeded();
    const scrolled = await page.evaluate(() => scrollY);
    const title = (await second.locator('img').getAttribute('alt'))!;
    const path = (await second.getAttribute('href'))!;
    await second.click();
    await dialog(page).getByRole('heading', { name: title, exact: true }).waitFor(SOON);
    expect([pathOf(page), await page.title()]).toEqual([path, `${title} · GIFs from Ada`]);
    await page.goBack();
    await expect.poll(() => dialog(page).count(), SOON).toBe(0);
    expect([pathOf(page), await isFocused(second)]).toEqual(['/?q=gm', true]);
    // The event of a closed dialog, which restores the title, comes a moment later.
    await expect.poll(() => page.title(), SOON).toBe('gm · GIFs from Ada');
    expect(await page.evaluate(() => scrollY)).toBe(scrolled);
    await page.goForward();
    await dialog(page).getByRole('heading', { name: title, exact: true }).waitFor(SOON);
    await page.keyboard.press('Escape');
    await expect.poll(() => pathOf(page), SOON).toBe('/?q=gm');
    expect(await page.locator('body.same-page').count()).toBe(1);
  });

  it('lets a user search, choose a GIF and copy its note in a few key presses', async () => {
    const page = await open('/');
    const keys = [...'fire', 'Enter', 'ArrowDown', 'Enter', 'Tab', 'Enter'];
    for (const [n, key] of keys.entries()) {
      await page.keyboard.press(key);
      if (n === 4) await page.getByText(`${FIRES} GIFs for “fire”`).waitFor(SOON);
      if (n > 5) await expect.poll(() => page.locator('#viewer [data-copy]:focus').count(), SOON).toBe(1);
    }
    expect(keys.length).toBeLessThanOrEqual(12);
    await dialog(page).getByRole('button', { name: 'Copied' }).waitFor(SOON);
    const [first] = fires as [Gif];
    expect(JSON.parse(await copied(page))).toEqual({ content: first.url, tags: [toImeta(first)] });
  });

  it('copies its link, the address of the GIF, Markdown and HTML', async () => {
    const [gif] = fires as [Gif];
    const page = await open(pageOf(gif));
    const link = server.url + pageOf(gif);
    await page.getByText('Other ways to copy').click();
    for (const [name, text] of [
      ['Copy link', link],
      ['Copy: Address of the GIF', gif.url],
      ['Copy: Markdown', `[![${gif.title}](${gif.url})](${link})`],
      ['Copy: HTML', `<a href="${link}"><img src="${gif.url}" alt="${gif.title}"></a>`],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click();
      await expect.poll(() => copied(page), SOON).toBe(text);
    }
  });

  it('shows the text, selected, if the browser forbids copying', async () => {
    const [gif] = fires as [Gif];
    const page = await open(pageOf(gif));
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('forbidden'));
    });
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByRole('button', { name: 'Select the text and copy it' }).waitFor(SOON);
    expect(await page.evaluate(() => getSelection()!.toString())).toBe(server.url + pageOf(gif));
  });

  it('steps through the results with the arrow keys, in one entry of the history', async () => {
    const page = await open('/?q=fire');
    const titles = await page.locator('#tiles img').evaluateAll((all) => all.map((it) => (it as HTMLImageElement).alt));
    await tile(page, 0).click();
    await expect.poll(() => heading(page).textContent(), SOON).toBe(titles[0]);
    expect(await page.getByRole('button', { name: 'Previous GIF' }).isDisabled()).toBe(true);
    for (const title of titles.slice(1)) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => heading(page).textContent(), SOON).toBe(title);
    }
    expect(await page.getByRole('button', { name: 'Next GIF' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Previous GIF' }).click();
    await expect.poll(() => heading(page).textContent(), SOON).toBe(titles.at(-2));
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => pathOf(page), SOON).toBe('/?q=fire');
    // The dialog reports that it is closed only after the address has changed.
    await expect.poll(() => isFocused(tile(page, FIRES - 2)), SOON).toBe(true);
  });

  it('pauses with its button and with the space bar', async () => {
    const page = await open('/?q=fire');
    await tile(page, 0).click();
    const picture = page.locator('#viewer .stage img');
    const ending = () => picture.evaluate((image) => (image as HTMLImageElement).currentSrc.split('.').at(-1));
    await heading(page).waitFor(SOON);
    await expect.poll(ending, SOON).toBe('gif');
    await page.getByRole('button', { name: 'Pause' }).click();
    await expect.poll(ending, SOON).toBe('png');
    await page.locator('#viewer').evaluate((it) => (document.activeElement as HTMLElement).blur() ?? it.focus());
    await page.locator('#viewer h1').evaluate((it) => {
      it.tabIndex = -1;
      it.focus();
    });
    await page.keyboard.press('Space');
    await expect.poll(ending, SOON).toBe('gif');
  });

  it('shows similar GIFs, and the GIFs of a tag', async () => {
    const page = await open('/?q=fire');
    await tile(page, 0).click();
    const similar = page.getByRole('region', { name: 'More like this' }).locator('a');
    await similar.first().waitFor(SOON);
    const title = (await similar.first().getAttribute('title'))!;
    const first = pathOf(page);
    await similar.first().click();
    await expect.poll(() => heading(page).textContent(), SOON).toBe(title);
    await page.goBack();
    await expect.poll(() => pathOf(page), SOON).toBe(first);
    await dialog(page).getByRole('link', { name: 'fire', exact: true }).click();
    await page.waitForURL('**/?q=fire', SOON);
  });

  it('takes a report without leaving the dialog', async () => {
    const page = await open('/?q=fire');
    await tile(page, 1).click();
    await dialog(page).getByText('Report', { exact: true }).first().click();
    const form = dialog(page).locator('form.report');
    await form.getByLabel('Something else').check();
    await form.getByRole('button', { name: 'Report' }).click();
    await dialog(page).getByRole('alert').getByText('Say in a few words what is wrong').waitFor(SOON);
    await form.getByLabel('Details for the operator').fill('It is not a fire');
    await form.getByRole('button', { name: 'Report' }).click();
    await dialog(page).getByRole('status').getByText('Your report was received').waitFor(SOON);
    const { stdout } = await zoetrope(`${folder.path}/data`, ['reports'], ENV);
    expect(stdout).toContain('It is not a fire');
  });

  it('is a page for people without scripts', async () => {
    const [gif] = fires as [Gif];
    const page = await open('/?q=fire', { javaScriptEnabled: false });
    await tile(page, 0).click();
    await page.waitForURL(`**${pageOf(gif)}`);
    expect(await heading(page).textContent()).toBe(gif.title);
    expect(await page.getByRole('button', { name: /^Copy/ }).count()).toBe(0);
    await page.getByText('Other ways to copy').click();
    expect(await page.getByLabel('Address of the GIF', { exact: true }).inputValue()).toBe(gif.url);
    await page.getByText('Report', { exact: true }).first().click();
    await page.getByLabel('It is illegal').check();
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('Your report was received').waitFor(SOON);
  });

  it('that was reloaded still leads back to the search', async () => {
    const page = await open('/?q=fire');
    await tile(page, 0).click();
    await heading(page).waitFor(SOON);
    await page.reload();
    await heading(page).waitFor(SOON);
    await page.goBack();
    await expect.poll(() => page.locator('#tiles li').count(), SOON).toBe(FIRES);
  });

  it('shows title, copying and similar GIFs below the tile that is pointed at, focused or pressed for long', async () => {
    const page = await open('/?q=fire', { hasTouch: true });
    const card = page.locator('#card');
    await tile(page, 2).hover();
    await card.getByText(fires[2]!.title, { exact: true }).waitFor(SOON);
    await card.getByRole('button', { name: 'Copy address' }).click();
    await card.getByRole('button', { name: 'Copied' }).waitFor(SOON);
    expect(await copied(page)).toBe(fires[2]!.url);
    // The pointer moves to the corner of the header, because another tile would open the card again.
    await page.mouse.move(2, 2);
    await expect.poll(() => card.isHidden(), SOON).toBe(true);
    await page.getByRole('combobox', { name: 'Search GIFs' }).press('ArrowDown');
    await card.getByText(fires[0]!.title, { exact: true }).waitFor(SOON);
    await page.keyboard.press('Escape');
    await expect.poll(() => card.isHidden(), SOON).toBe(true);
    const { x, y } = (await tile(page, 1).boundingBox())!;
    const devtools = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + 20, y: y + 20 }];
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await card.getByText(fires[1]!.title, { exact: true }).waitFor(SOON);
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    expect([await card.isVisible(), await dialog(page).count()]).toEqual([true, 0]);
    await card.getByRole('button', { name: 'More like this' }).click();
    await dialog(page).getByRole('region', { name: 'More like this' }).waitFor(SOON);
  });

  it.each([
    [{ width: 1400, height: 800 }, 'light', 'en'],
    [{ width: 320, height: 640 }, 'dark', 'ar'],
  ] as const)('is accessible at %o, %s, %s', async (viewport, colorScheme, locale) => {
    const page = await open('/?q=fire', { viewport, colorScheme, locale });
    expect(await violations(page)).toEqual([]);
    await tile(page, 0).click();
    await page.locator('#viewer h1').waitFor(SOON);
    for (const summary of await page.locator('#viewer summary:visible').all()) await summary.click();
    expect(await violations(page)).toEqual([]);
    await page.goto(server.url + pageOf(fires[0]!));
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
  });

  it('is in the language of the reader, who can choose another one', async () => {
    const page = await open(pageOf(fires[0]!), { locale: 'de' });
    await page.getByRole('button', { name: 'Link kopieren' }).waitFor(SOON);
    await page.getByText('Sprache: Deutsch').click();
    await page.getByRole('link', { name: '日本語' }).click();
    await page.getByRole('button', { name: 'リンクをコピー' }).waitFor(SOON);
    expect(pathOf(page)).toBe(pageOf(fires[0]!));
    await page.goto(`${server.url}/?q=fire`);
    await page.getByText(`「fire」のGIF ${FIRES}件`).waitFor(SOON);
    expect(await page.locator('html').getAttribute('lang')).toBe('ja');
  });

  it('keeps the colours that its reader has chosen', async () => {
    const page = await open('/', { colorScheme: 'light' });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByLabel('Theme').selectOption('dark');
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.goto(server.url + pageOf(fires[0]!));
    expect(await ground()).toBe(dark);
  });

  it('has a heading and a search box if the GIF does not exist', async () => {
    const page = await open('/g/nothing');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor(SOON);
    await page.getByRole('searchbox').fill('gm');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('#tiles li').count(), SOON).toBe(Math.min(48, MORNINGS));
  });

  it('saves the GIF on the Blossom server of somebody with a signer', async () => {
    await using blossom = await startBlossomServer();
    const own = 'blossom.example';
    const gif = fires[0]!;
    const page = await open(pageOf(gif));
    const section = page.locator('details.save');
    await page.mouse.move(5, 5);
    expect(await section.isHidden()).toBe(true);
    const secret = generateSecretKey();
    await page.exposeFunction('sign', (event: EventTemplate) => finalizeEvent(event, secret));
    await page.addInitScript('window.nostr = { signEvent: (event) => window.sign(event) }');
    await page.route(`https://${own}/**`, async (route) => {
      const url = route.request().url().replace(`https://${own}`, blossom.url);
      await route.fulfill({
        response: await route.fetch({ url, headers: { ...route.request().headers(), host: own } }),
      });
    });
    await page.reload();
    await section.locator('summary').click();
    const server = page.getByLabel('Address of the server');
    const said = section.getByRole('status');
    await server.fill(`https://${own}/nothing`);
    await page.keyboard.press('Enter');
    await expect.poll(() => said.innerText(), SOON).toBe(`Saved on ${own}`);
    expect(blossom.asked).toEqual(['PUT /mirror']);
    expect([...blossom.blobs.keys()]).toEqual([gif.sha256]);
    expect(await violations(page)).toEqual([]);
    await page.route(`https://${own}/mirror`, (route) =>
      route.fulfill({ status: 402, headers: { 'access-control-allow-origin': '*', 'x-reason': 'no', ...EXPOSED } }),
    );
    await section.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => said.innerText(), SOON).toBe('Not saved: no');
    await page.reload();
    await section.locator('summary').click();
    expect(await server.inputValue()).toBe(`https://${own}/nothing`);
  });
});
