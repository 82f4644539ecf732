import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sentence } from '../conformance/sentence.ts';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { closeWindows, ELSEWHERE, launchBrowser } from './browser.ts';
import { servePage } from './tile-service.ts';
import { FIRES, HOSTILE, MORNINGS, writeMornings } from './tiles.ts';

const WIDTHS = [360, 1400];
/** Timeout for steps that are slow on a busy machine. */
const SOON = { timeout: 480_000 };
const OPERATOR = 'Gifs & "Sons" <Ltd>';

describe.skipIf(!parts.chromium)('the page', () => {
  const folder = temporaryFolder();
  /** The web server of another site. */
  const elsewhere = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end('<p>Hello'));
  let browser: Browser;
  let server: Server;
  let port: number;

  beforeAll(async () => {
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    port = (elsewhere.address() as AddressInfo).port;
    const operator = { ZOETROPE_OPERATOR_NAME: OPERATOR, ZOETROPE_OPERATOR_URL: `http://${ELSEWHERE}:${port}/home` };
    [browser, server] = await Promise.all([
      launchBrowser(),
      servePage(folder.path, operator, { write: writeMornings }),
    ]);
  });

  afterEach(() => closeWindows(browser));

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    elsewhere.close();
    folder[Symbol.dispose]();
  });

  /** Opens a new window at a path of the service, or an empty window. */
  async function open(address: string | null, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options });
    const page = await context.newPage();
    if (address !== null) await page.goto(server.url + address);
    return page;
  }

  it('is set in its own font, and loads only the letters that it shows', async () => {
    const page = await open('/');
    const fonts: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('woff2')) fonts.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await page.reload();
    await expect.poll(() => page.evaluate(() => document.fonts.status), SOON).toBe('loaded');
    expect(fonts).toEqual(['200 /font.woff2']);
    await page.goto(`${server.url}/?q=zażółć`);
    await expect.poll(() => fonts, SOON).toContain('200 /font-extended.woff2');
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^Figtree,/);
  });

  it('tells the browser how large tiles will be', async () => {
    for (const width of WIDTHS) {
      const page = await open('/?q=fire', { viewport: { width, height: 800 } });
      const tiles = await page.locator('#tiles source').evaluateAll((sources) =>
        (sources as HTMLSourceElement[]).map(({ sizes, parentElement }) => {
          const [, query, narrow, wide] = /^(\(.*\)) (.*)rem, (.*)rem$/.exec(sizes)!;
          const told = 16 * Number(matchMedia(query!).matches ? narrow : wide);
          return parentElement!.getBoundingClientRect().width / told;
        }),
      );
      expect(tiles.length).toBeGreaterThan(3);
      // Tiles grow to fill their row. No tile is smaller than the page told the browser, so that no file is larger than
      // needed.
      expect(Math.min(...tiles)).toBeGreaterThan(0.95);
      expect(tiles.filter((factor) => factor < 1.8).length).toBeGreaterThanOrEqual(tiles.length / 2);
    }
  });

  it('searches while typing, without a reload', async () => {
    const page = await open('/');
    await page.evaluate(() => document.body.classList.add('same-page'));
    await page.getByRole('combobox', { name: 'Search GIFs' }).pressSequentially('fire');
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor();
    expect(await page.locator('#tiles li').count()).toBe(FIRES);
    expect(await page.locator('body.same-page').count()).toBe(1);
    expect(new URL(page.url()).search).toBe('?q=fire');
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('nothing like it');
    await page.getByText('Nothing found for “nothing like it”').waitFor();
    expect(await page.locator('#tiles li').count()).toBeGreaterThan(0);
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('firre');
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor();
  });

  it('shows popular GIFs below a short list, which the arrow keys and the viewer reach', async () => {
    const page = await open('/?q=hostile');
    expect(await page.locator('#tiles li').count()).toBe(HOSTILE.length);
    await page.getByRole('heading', { name: 'Popular here' }).waitFor();
    const popular = page.getByRole('list', { name: 'Popular here' }).getByRole('link');
    const of = (links: Locator) => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    const [found, others] = [await of(page.locator('#tiles a')), await of(popular)];
    expect(others.length).toBeGreaterThan(40);
    expect(others.filter((href) => found.includes(href))).toEqual([]);
    await page.locator('#tiles a').first().focus();
    await page.keyboard.press('End');
    expect(await popular.last().evaluate((link) => link === document.activeElement)).toBe(true);
    const hasPicture = () =>
      popular
        .last()
        .locator('img')
        .evaluate((image) => (image as HTMLImageElement).naturalWidth > 0);
    await expect.poll(hasPicture, SOON).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Previous GIF' }).click();
    await expect.poll(() => new URL(page.url()).pathname, SOON).toBe(others.at(-2));
  });

  it('loads more GIFs on scrolling, each only once', async () => {
    const page = await open('/?q=gm');
    await page.locator('#tiles li').last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('#tiles li').count(), SOON).toBe(MORNINGS);
    const addresses = await page
      .locator('#tiles a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(new Set(addresses).size).toBe(MORNINGS);
    expect(await page.locator('#more').count()).toBe(0);
  });

  it('requests the next page again if it could not be loaded', async () => {
    const page = await open('/?q=gm');
    await page.route('**offset=48', (route) => route.abort('connectionrefused'), { times: 1 });
    await page.locator('#tiles li').last().scrollIntoViewIfNeeded();
    await page.getByText('unavailable right now').waitFor(SOON);
    await expect.poll(() => page.locator('#tiles li').count(), SOON).toBe(MORNINGS);
    await page.getByText(`${MORNINGS} GIFs for “gm”`).waitFor(SOON);
  });

  // Timers are driven by the test, so that "about 250 ms" needs no waiting.
  sentence(109, async () => {
    const page = await open(null);
    const asked = watchSearches(page);
    await page.clock.install({ time: 0 });
    await page.goto(server.url);
    await page.clock.pauseAt(60_000);
    const box = page.getByRole('combobox', { name: 'Search GIFs' });
    await box.fill('f');
    await page.clock.runFor(2_000);
    await box.fill('fi');
    await page.clock.runFor(150);
    await box.fill('fir');
    await page.clock.runFor(150);
    await box.fill('fire');
    await page.clock.runFor(300);
    await page.getByText('for “fire”').waitFor();
    expect(asked).toEqual(['fire']);

    const held = Promise.withResolvers<void>();
    await page.route('**/?q=slow', () => held.resolve());
    await box.fill('slow');
    await page.clock.runFor(300);
    await held.promise;
    const stale = page.waitForEvent('requestfailed', (request) => request.url().endsWith('?q=slow'));
    await box.fill('gm 1');
    await page.clock.runFor(300);
    expect((await stale).failure()?.errorText).toBe('net::ERR_ABORTED');
    await page.getByText('for “gm 1”').waitFor();
    expect(asked).toEqual(['fire', 'slow', 'gm 1']);
  });

  it('gives every tile its final size before its picture loads', async () => {
    const page = await open(null);
    const release = await holdPictures(page);
    await page.goto(server.url, { waitUntil: 'domcontentloaded' });
    const before = await boxes(page.locator('#tiles li'));
    expect(before.length).toBeGreaterThan(40);
    expect(before.filter(({ width, height }) => width < 20 || height < 20)).toEqual([]);
    // A slow browser shows a part of the list and then the rest of it, which completes the last row.
    const shifted = await layoutShift(page);
    release();
    await picturesInView(page);
    expect(await boxes(page.locator('#tiles li'))).toEqual(before);
    expect(await layoutShift(page)).toBe(shifted);
  });

  sentence(28, async () => {
    const page = await open(null);
    const release = await holdPictures(page);
    await page.goto(`${server.url}/?q=gm`, { waitUntil: 'domcontentloaded' });
    const placeholders = () =>
      page
        .locator('#tiles img')
        .evaluateAll((images) => images.map((image) => (image as HTMLElement).style.backgroundImage));
    expect(new Set((await placeholders()).map((value) => value.slice(0, 16)))).toEqual(new Set(['url("data:image/']));
    release();
    await page.locator('#tiles li').last().scrollIntoViewIfNeeded();
    await expect.poll(() => page.locator('#tiles li').count(), SOON).toBe(MORNINGS);
    // Lazy pictures load only when they are visible.
    for (const image of await page.locator('#tiles img').all()) await image.scrollIntoViewIfNeeded();
    await expect.poll(placeholders, SOON).toEqual(Array(MORNINGS).fill(''));
  });

  sentence(11, async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const path of ['/', '/?q=fire', '/?q=nothing+like+it', `/?q=${'w'.repeat(100)}`]) {
        const page = await open(path, { colorScheme, viewport: { width: 360, height: 640 } });
        const link = page.getByRole('link', { name: `GIFs from ${OPERATOR}`, exact: true });
        expect(await link.getAttribute('href')).toBe(`http://${ELSEWHERE}:${port}/home`);
        expect(await link.isVisible()).toBe(true);
        const { x, y, width, height } = (await link.boundingBox())!;
        expect(x >= 0 && y >= 0 && x + width <= 360 && y + height <= 640).toBe(true);
        const { size, contrast } = await legibility(link);
        expect(size).toBeGreaterThanOrEqual(12);
        expect(contrast).toBeGreaterThanOrEqual(4.5);
        await page.context().close();
      }
    }
  });

  sentence(12, async () => {
    const page = await open('/');
    const link = page.getByRole('link', { name: `GIFs from ${OPERATOR}`, exact: true });
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    const [opened] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await opened.getByText('Hello').waitFor();
    expect(await opened.evaluate(() => [opener, document.referrer])).toEqual([null, '']);
    expect(page.url()).toBe(`${server.url}/`);
  });

  it.each(WIDTHS)('fits into %i px', async (width) => {
    for (const path of ['/', '/?q=fire', '/?q=nothing+like+it', `/?q=${'w'.repeat(100)}`]) {
      const page = await open(path, { viewport: { width, height: 800 } });
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, path).toBeLessThanOrEqual(0);
      for (const tile of await boxes(page.locator('#tiles li'))) {
        expect(tile.x >= 0 && tile.x + tile.width <= width, `${path} ${JSON.stringify(tile)}`).toBe(true);
      }
      await page.context().close();
    }
  });

  it('works without a script', async () => {
    const page = await open('/', { javaScriptEnabled: false });
    await page.getByRole('searchbox').fill('gm');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL('**/?q=gm');
    expect(await page.locator('#tiles li').count()).toBe(48);
    await page.getByRole('link', { name: 'More' }).click();
    await page.waitForURL('**/?q=gm&offset=48');
    expect(await page.locator('#tiles li').count()).toBe(MORNINGS - 48);
    await page.getByRole('link', { name: 'fire', exact: true }).click();
    await page.waitForURL('**/?q=fire');
    expect(await page.locator('#tiles li').count()).toBe(FIRES);
    await expect.poll(() => endings(page), SOON).toEqual(Array(FIRES).fill('gif'));
  });

  it('shows stills under reduced motion', async () => {
    for (const [reducedMotion, ending] of [
      ['reduce', 'png'],
      ['no-preference', 'gif'],
    ] as const) {
      const page = await open('/?q=fire', { reducedMotion });
      await expect.poll(() => endings(page), SOON).toEqual(Array(FIRES).fill(ending));
    }
  });

  it('has the tab order: search box, links, topics, one tile, footer', async () => {
    const page = await open('/?q=fire');
    // The browser moves the focus to the search box when it first draws the page, which can be after the page has loaded.
    await expect.poll(() => focused(page), SOON).toBe('q');
    const walked: string[] = [];
    while (walked.length < 50 && walked.at(-1) !== 'Privacy') {
      await page.keyboard.press('Tab');
      walked.push(await focused(page));
    }
    const topics = await page.locator('#topics a').allTextContents();
    const links = [`GIFs from ${OPERATOR}`, 'Developers', 'Sign in'];
    expect(walked).toEqual(['Search', ...links, ...topics, 'tile', 'Copy address', 'More like this', 'Privacy']);
    await page.goto(`${server.url}/?q=fire`);
    await expect.poll(() => focused(page), SOON).toBe('q');
    for (let n = 0; n < 2; n++) await page.keyboard.press('Shift+Tab');
    expect(await focused(page)).toBe('Skip to main content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('tile');
  });

  it('leads through the tiles with the arrow keys', async () => {
    const page = await open('/?q=gm');
    await expect.poll(() => focused(page), SOON).toBe('q');
    const at = () =>
      page.locator('#tiles a').evaluateAll((links) => links.indexOf(document.activeElement as HTMLElement));
    const tops = await page
      .locator('#tiles a')
      .evaluateAll((links) => links.map((it) => it.getBoundingClientRect().top));
    const second = tops.findIndex((top) => top > tops[0]! + 1);
    const walked: number[] = [];
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'ArrowDown', 'ArrowUp', 'End', 'Home']) {
      await page.keyboard.press(key);
      walked.push(await at());
    }
    expect(walked.slice(0, 4)).toEqual([0, 1, 2, 1]);
    expect(walked[4]).toBeGreaterThanOrEqual(second);
    expect(walked[5]).toBeLessThan(second);
    expect(walked.slice(6)).toEqual([tops.length - 1, 0]);
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toBe('q');
  });

  it('searches for a new text when Enter is pressed', async () => {
    const page = await open('/?q=fire');
    await page.getByRole('combobox', { name: 'Search GIFs' }).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('gm 1');
    await page.keyboard.press('Enter');
    await page.getByText('for “gm 1”').waitFor();
  });

  it('sends requests only to the service', async () => {
    const page = await open(null);
    const origins = new Set<string>();
    page.on('request', (request) => origins.add(new URL(request.url()).origin));
    await page.goto(server.url);
    await picturesInView(page);
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('fire');
    await page.getByText('for “fire”').waitFor();
    await picturesInView(page);
    origins.delete('null');
    expect([...origins]).toEqual([server.url]);
  });

  it('shows hostile titles and queries as plain text', async () => {
    const page = await open('/?q=hostile');
    const labels = () =>
      page
        .locator('#tiles a')
        .evaluateAll((links) => links.map((link) => [link.getAttribute('title'), link.querySelector('img')!.alt]));
    const expected = HOSTILE.map((title) => [title, title]);
    const sorted = (pairs: unknown[]) => pairs.map(String).sort();
    expect(sorted(await labels())).toEqual(sorted(expected));
    // The same search follows. This time, the script renders the results.
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('hostile hostile');
    await page.getByText('for “hostile hostile”').waitFor();
    expect(sorted(await labels())).toEqual(sorted(expected));
    for (const q of HOSTILE) {
      await page.getByRole('combobox', { name: 'Search GIFs' }).fill(q);
      await page.getByText(`“${q}”`).waitFor();
      expect(await page.title()).toBe(`${q} · GIFs from ${OPERATOR}`);
    }
    expect(await page.locator('script').count()).toBe(2);
    expect(await page.locator('[onerror], [onmouseover]').count()).toBe(0);
  });

  sentence(151, async () => {
    const page = await open('/?q=fire');
    await page.route('**/?q=gm*', (route) => route.abort('connectionrefused'));
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('gm 1');
    await page.getByText('unavailable right now. This page tries again by itself.').waitFor();
    expect(await page.locator('#tiles li').count()).toBe(FIRES);
    await page.unroute('**/?q=gm*');
    await page.getByText('for “gm 1”').waitFor(SOON);
    expect(new URL(page.url()).search).toBe('?q=gm%201');
  });

  it('says that it is offline, and searches as soon as it is online again', async () => {
    const page = await open('/?q=fire');
    await page.context().setOffline(true);
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('gm 1');
    await page.getByText('You are offline.').waitFor(SOON);
    expect(await page.locator('#tiles li').count()).toBe(FIRES);
    await page.context().setOffline(false);
    await page.getByText('for “gm 1”').waitFor(SOON);
  });

  it('goes back to earlier searches, with the same results and position', async () => {
    const page = await open('/?q=gm');
    await page.locator('#tiles a').nth(30).scrollIntoViewIfNeeded();
    const box = page.getByRole('combobox', { name: 'Search GIFs' });
    await box.focus();
    await expect.poll(() => page.evaluate(() => history.state?.y === scrollY), SOON).toBe(true);
    const scrolled = await page.evaluate(() => scrollY);
    await page.keyboard.press('Control+A');
    await page.keyboard.type('fire');
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor(SOON);
    await page.keyboard.press('Enter');
    await box.fill('hostile');
    await page.getByText('for “hostile”').waitFor(SOON);
    const asked = watchSearches(page);
    await page.goBack();
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor(SOON);
    expect(await box.inputValue()).toBe('fire');
    await page.goBack();
    await page.getByText('for “gm”').waitFor(SOON);
    expect([await box.inputValue(), await page.evaluate(() => scrollY), asked]).toEqual(['gm', scrolled, []]);
    await page.goForward();
    await page.goForward();
    await page.getByText('for “hostile”').waitFor(SOON);
  });

  it('completes what is typed, for keyboard and pointer', async () => {
    const page = await open('/');
    const box = page.getByRole('combobox', { name: 'Search GIFs' });
    const options = page.getByRole('listbox').getByRole('option');
    await box.pressSequentially('fir');
    await expect.poll(() => options.allTextContents(), SOON).toContain('fire');
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowDown');
    const active = await page.locator(`#${await box.getAttribute('aria-activedescendant')}`).textContent();
    expect(active).toBe((await options.allTextContents())[0]);
    await page.keyboard.press('Escape');
    expect([await options.count(), await box.inputValue()]).toEqual([0, 'fir']);
    await box.press('Backspace');
    await options.getByText('fire', { exact: true }).click();
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor(SOON);
    expect([await box.inputValue(), await options.count()]).toEqual(['fire', 0]);
    expect(await focused(page)).toBe('q');
  });

  it('searches for a word of one character, such as 猫, but not for a single letter', async () => {
    const page = await open('/?q=fire');
    const asked = watchSearches(page);
    for (const text of ['a', '猫']) await page.getByRole('combobox', { name: 'Search GIFs' }).fill(text);
    await page.getByText('Nothing found for “猫”').waitFor(SOON);
    expect(asked).toEqual(['猫']);
  });

  it('has a page for people at a wrong address, and JSON for programs', async () => {
    const page = await open('/nowhere');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
    for (const [path, accept, type] of [
      ['/nowhere', 'text/html', 'text/html; charset=utf-8'],
      ['/nowhere', '*/*', 'application/json; charset=utf-8'],
      ['/api/v1/nowhere', 'text/html', 'application/json; charset=utf-8'],
    ] as const) {
      const { status, headers } = await fetch(server.url + path, { headers: { accept } });
      expect([status, headers.get('content-type')], path).toEqual([404, type]);
    }
  });

  it('shifts nothing, and has little script', async () => {
    const page = await open('/?q=fire');
    await picturesInView(page);
    const shifted = await layoutShift(page);
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('gm');
    await page.getByText('for “gm”').waitFor(SOON);
    await picturesInView(page);
    expect(await layoutShift(page)).toBe(shifted);
    const scripts = ['home', 'pictures', 'grid', 'viewer', 'card', 'complete', 'gif', 'theme'].map(async (name) => {
      const { body } = await fetch(`${server.url}/${name}.js`, { headers: { 'accept-encoding': 'identity' } });
      return gzipSync(await new Response(body).bytes()).length;
    });
    const bytes = (await Promise.all(scripts)).reduce((sum, length) => sum + length, 0);
    expect(bytes).toBeLessThan(15_000);
  });

  sentence(121, async () => {
    const page = await open(null);
    await page.goto(`http://localhost:${port}/`);
    const methods: string[] = [];
    page.on('request', (request) => methods.push(request.method()));
    expect(await ask(page, `${server.url}/api/v1/search?q=fire`)).toMatchObject({ status: 200, count: FIRES });
    expect(methods).toEqual(['GET']);
  });

  it('hides responses from pages of unregistered origins, and from pages that send a key', async () => {
    const page = await open(null);
    await page.goto(`http://${ELSEWHERE}:${port}/`);
    // The service responds with 403. The browser shows neither status nor body.
    expect(await ask(page, `${server.url}/api/v1/search?q=fire`)).toEqual({ failed: 'TypeError' });
    await page.goto(`http://localhost:${port}/`);
    expect(await ask(page, `${server.url}/api/v1/search?q=fire`, { authorization: 'Bearer key' })).toEqual({
      failed: 'TypeError',
    });
    expect(await ask(page, `${server.url}/api/v1/search?q=fire&limit=0`)).toMatchObject({ status: 400 });
  });
});

/** Records the queries that a page sends. */
function watchSearches(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const q = searchParams.get('q');
    if (q !== null && pathname === '/') asked.push(q);
  });
  return asked;
}

/** Delays all pictures until the returned function is called. */
async function holdPictures(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route(/\/p\//, async (route: Route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}

/** Waits until all visible pictures have loaded. */
async function picturesInView(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const images = [...document.querySelectorAll<HTMLImageElement>('#tiles img')];
    const seen = images.filter((image) => image.getBoundingClientRect().top < innerHeight);
    return seen.length > 0 && seen.every((image) => image.complete && image.naturalWidth > 0);
  });
}

/** Returns how the URLs of the pictures end. */
function endings(page: Page): Promise<(string | undefined)[]> {
  return page
    .locator('#tiles img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).currentSrc.split('.').at(-1)));
}

async function boxes(tiles: Locator): Promise<{ x: number; y: number; width: number; height: number }[]> {
  return tiles.evaluateAll((elements) =>
    elements.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return { x, y, width, height };
    }),
  );
}

/** Returns the page's cumulative layout shift, as measured by Chromium. */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        // The observer is called only if there are entries. Therefore the test adds a mark that ends the list.
        let sum = 0;
        const observer = new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            if (entry.entryType === 'mark') resolve(sum);
            else sum += (entry as PerformanceEntry & { value: number }).value;
          }
        });
        observer.observe({ type: 'layout-shift', buffered: true });
        observer.observe({ type: 'mark', buffered: true });
        performance.mark('done');
      }),
  );
}

/** Returns the font size in pixels, and the contrast with the background according to WCAG. */
function legibility(link: Locator): Promise<{ size: number; contrast: number }> {
  return link.evaluate((element) => {
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((value) => {
        const share = Number(value) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const style = getComputedStyle(element);
    const ground = luminance(getComputedStyle(element.closest('header')!).backgroundColor);
    const ink = luminance(style.color);
    const contrast = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
    return { size: Number.parseFloat(style.fontSize), contrast };
  });
}

/** Returns the element with a visible focus: its id, class or text, or `tile`. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement!;
    if (getComputedStyle(element).outlineStyle === 'none') return 'an element without a visible focus';
    if (element.closest('#tiles')) return element.className || 'tile';
    return element.id || element.textContent!;
  });
}

interface Seen {
  status?: number;
  count?: number;
  failed?: string;
}

/** Returns the part of a response that a script on the page can read. */
function ask(page: Page, address: string, headers: Record<string, string> = {}): Promise<Seen> {
  return page.evaluate(
    async ([url, sent]) => {
      try {
        const response = await fetch(url, { headers: sent });
        const { count } = (await response.json()) as { count?: number };
        return { status: response.status, ...(count === undefined ? {} : { count }) };
      } catch (error) {
        return { failed: (error as Error).name };
      }
    },
    [address, headers] as const,
  );
}
