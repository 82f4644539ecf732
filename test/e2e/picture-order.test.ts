import type { BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { MORNING, pickerPages, SOON, search as searchInPicker, tiles } from './picker.ts';
import { FIRES } from './tiles.ts';

const STILLS = /\/p\/.*\.png$/;
const OTHERS = /\/api\/(?:discover\/|v1\/search\?q=(?!fire))/;
const MOTION = /\/p\/.*\.gif$/;

/** The URLs of pictures that a page has requested, and of pictures that it has stopped loading. */
interface Traffic {
  asked: string[];
  stopped: string[];
}

describe.skipIf(!parts.chromium)('the order in which pictures load', () => {
  const pages = pickerPages();

  const surfaces = {
    page: {
      show: (page: Page) => page.goto(`${pages.service.url}/?q=fire`, { waitUntil: 'domcontentloaded' }),
      search: (page: Page, text: string) => page.getByRole('combobox', { name: 'Search GIFs' }).fill(text),
      /** The requests of a search. */
      searches: /\/\?q=/,
      pictures: (page: Page) => page.locator('#tiles img'),
      scrollOn: (page: Page) => page.evaluate(() => scrollTo(0, 60)),
    },
    picker: {
      show: async (page: Page) => {
        await page.clock.setFixedTime(MORNING);
        // Without GIFs to start with, no pictures load before those of the search.
        await page.route(OTHERS, (route) => route.abort());
        await pages.host.go(page);
        await searchInPicker(page, 'fire');
        await tiles(page).first().waitFor();
        await page.unroute(OTHERS);
      },
      search: searchInPicker,
      searches: /\/api\/v1\/search/,
      pictures: (page: Page) => page.locator('gif-picker .tile img'),
      scrollOn: (page: Page) => page.locator('gif-picker .scroll').evaluate((scroller) => scroller.scrollTo(0, 60)),
    },
  };

  async function window(options: BrowserContextOptions = {}): Promise<Page> {
    return pages.host.window({ viewport: { width: 1000, height: 800 }, ...options });
  }

  describe.each(['page', 'picker'] as const)('in the %s', (name) => {
    const { show, search, searches, pictures, scrollOn } = surfaces[name];
    const shown = (page: Page) => endings(pictures(page));

    it('loads motion in view after all stills in view, and until then each tile shows its still', async () => {
      const page = await window();
      const { asked } = watch(page);
      const release = await hold(page, STILLS, 1);
      await show(page);
      await expect.poll(() => shown(page), SOON).toEqual([...Array(FIRES - 1).fill('png'), 'loading']);
      await frames(page);
      expect(asked.filter((address) => MOTION.test(address))).toEqual([]);
      release();
      await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill('gif'));
    });

    it('loads other stills after the stills in view', async () => {
      const page = await window();
      await show(page);
      await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill('gif'));
      const { asked } = watch(page);
      const release = await hold(page, STILLS, 1);
      await search(page, 'gm');
      await expect.poll(() => pictures(page).count(), SOON).toBeGreaterThan(FIRES);
      await expect
        .poll(async () => (await inView(pictures(page))).filter((isLoaded) => !isLoaded).length, SOON)
        .toBe(1);
      await frames(page);
      const count = (await inView(pictures(page))).length;
      expect(new Set(asked).size).toBe(count);
      release();
      await expect.poll(() => asked.filter((address) => STILLS.test(address)).length, SOON).toBeGreaterThan(count);
    });

    it.each([
      ['stills', STILLS],
      ['motion', MOTION],
    ])('stops the %s of old results when a search begins', async (_, kind) => {
      const page = await window();
      const { asked, stopped } = watch(page);
      const releasePictures = await hold(page, kind);
      await show(page);
      const old = () => asked.filter((address) => kind.test(address));
      await expect.poll(() => old().length, SOON).toBeGreaterThan(3);
      const releaseSearch = await hold(page, searches);
      await search(page, 'gm');
      // The search has no response yet, so the old results are still shown.
      await expect.poll(() => old().filter((address) => !stopped.includes(address)), SOON).toEqual([]);
      const all = old();
      expect(stopped.toSorted()).toEqual(all.toSorted());
      expect(await pictures(page).count()).toBe(FIRES);
      releaseSearch();
      releasePictures();
      await expect.poll(() => pictures(page).count(), SOON).toBeGreaterThan(FIRES);
      await expect.poll(async () => (await shown(page)).slice(0, 3), SOON).toEqual(['gif', 'gif', 'gif']);
      expect(stopped.length).toBe(all.length);
    });

    it('loads no motion under reduced motion', async () => {
      const page = await window({ reducedMotion: 'reduce' });
      const { asked } = watch(page);
      await show(page);
      await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill('png'));
      await frames(page);
      expect(asked.filter((address) => MOTION.test(address))).toEqual([]);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill('gif'));
    });

    it('shows the motion of a GIF without a still, and the still of a GIF without motion', async () => {
      for (const [missing, left] of [
        [STILLS, 'gif'],
        [MOTION, 'png'],
      ] as const) {
        const page = await window();
        const missed: string[] = [];
        await page.route(missing, (route) => {
          missed.push(route.request().url());
          return route.fulfill({ status: 404 });
        });
        await show(page);
        await expect.poll(() => new Set(missed).size, SOON).toBe(FIRES);
        await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill(left));
      }
    });

    it('stops loading motion while somebody scrolls, and then loads motion only in view', async () => {
      const page = await window();
      const { asked, stopped } = watch(page);
      await show(page);
      await expect.poll(() => shown(page), SOON).toEqual(Array(FIRES).fill('gif'));
      const release = await hold(page, MOTION);
      await search(page, 'gm');
      const motion = () => asked.filter((address) => MOTION.test(address)).slice(FIRES);
      await expect.poll(() => motion().length, SOON).toBeGreaterThan(3);
      // On a busy machine, motion of the new view is already loading when `scrollOn` returns.
      const old = motion();
      await scrollOn(page);
      await expect.poll(() => old.every((address) => stopped.includes(address)), SOON).toBe(true);
      release();
      await expect.poll(() => wrongInView(pictures(page)), SOON).toBe(0);
    });
  });

  it('stops the pictures of tiles that leave the picker', async () => {
    const { show, pictures } = surfaces.picker;
    const page = await window();
    const { asked, stopped } = watch(page);
    await hold(page, STILLS);
    await hold(page, /\/similar/);
    await show(page);
    await expect.poll(() => asked.length, SOON).toBe(FIRES);
    await tiles(page).first().hover();
    await page.getByRole('button', { name: 'More like this' }).first().click();
    await expect.poll(() => pictures(page).count(), SOON).toBe(0);
    await expect.poll(() => stopped.toSorted(), SOON).toEqual(asked.toSorted());
  });

  it('has a placeholder in each tile of the picker until its still has loaded', async () => {
    const page = await window();
    const release = await hold(page, STILLS);
    await surfaces.picker.show(page);
    const placeholders = () =>
      tiles(page).evaluateAll((all) => all.map((tile) => (tile as HTMLElement).style.backgroundImage.slice(0, 16)));
    await expect.poll(placeholders, SOON).toEqual(Array(FIRES).fill('url("data:image/'));
    release();
    await expect.poll(placeholders, SOON).toEqual(Array(FIRES).fill(''));
  });

  it('shows small stills in the page on a slow line, until a still or motion has replaced them', async () => {
    const { show, search, pictures } = surfaces.page;
    for (const [reducedMotion, last] of [
      ['reduce', /\/medium\/.*\.png$/],
      ['no-preference', /\/medium\/.*\.gif$/],
    ] as const) {
      const page = await window({ reducedMotion });
      await show(page);
      await expect.poll(() => endings(pictures(page)), SOON).not.toContain('loading');
      const devtools = await page.context().newCDPSession(page);
      const line = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 };
      await devtools.send('Network.enable');
      await devtools.send('Network.emulateNetworkConditions', line);
      const { asked } = watch(page);
      await search(page, 'gm');
      await expect.poll(() => pictures(page).count(), SOON).toBeGreaterThan(FIRES);
      const isDone = async () => (await shownInView(pictures(page))).every((url) => last.test(url));
      await expect.poll(isDone, SOON).toBe(true);
      const stills = asked.filter((address) => STILLS.test(address));
      expect(stills.slice(0, 3).every((address) => address.includes('/small/'))).toBe(true);
      expect(stills.some((address) => address.includes('/medium/'))).toBe(reducedMotion === 'reduce');
    }
  });

  it('loads the old pictures in the page after a search has failed', async () => {
    const { show, search, searches, pictures } = surfaces.page;
    const page = await window();
    const { stopped } = watch(page);
    const release = await hold(page, STILLS);
    await show(page);
    await pictures(page)
      .nth(FIRES - 1)
      .waitFor();
    const fail = Promise.withResolvers<void>();
    await page.route(searches, async (route) => {
      await fail.promise;
      await route.abort('connectionrefused');
    });
    await search(page, 'gm');
    await expect.poll(() => stopped.length, SOON).toBe(FIRES);
    fail.resolve();
    release();
    await expect.poll(() => endings(pictures(page)), SOON).toEqual(Array(FIRES).fill('gif'));
  });
});

function watch(page: Page): Traffic {
  const traffic: Traffic = { asked: [], stopped: [] };
  page.on('request', (request) => {
    if (request.url().includes('/p/')) traffic.asked.push(request.url());
  });
  page.on('requestfailed', (request) => {
    const isStopped = request.failure()?.errorText === 'net::ERR_ABORTED';
    if (isStopped && request.url().includes('/p/')) traffic.stopped.push(request.url());
  });
  return traffic;
}

/** Delays the first matching requests until the returned function is called. By default, delays all of them. */
async function hold(page: Page, url: RegExp, most = Number.POSITIVE_INFINITY): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  let held = 0;
  await page.route(url, async (route: Route) => {
    if (held++ < most) await gate.promise;
    // A page can have stopped the request in the meantime.
    await route.continue().catch(() => {});
  });
  return gate.resolve;
}

/** Returns how the URL of each shown picture ends, or "loading", in order of the words. */
async function endings(pictures: Locator): Promise<string[]> {
  const all = await pictures.evaluateAll((images) =>
    (images as HTMLImageElement[]).map(({ complete, naturalWidth, currentSrc }) =>
      complete && naturalWidth > 0 ? currentSrc.split('.').at(-1)! : 'loading',
    ),
  );
  return all.toSorted((a, b) => Number(a === 'loading') - Number(b === 'loading'));
}

/** Returns the URL that each picture in view shows. The list is never empty. */
async function shownInView(pictures: Locator): Promise<string[]> {
  await pictures.first().waitFor();
  const all = await states(pictures);
  return all.filter((picture) => picture.isInView).map(({ shown }) => shown);
}

/** Returns for each picture in view whether its still or its motion has loaded. */
async function inView(pictures: Locator): Promise<boolean[]> {
  const all = await states(pictures);
  return all.filter((picture) => picture.isInView).map(({ isLoaded }) => isLoaded);
}

/** Returns the number of pictures in view that do not move, and of pictures out of view that do. */
async function wrongInView(pictures: Locator): Promise<number> {
  const all = await states(pictures);
  return all.filter(({ isInView, isMoving }) => isInView !== isMoving).length;
}

function states(
  pictures: Locator,
): Promise<{ isInView: boolean; isLoaded: boolean; isMoving: boolean; shown: string }[]> {
  return pictures.evaluateAll((images) => {
    const scroller = images[0]?.closest('.scroll')?.getBoundingClientRect();
    const { top, bottom } = scroller ?? { top: 0, bottom: innerHeight };
    return (images as HTMLImageElement[]).map((image) => {
      const box = image.getBoundingClientRect();
      const isLoaded = image.complete && image.naturalWidth > 0 && image.currentSrc.startsWith('http');
      return {
        isInView: box.bottom > top && box.top < bottom,
        isLoaded,
        isMoving: isLoaded && image.currentSrc.endsWith('.gif'),
        shown: isLoaded ? image.currentSrc : '',
      };
    });
  });
}

/** Waits until the browser has drawn twice, so that the page has reacted to everything that has happened. */
async function frames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
