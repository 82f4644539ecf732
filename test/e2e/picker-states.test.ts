import type { CDPSession, Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { violations } from './axe.ts';
import {
  givePictures,
  heard,
  listen,
  pickerPages,
  SOON,
  said,
  search,
  tiles,
  titles,
  watchSearches,
} from './picker.ts';
import { FIRES, MORNINGS } from './tiles.ts';

const SEARCHES = '**/api/v1/search?**';
/**
 * With the service's description, the picker distinguishes a service that is away from a service that refuses the page.
 */
const DESCRIPTION = '**/.well-known/gif-search.json';

describe.skipIf(!parts.chromium)('the picker in all its states', () => {
  const pages = pickerPages();

  it('says that the service is unavailable, and retries on request', async () => {
    const page = await pages.host.open();
    for (const url of [SEARCHES, DESCRIPTION]) await page.route(url, (route) => route.abort('connectionrefused'));
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toContain('unavailable right now');
    await page.unroute(SEARCHES);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
  });

  it('says that the device is offline, and continues by itself', async () => {
    const page = await pages.host.open();
    await page.context().setOffline(true);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe('You are offline');
    await page.context().setOffline(false);
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
  });

  it('says how long to wait after too many requests', async () => {
    const page = await pages.host.open();
    const headers = { 'retry-after': '42', 'access-control-allow-origin': '*', 'access-control-expose-headers': '*' };
    const json = { error: { code: 'rate_limited', message: 'slow down' } };
    await page.route(SEARCHES, (route) => route.fulfill({ status: 429, headers, json }));
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe('Too many requests. Try again in 42 s');
  });

  it('keeps the GIFs to start with until the first search has results', async () => {
    const page = await pages.host.open();
    const opening = await titles(page);
    const asked = Promise.withResolvers<void>();
    const answering = Promise.withResolvers<void>();
    await page.route(SEARCHES, async (route) => {
      asked.resolve();
      await answering.promise;
      await route.continue();
    });
    await search(page, 'fire');
    await asked.promise;
    expect(await titles(page)).toEqual(opening);
    answering.resolve();
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await titles(page)).not.toContain(opening[0]);
  });

  it('shows popular GIFs below a short list, in a list of their own that the arrow keys reach', async () => {
    const page = await pages.host.window();
    await page.route(/\/api\/discover\/v1\/trending/, async (route) => {
      const response = await route.fetch();
      const found = await route.fetch({ url: `${new URL('/api/v1/search?q=hostile', route.request().url())}` });
      const [list, { items }] = [await response.json(), await found.json()];
      await route.fulfill({ response, json: { ...list, items: [...items, ...list.items] } });
    });
    await pages.host.go(page);
    await search(page, 'hostile');
    const popular = page.getByRole('list', { name: 'Trending' });
    await popular.getByRole('listitem').first().waitFor();
    await expect.poll(() => said(page), SOON).toBe('4 GIFs');
    const own = page.locator('gif-picker .grid > ul').first().getByRole('listitem');
    const places = await own.evaluateAll((items) => items.map((item) => [item.ariaPosInSet, item.ariaSetSize]));
    expect(places).toEqual([1, 2, 3, 4].map((n) => [`${n}`, '4']));
    expect(await popular.getByRole('listitem').first().getAttribute('aria-posinset')).toBe('1');
    const all = await titles(page);
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all).size).toBe(all.length);

    const boxes = await Promise.all((await own.all()).map((item) => item.boundingBox()));
    const heading = (await page.locator('gif-picker').getByText('Trending', { exact: true }).last().boundingBox())!;
    for (const box of boxes) expect(box!.y + box!.height).toBeLessThanOrEqual(heading.y + 1);
    const below = (await popular.getByRole('listitem').first().boundingBox())!;
    expect(below.y).toBeCloseTo(heading.y + heading.height, 0);

    const isPopular = () =>
      page.evaluate(() => {
        const focused = document.querySelector('gif-picker')!.shadowRoot!.activeElement!;
        return focused.closest('ul')?.getAttribute('aria-labelledby') === 'popular';
      });
    for (let n = 0; n <= 4; n++) await page.keyboard.press('ArrowDown');
    await expect.poll(isPopular, SOON).toBe(true);
    expect(await violations(page)).toEqual([]);

    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    expect(await popular.count()).toBe(0);
  });

  it('adds nothing to a short list if the service has no popular GIFs', async () => {
    const page = await pages.host.window();
    await page.route(/\/api\/discover\/v1\/trending/, (route) => route.fulfill({ status: 404 }));
    await pages.host.go(page);
    await page.locator('gif-picker').getByRole('listitem').first().waitFor();
    await search(page, 'hostile');
    await expect.poll(() => said(page), SOON).toBe('4 GIFs');
    expect(await titles(page)).toHaveLength(4);
    expect(await page.locator('gif-picker #popular').count()).toBe(0);
  });

  it('opens nothing while the file with the menu does not load, and opens it when the button is pressed again', async () => {
    const page = await pages.host.window();
    const failed = Promise.withResolvers<void>();
    await page.route('**/gif-picker-more.js', async (route) => {
      await route.abort('connectionrefused');
      failed.resolve();
    });
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await pages.host.go(page);
    const settings = page.getByRole('button', { name: 'Settings' });
    await settings.click();
    await failed.promise;
    await expect.poll(() => settings.getAttribute('aria-expanded'), SOON).toBe('false');
    await page.unroute('**/gif-picker-more.js');
    await settings.click();
    await page.getByRole('group', { name: 'Settings' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('keeps its content when a further page fails, and loads it later', async () => {
    const page = await pages.host.window();
    for (const url of [/search.*offset=24/, DESCRIPTION])
      await page.route(url, (route) => route.abort('connectionrefused'));
    await pages.host.show(page);
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await page.locator('gif-picker .scroll').evaluate((scroller) => scroller.scrollBy(0, 1_000));
    await expect.poll(() => said(page), SOON).toContain('unavailable right now');
    expect((await titles(page)).length).toBeGreaterThan(3);
    await page.unroute(/search.*offset=24/);
    const asked = watchSearches(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    await expect.poll(() => asked).toEqual(['gm']);
  });

  it('shows the title of a GIF whose picture does not load', async () => {
    const page = await pages.host.window();
    await page.route(/\/p\//, (route) => route.fulfill({ status: 404 }));
    await pages.host.show(page);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    const title = page.locator('gif-picker .tile .title').first();
    await expect.poll(() => title.innerText(), SOON).toMatch(/^fire \d\s+Picture unavailable$/);
    // A GIF that cannot be seen cannot be posted.
    await listen(page);
    await title.dispatchEvent('click');
    await tiles(page)
      .getByRole('button', { name: /^About this GIF/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await heard(page)).toEqual([]);
  });

  it('shows stills under reduced motion, and plays the one under the pointer', async () => {
    const page = await pages.host.open({}, { reducedMotion: 'reduce' });
    await search(page, 'gm');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
    const playing = () => sources(page, (source) => !source.endsWith('.png'));
    await expect.poll(playing, SOON).toEqual([]);
    await page.getByRole('combobox').press('ArrowDown');
    await expect.poll(async () => (await playing()).length).toBe(1);
    await page.keyboard.press('Escape');
    await expect.poll(playing).toEqual([]);
    await tiles(page).nth(2).hover();
    await expect.poll(async () => (await playing()).length).toBe(1);
  });

  it('plays only visible GIFs', async () => {
    const page = await pages.host.open();
    await page.locator('gif-picker img').nth(10).waitFor({ state: 'attached' });
    const wrong = () =>
      page.locator('gif-picker .scroll').evaluate((scroller) => {
        const { top, bottom } = scroller.getBoundingClientRect();
        return [...scroller.querySelectorAll('img')].filter((image) => {
          const box = image.closest('.tile')!.getBoundingClientRect();
          const isVisible = box.bottom > top && box.top < bottom;
          return isVisible === image.src.endsWith('.png');
        }).length;
      });
    await expect.poll(wrong).toBe(0);
    await page.locator('gif-picker .scroll').evaluate((scroller) => scroller.scrollTo(0, 500));
    await expect.poll(wrong).toBe(0);
  });

  it('plays long clips as videos, or as images if there is no video', async () => {
    const page = await pages.host.window();
    await givePictures(page);
    await page.route(SEARCHES, async (route: Route) => {
      const response = await route.fetch();
      const answer = await response.json();
      // The GIFs are transparent, and the MP4 of a transparent GIF is never played.
      for (const item of answer.items) Object.assign(item, { duration: 20, transparent: null });
      await route.fulfill({ response, json: answer });
    });
    const films: string[] = [];
    await page.route(/\/v\//, (route) => {
      films.push(route.request().url());
      return route.fulfill({ status: 404 });
    });
    await pages.host.show(page);
    await search(page, 'fire');
    await expect.poll(() => said(page), SOON).toBe(`${FIRES} GIFs`);
    await expect.poll(() => films.length, SOON).toBeGreaterThan(2);
    await expect.poll(() => page.locator('gif-picker video').count(), SOON).toBe(0);
    const moving = async () => (await sources(page, (source) => source.endsWith('.gif'))).length;
    await expect.poll(moving, SOON).toBeGreaterThan(2);
  });

  it('announces content and search results to screen readers', async () => {
    const page = await pages.host.open();
    const devtools = await page.context().newCDPSession(page);
    const tree = () => readTree(devtools);
    await search(page, 'fire');
    await expect.poll(async () => announcements(await tree()), SOON).toEqual([`${FIRES} GIFs`]);
    const first = await tree();
    expect(first.filter(({ role }) => role === 'group').map(({ name }) => name)).toEqual(['Search GIFs', 'Topics']);
    const box = { role: 'combobox', name: 'Search GIFs', expanded: false, autocomplete: 'list', focused: true };
    expect(first.find(({ role }) => role === 'combobox')).toMatchObject(box);
    const gifs = (await titles(page)).flatMap((title) => [
      { role: 'listitem', name: '' },
      { role: 'button', name: title },
      { role: 'button', name: `Add to favourites: ${title}`, pressed: 'false' },
      { role: 'button', name: `More like this: ${title}` },
      { role: 'button', name: `About this GIF: ${title}` },
    ]);
    const list = first.findIndex(({ role }) => role === 'list');
    expect(first.slice(list + 1, list + 1 + gifs.length)).toMatchObject(gifs);
    expect(first.filter(({ role }) => role === 'image')).toEqual([]);

    await page.getByRole('combobox').fill('fir');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    const second = await tree();
    const option = second.find(({ role }) => role === 'option');
    expect(option).toMatchObject({ name: 'fire', selected: true });
    const open = { expanded: true, value: 'fir', activedescendant: option!.id };
    expect(second.find(({ role }) => role === 'combobox')).toMatchObject({ ...box, ...open });
    expect(second.find(({ role }) => role === 'listbox')).toMatchObject({ name: 'Search GIFs' });

    await search(page, 'nothing like it');
    await expect.poll(async () => announcements(await tree()), SOON).toEqual(['Nothing found for “nothing like it”']);
    await expect
      .poll(async () => (await tree()).filter(({ role }) => role === 'listitem').length, SOON)
      .toBeGreaterThan(0);
    for (const url of [SEARCHES, DESCRIPTION]) await page.route(url, (route) => route.abort('connectionrefused'));
    await search(page, 'gm');
    const host = new URL(pages.service.url).host;
    const away = `GIFs from ${host} are unavailable right now`;
    await expect.poll(async () => announcements(await tree()), SOON).toEqual([away]);
    await devtools.detach();
  });

  it.each(['light', 'dark'] as const)('is accessible in %s mode', async (colorScheme) => {
    const page = await pages.host.open({}, { colorScheme });
    expect(await violations(page)).toEqual([]);
    await search(page, 'nothing like it');
    await page.getByText('Nothing found').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('combobox').fill('fir');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await violations(page)).toEqual([]);
    for (const url of [SEARCHES, DESCRIPTION]) await page.route(url, (route) => route.abort('connectionrefused'));
    await search(page, 'gm');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});

/** Returns the URLs of the shown pictures for which `isMeant` is true. */
async function sources(page: Page, isMeant: (address: string) => boolean): Promise<string[]> {
  const all = await page
    .locator('gif-picker .pick :is(img, video)')
    .evaluateAll((pictures) => pictures.map((picture) => (picture as HTMLImageElement).src));
  return all.filter(isMeant);
}

/** A node of the accessibility tree. References to other nodes are their ids. */
interface Heard {
  id: number;
  role: string;
  name: string;
  value: string | undefined;
  [property: string]: unknown;
}

/** Returns the accessibility tree without the parts that a screen reader skips. */
async function readTree(devtools: CDPSession): Promise<Heard[]> {
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const inOrder = (id: string): typeof nodes => {
    const node = byId.get(id);
    return node === undefined ? [] : [node, ...(node.childIds ?? []).flatMap(inOrder)];
  };
  return inOrder(nodes[0]!.nodeId)
    .filter((node) => !node.ignored && node.role!.value !== 'generic')
    .map(({ backendDOMNodeId, role, name, value, properties = [] }) => {
      const more = properties.map(({ name: key, value: { value: found, relatedNodes } }) => {
        return [key, relatedNodes?.[0]?.backendDOMNodeId ?? found];
      });
      return {
        id: backendDOMNodeId!,
        role: role!.value,
        name: name?.value ?? '',
        value: value?.value,
        ...Object.fromEntries(more),
      };
    });
}

/** Returns the texts of the live regions. */
function announcements(tree: readonly Heard[]): string[] {
  const live = tree.flatMap(({ role, live }, i) => (role === 'status' && live === 'polite' ? [i] : []));
  return live.map((i) => (tree[i + 1]?.role === 'StaticText' ? tree[i + 1]!.name : ''));
}
