import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import type { SuggestResponse } from '../../packages/client/src/index.ts';
import type { GifPick } from '../../packages/picker/src/pick.ts';
import { sentence } from '../conformance/sentence.ts';
import { parts } from '../support/parts.ts';
import { closeContext, ELSEWHERE } from './browser.ts';
import {
  changeGifs,
  focused,
  givePictures,
  heard,
  listen,
  MANY,
  MORNING,
  OPERATOR,
  pickerPages,
  SOON,
  said,
  search,
  tiles,
  titles,
  watchSearches,
} from './picker.ts';
import { FIRES, MORNINGS } from './tiles.ts';

const CYCLES = 50;

describe.skipIf(!parts.chromium)('the picker', () => {
  const pages = pickerPages();

  it('opens with GIFs and topics of the service', async () => {
    const page = await pages.host.window();
    const asked = watchSearches(page);
    await givePictures(page);
    await pages.host.go(page);
    await tiles(page).first().waitFor();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const topic = button('fire');
    await topic.waitFor();
    expect(asked).toEqual([]);
    expect(await page.getByRole('button', { pressed: true }).allInnerTexts()).toEqual(['Trending']);
    const cover = topic.locator('img');
    await expect.poll(() => cover.evaluate((image: HTMLImageElement) => image.naturalWidth), SOON).toBeGreaterThan(0);
    const opening = (await titles(page)).slice(0, 5);
    await topic.click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await topic.getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByRole('combobox').inputValue()).toBe('');
    expect((await titles(page)).filter((title) => !title.startsWith('fire'))).toEqual([]);
    await page.getByRole('combobox').fill('gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    expect(await topic.getAttribute('aria-pressed')).toBe('false');
    await button('Back').click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await topic.getAttribute('aria-pressed')).toBe('true');
    await button('Trending').click();
    await expect.poll(async () => (await titles(page)).slice(0, 5), SOON).toEqual(opening);
    // The list continues.
    const seen = new Set<string>();
    const see = async () => {
      for (const title of await titles(page)) seen.add(title);
      await scrollOn(page);
      return seen.size;
    };
    await expect.poll(see, { ...SOON, interval: 10 }).toBeGreaterThan(100);
  });

  it('opens with the first topic that has GIFs, if the service has no GIFs to open with', async () => {
    const page = await pages.host.window();
    await page.route(/\/api\/discover\//, (route) => route.fulfill({ status: 404, body: 'nothing here' }));
    await page.clock.setFixedTime(MORNING);
    await pages.host.go(page);
    await tiles(page).first().waitFor();
    const asked = watchSearches(page);
    await page.evaluate(() => {
      const old = document.querySelector('gif-picker')!;
      const topics = ['unheard', 'gm', 'fire'].map((query) => ({ label: query, query }));
      old.replaceWith(
        Object.assign(document.createElement('gif-picker'), { topics, service: old.getAttribute('service') }),
      );
    });
    await tiles(page).first().waitFor();
    expect(asked).toEqual(['unheard', 'gm']);
    expect(await page.getByRole('button', { name: 'Trending', exact: true }).count()).toBe(0);
    // Nobody has chosen a topic yet.
    expect(await page.getByRole('button', { pressed: true }).count()).toBe(0);
  });

  it('waits for a pause in typing before it searches and offers completions', async () => {
    const page = await pages.host.window();
    await page.clock.install({ time: new Date(2026, 0, 1, 8) });
    await pages.host.go(page);
    await tiles(page).first().waitFor();
    await page.clock.pauseAt(new Date(2026, 0, 1, 9));
    const asked = watchSearches(page);
    const box = page.getByRole('combobox');
    for (const text of ['f', 'fi', 'fir']) {
      await box.fill(text);
      await page.clock.runFor(150);
    }
    expect(asked).toEqual([]);
    await page.clock.runFor(150);
    await page.getByRole('option', { name: 'fire', exact: true }).waitFor();
    expect(asked).toEqual(['fir']);
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    // While somebody composes a word of Japanese or Chinese, the keys belong to the input method.
    await box.dispatchEvent('keydown', { key: 'ArrowDown', isComposing: true });
    expect(await page.getByRole('option', { selected: true }).count()).toBe(0);
    await page.keyboard.press('ArrowDown');
    const selected = page.getByRole('option', { selected: true });
    const option = await selected.innerText();
    expect(await box.getAttribute('aria-activedescendant')).toBe(await selected.getAttribute('id'));
    await page.keyboard.press('Enter');
    await expect.poll(() => box.inputValue()).toBe(option);
    expect(await page.getByRole('option').count()).toBe(0);
    expect(asked).toEqual(['fir', option]);
  });

  it('leads with the arrow keys from the last completion to the typed text, and on to the first completion', async () => {
    const page = await pages.host.open();
    await page.route(/\/api\/v1\/suggest/, async (route) => {
      const response = await route.fetch();
      const { terms } = (await response.json()) as SuggestResponse;
      const json = { terms: ['fire', 'firefly', 'firework'].map((term) => ({ ...terms[0], term })) };
      await route.fulfill({ response, json });
    });
    await page.getByRole('combobox').fill('fir');
    const options = page.getByRole('option');
    await options.first().waitFor();
    const selected = () =>
      options.evaluateAll((all) => all.findIndex((option) => option.getAttribute('aria-selected') === 'true'));
    for (const [key, expected] of [
      ['ArrowUp', 2],
      ['ArrowDown', -1],
      ['ArrowDown', 0],
      ['ArrowDown', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(selected, SOON).toBe(expected);
    }
  });

  it('can be used with the mouse alone: a completion is searched for, and a button clears the text', async () => {
    const page = await pages.host.open();
    const opening = (await titles(page)).slice(0, 5);
    const box = page.getByRole('combobox');
    await box.pressSequentially('fir');
    await page.getByRole('option', { name: 'fire', exact: true }).click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await box.inputValue()).toBe('fire');
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await focused(page)).toBe('Search GIFs');
    const clear = page.getByRole('button', { name: 'Clear', exact: true });
    await clear.click();
    await expect.poll(async () => (await titles(page)).slice(0, 5), SOON).toEqual(opening);
    expect(await box.inputValue()).toBe('');
    expect(await focused(page)).toBe('Search GIFs');
    expect(await clear.count()).toBe(0);
  });

  it('hides the completions when the search field loses the focus', async () => {
    const page = await pages.host.open();
    const box = page.getByRole('combobox');
    await box.fill('fir');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => page.getByRole('option').count(), SOON).toBe(0);
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(await box.inputValue()).toBe('fir');
  });

  it('goes back step by step with Escape, and then asks to be closed', async () => {
    const page = await pages.host.open();
    await listen(page);
    const box = page.getByRole('combobox');
    await box.fill('fir');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await box.inputValue()).toBe('fir');
    await page.keyboard.press('Escape');
    await expect.poll(() => box.inputValue()).toBe('');
    await tiles(page).first().waitFor();
    expect(await heard(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await heard(page)).toEqual([{ type: 'gif-close' }]);
  });

  it('pages to the end of the longest list, with each GIF once and few tiles at a time', async () => {
    const page = await pages.host.open();
    await givePictures(page);
    await search(page, 'many');
    await expect.poll(() => said(page), SOON).toBe(`${MANY} GIFs`);
    const seen = new Set<string>();
    await expect
      .poll(
        async () => {
          for (const title of await titles(page)) seen.add(title);
          expect(await tiles(page).count()).toBeLessThan(100);
          await scrollOn(page);
          return seen.size;
        },
        { ...SOON, interval: 10 },
      )
      .toBe(MANY);
    expect(await tiles(page).last().getAttribute('aria-setsize')).toBe(String(MANY));
  });

  it('says which corrected word it shows', async () => {
    const page = await pages.host.open();
    await search(page, 'firre');
    await expect.poll(() => said(page), SOON).toBe(`Results for “fire”: ${FIRES} GIFs`);
    await page.getByText('Results for “fire”', { exact: false }).first().waitFor();
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await page.locator('gif-picker .correction').count()).toBe(0);
  });

  it('can be used with the keyboard alone, and returns what a note needs', async () => {
    const page = await pages.host.open();
    await listen(page);
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await page.keyboard.press('ArrowDown');
    const first = await focused(page);
    expect(first).toBe((await titles(page))[0]);
    await page.keyboard.press('ArrowRight');
    const second = await focused(page);
    expect(await sides(page, first, second)).toBe('right');
    await page.keyboard.press('ArrowDown');
    expect(await sides(page, second, await focused(page))).toBe('below');
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toBe(first);
    await page.keyboard.press('Enter');
    const [event] = await heard(page);
    const { gif, imeta, text } = event!.detail!;
    expect(gif.title).toBe(first);
    expect(text).toBe(gif.url);
    expect(imeta).toEqual(expect.arrayContaining(['imeta', `url ${gif.url}`, `m image/gif`, `alt ${first}`]));
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Search GIFs');
  });

  it('is mirrored in right-to-left text', async () => {
    for (const attributes of [{ lang: 'ar' }, { 'page-dir': 'rtl' }, { dir: 'rtl', layout: 'rows' }]) {
      const page = await pages.host.open(attributes as Record<string, string>);
      await page.getByRole('combobox').press('ArrowDown');
      const first = await focused(page);
      await page.keyboard.press('ArrowLeft');
      const second = await focused(page);
      expect(second).not.toBe(first);
      expect(await sides(page, first, second)).toBe('left');
      await closeContext(page.context());
    }
  });

  it('shows similar GIFs, and goes back', async () => {
    const page = await pages.host.open();
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    const [title] = await titles(page);
    await page.getByRole('button', { name: `More like this: ${title}`, exact: true }).click();
    await expect.poll(() => said(page), SOON).toContain(`Similar to “${title}”: `);
    expect(await titles(page)).not.toContain(title);
    expect(await focused(page)).toBe('Search GIFs');
    await page.getByRole('button', { name: `Similar to “${title}”` }).click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
  });

  it('keeps favourites and recent GIFs on the device', async () => {
    const page = await pages.host.open();
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    const [first, second, third] = await titles(page);
    const star = page.getByRole('button', { name: `Add to favourites: ${first}`, exact: true });
    await star.click();
    for (const title of [second!, third!, second!]) {
      await page.getByRole('button', { name: title, exact: true }).click();
    }
    await page.reload();
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    expect(await titles(page)).toEqual([first]);
    await page.getByRole('button', { name: 'Recent', exact: true }).click();
    expect(await titles(page)).toEqual([second, third]);
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await page.getByRole('button', { name: `Remove from favourites: ${first}`, exact: true }).click();
    await page.getByText('Nothing here yet').first().waitFor();
    // Foreign content in the storage does no harm.
    await page.evaluate(() => localStorage.setItem(Object.keys(localStorage)[0]!, '{"recent":[{"id":"x"},null,7]}'));
    await page.reload();
    await tiles(page).first().waitFor();
    expect(await page.getByRole('button', { name: 'Recent', exact: true }).count()).toBe(0);
  });

  it('shows the attribution as a link without referrer', async () => {
    const page = await pages.host.open({}, { viewport: { width: 320, height: 480 } });
    const link = page.getByRole('link', { name: `GIFs from ${OPERATOR}`, exact: true });
    await link.waitFor();
    expect(await link.isVisible()).toBe(true);
    expect(await link.evaluate(({ href, target, rel }: HTMLAnchorElement) => [href, target, rel])).toEqual([
      'http://client.example/home',
      '_blank',
      'noopener noreferrer',
    ]);
    const size = await link.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    expect(size).toBeGreaterThanOrEqual(12);
  });

  it('never plays the MP4 of a transparent GIF', async () => {
    const page = await pages.host.window();
    // The MP4s stay in their tiles while they load.
    await page.route(/\/v\//, () => {});
    await changeGifs(page, (_, n) => ({
      duration: 10,
      mp4: `${pages.service.url}/v/r1/${n}.mp4`,
      transparent: n % 2 === 0 || null,
    }));
    await pages.host.show(page);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    const kinds = () =>
      tiles(page)
        .locator('.pick > *')
        .evaluateAll((pictures) => pictures.map((picture) => picture.localName));
    const expected = Array.from({ length: FIRES }, (_, n) => (n % 2 === 0 ? 'img' : 'video'));
    await expect.poll(async () => (await kinds()).slice(0, 4), SOON).toEqual(expected.slice(0, 4));
  });

  it('shows the placeholder instead of a blank still', async () => {
    const page = await pages.host.window({ reducedMotion: 'reduce' });
    await changeGifs(page, (_, n) => ({ blankStill: n % 2 === 0 || null }));
    await pages.host.show(page);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    const shown = () =>
      page
        .locator('gif-picker .tile img')
        .evaluateAll((images) =>
          (images as HTMLImageElement[]).map(({ src, naturalWidth }) => naturalWidth > 0 && src.slice(0, 5)),
        );
    const expected = Array.from({ length: FIRES }, (_, n) => (n % 2 === 0 ? 'data:' : 'http:'));
    await expect.poll(shown, SOON).toEqual(expected);
  });

  it('works if the page forbids style attributes', async () => {
    const page = await pages.host.window();
    await page.clock.setFixedTime(MORNING);
    const policy = `default-src 'self'; connect-src ${pages.service.url}; img-src ${pages.service.url} data:`;
    await pages.host.go(page, { policy });
    await tiles(page).nth(3).waitFor();
    const places = await tiles(page).evaluateAll((all) =>
      all.map((tile) => `${tile.getBoundingClientRect().left} ${tile.getBoundingClientRect().top}`),
    );
    expect(new Set(places).size).toBe(places.length);
  });

  it('shows hostile titles as plain text', async () => {
    const page = await pages.host.open();
    await search(page, 'hostile');
    await expect.poll(() => said(page), SOON).toBe('4 GIFs');
    expect(await page.locator('gif-picker [onerror], gif-picker [onmouseover], gif-picker script').count()).toBe(0);
    expect(await page.title()).toBe('App');
  });

  it('never shifts its layout, from the first rendering to the end of the longest list', async () => {
    const page = await pages.host.window();
    await givePictures(page);
    await page.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(entry.toJSON());
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await pages.host.show(page);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    await search(page, 'many');
    await expect.poll(() => said(page), SOON).toBe(`${MANY} GIFs`);
    await expect.poll(() => scroll(page), { ...SOON, interval: 10 }).toBe(`of ${MANY}, the last`);
    expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual([]);
  });

  it('leaks nothing when it is opened and closed many times', async () => {
    const page = await pages.host.window();
    // The browser keeps elements whose pictures still load.
    await givePictures(page);
    await pages.host.show(page);
    await page.evaluate(() => {
      document.querySelector('gif-picker')!.remove();
      Object.assign(window, { pickers: [] });
    });
    const devtools = await page.context().newCDPSession(page);
    const cycle = () =>
      page.evaluate(async (service) => {
        const picker = Object.assign(document.createElement('gif-picker'), { service });
        document.querySelector('main')!.append(picker);
        (window as unknown as { pickers: WeakRef<Element>[] }).pickers.push(new WeakRef(picker));
        while (picker.shadowRoot?.querySelector('.tile img') == null) await new Promise(requestAnimationFrame);
        picker.remove();
      }, pages.service.url);
    await cycle();
    const before = await counts(devtools);
    for (let n = 0; n < CYCLES; n++) await cycle();
    // The browser's garbage collector may need several rounds until it has freed everything that belonged to removed
    // pickers.
    await vi.waitFor(async () => {
      const after = await counts(devtools);
      const pickers = await page.evaluate(
        () => (window as unknown as { pickers: WeakRef<Element>[] }).pickers.filter((one) => one.deref()).length,
      );
      expect(pickers).toBeLessThanOrEqual(1);
      expect(after.listeners - before.listeners).toBeLessThan(CYCLES);
      expect(after.nodes - before.nodes).toBeLessThan(10 * CYCLES);
    }, SOON);
    await devtools.detach();
  });

  it('lets the browser connect to the service in time for the first pictures, and leaves the page as it was', async () => {
    const page = await pages.host.window();
    await page.addInitScript(() => {
      const connected: string[] = [];
      Object.assign(window, { connected });
      new MutationObserver((changes) => {
        for (const link of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
          if (link instanceof HTMLLinkElement && link.rel === 'preconnect') connected.push(link.href);
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await pages.host.show(page);
    const connected = await page.evaluate(() => (window as unknown as { connected: string[] }).connected);
    expect(connected).toEqual([`${pages.service.url}/`]);
    expect(await page.locator('link').count()).toBe(0);
  });

  it('sends requests only to its page and the service', () => {
    expect([...pages.host.asked].filter((origin) => origin !== 'null').sort()).toEqual(
      [pages.host.origin, pages.service.url].sort(),
    );
  });

  describe('as the specification says', () => {
    const gms = async (page: Page) => {
      await search(page, 'gm');
      await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    };

    // A page of an unregistered origin gets no GIF. The origin localhost is the development client.
    sentence(5, async () => {
      await gms(await pages.host.open());
      const stranger = await pages.host.window();
      const told: string[] = [];
      stranger.on('console', (message) => told.push(message.text()));
      const origin = pages.host.origin.replace('localhost', ELSEWHERE);
      await stranger.goto(origin);
      await expect.poll(() => said(stranger), SOON).toMatch(/^This site is not registered with /);
      const { url } = pages.service;
      const cure = `${origin} is not registered with ${url}. Register it at ${url}/dashboard`;
      await expect.poll(() => told.filter((line) => line.startsWith(origin)), SOON).toEqual([cure]);
      expect(await tiles(stranger).count()).toBe(0);
    });

    sentence(110, async () => {
      for (const width of [400, 1_200]) {
        const page = await pages.host.open({}, { viewport: { width, height: 500 } });
        const picked = page.evaluate(
          () =>
            new Promise<GifPick>((resolve) =>
              document.addEventListener('gif-pick', (event) => resolve((event as CustomEvent<GifPick>).detail)),
            ),
        );
        await gms(page);
        const shown = () =>
          page
            .locator('gif-picker .tile img')
            .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
        // A picture has no address before it may load.
        await expect.poll(async () => (await shown()).filter((address) => address !== '').length).toBeGreaterThan(5);
        expect((await shown()).filter((address) => !/^$|\/p\/\w+\/w(240|480)\//.test(address))).toEqual([]);
        await tiles(page).first().click();
        const { gif, text, imeta } = await picked;
        expect(text).toBe(gif.url);
        expect(imeta).toContain(`url ${gif.url}`);
      }
    });

    sentence(111, async () => {
      const page = await pages.host.window({ reducedMotion: 'reduce' });
      // No picture loads, but the tiles have the same positions as with pictures.
      await page.route(/\/p\//, () => {});
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await pages.host.go(page);
      await gms(page);
      const boxes = () => tiles(page).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().toJSON()));
      const before = await boxes();
      const images = asked.filter((path) => path.startsWith('/p/'));
      expect(new Set(images).size).toBeLessThan(MORNINGS);
      expect(images.filter((path) => !path.endsWith('.png'))).toEqual([]);
      await page.unroute(/\/p\//);
      const moving = await pages.host.open();
      await gms(moving);
      await expect.poll(() => moving.locator('gif-picker img[src$=".gif"]').count(), SOON).toBeGreaterThan(0);
      const after = await tiles(moving).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().toJSON()));
      expect(after.slice(0, before.length)).toEqual(before.slice(0, after.length));
    });
  });
});

/** Returns the position of the tile with one title relative to the tile with another title. */
async function sides(page: Page, from: string, to: string): Promise<'left' | 'right' | 'above' | 'below'> {
  const boxOf = (name: string) => page.getByRole('button', { name, exact: true }).boundingBox();
  const [a, b] = (await Promise.all([boxOf(from), boxOf(to)])) as {
    x: number;
    y: number;
    width: number;
    height: number;
  }[];
  if (b!.x >= a!.x + a!.width) return 'right';
  if (b!.x + b!.width <= a!.x) return 'left';
  return b!.y > a!.y ? 'below' : 'above';
}

/** Scrolls a little, and waits for the new tiles. */
async function scrollOn(page: Page): Promise<void> {
  await page.locator('gif-picker .scroll').evaluate(async (scroller) => {
    scroller.scrollBy(0, 200);
    // The picker notices the scroll in the first frame. The tiles are present in the second frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Scrolls on. @returns the position of the last tile, in words */
async function scroll(page: Page): Promise<string> {
  await scrollOn(page);
  const last = tiles(page).last();
  const [size, place] = await last.evaluate((tile) => [tile.ariaSetSize, tile.ariaPosInSet]);
  return `of ${size}, ${size === place ? 'the last' : place}`;
}

async function counts(devtools: CDPSession): Promise<{ listeners: number; nodes: number }> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { jsEventListeners, nodes } = await devtools.send('Memory.getDOMCounters');
  return { listeners: jsEventListeners, nodes };
}
