import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Gif, SearchResponse } from '../../packages/client/src/index.ts';
import type { Favourite } from '../../packages/picker/src/view/shelf.ts';
import { startBlossomServer } from '../support/blossom-server.ts';
import { blocksGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { ENV, heard, listen, pickerPages, SOON, said, tiles, titles } from './picker.ts';
import { servePage } from './tile-service.ts';
import { writeMornings } from './tiles.ts';

const ALT = 'private words';

const draw = (seed: number) => Buffer.from(blocksGif({ width: 90, height: 90, delays: [9, 9], seed }));

describe.skipIf(!parts.chromium)('favourites from a service that is gone', () => {
  const pages = pickerPages({ write: writeMornings });

  /** Returns all GIFs of a service with files, as favourites with descriptions of their own. */
  async function favouritesFrom(service: Server): Promise<Favourite[]> {
    const lists = ['gm', 'fire'].map(async (q) => {
      const { items } = (await (await service.get(`/api/v1/search?q=${q}&limit=100`)).json()) as SearchResponse;
      return items;
    });
    const gifs = new Map((await Promise.all(lists)).flat().map((gif) => [gif.id, gif]));
    return [...gifs.values()].map((gif, n) => ({ ...gif, alt: `${ALT} ${n}` }));
  }

  async function load(page: Page, favourites: readonly Gif[]): Promise<void> {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByLabel('Import favourites').setInputFiles({
      ...{ name: 'favourites.json', mimeType: 'application/json' },
      buffer: Buffer.from(JSON.stringify({ version: 1, favourites })),
    });
    await expect.poll(() => said(page), SOON).toBe(`${favourites.length} GIFs`);
  }

  function stored(page: Page, service: string): Promise<Favourite[]> {
    return page.evaluate(
      (key) => JSON.parse(localStorage.getItem(key) ?? '{}').favourites ?? [],
      `gif-picker ${service}`,
    );
  }

  /** Changes the service of the picker to one that the host does not name. */
  async function change(page: Page, service: string): Promise<void> {
    await page.evaluate((url) => Object.assign(document.querySelector('gif-picker')!, { service: url }), service);
  }

  it('are found by their hash in another service and on Blossom servers, or stay marked', async () => {
    using folder = temporaryFolder();
    await using blossom = await startBlossomServer();
    const old = await servePage(folder.path, ENV, { write: writeMornings });
    const known = await favouritesFrom(old);
    expect(known.length).toBeGreaterThan(10);
    const lost = (n: number): Favourite => {
      const sha256 = createHash('sha256').update(draw(n)).digest('hex');
      const own = JSON.parse(JSON.stringify(known[0]).replaceAll(known[0]!.sha256!, sha256)) as Favourite;
      return { ...own, title: `lost ${n}`, alt: `${ALT} of ${n}` };
    };
    const [saved, nowhere] = [lost(1_000), lost(1_001)];
    blossom.blobs.set(saved.sha256!, draw(1_000));
    const page = await pages.host.window();
    await pages.host.show(page, { 'blossom-servers': blossom.url });
    await change(page, old.url);
    await tiles(page).first().waitFor();
    await load(page, [saved, nowhere, ...known]);
    await old.stop();

    const sent: string[] = [];
    page.on('request', (request) => {
      const text = [request.method(), request.url(), request.postData(), JSON.stringify(request.headers())].join(' ');
      if (/\/p\/|\/m\/|\/v\//.test(request.url())) return;
      if (request.url().startsWith(pages.service.url)) sent.push(text);
    });
    await change(page, pages.service.url);
    await expect
      .poll(async () => (await stored(page, pages.service.url)).map(({ url }) => new URL(url).origin), SOON)
      .toEqual([blossom.url, old.url, ...known.map(() => pages.service.url)]);
    const favourites = await stored(page, pages.service.url);
    expect(favourites.map(({ alt }) => alt)).toEqual([saved.alt, nowhere.alt, ...known.map(({ alt }) => alt)]);
    for (const { url, alt, sha256, imeta } of favourites)
      expect(imeta).toEqual(expect.arrayContaining([`url ${url}`, `x ${sha256}`, `alt ${alt}`]));

    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await page.locator(`gif-picker .tile img[src^="${blossom.url}"]`).first().waitFor();
    await page.getByRole('button', { name: `${nowhere.alt}: Picture unavailable`, exact: true }).waitFor();
    expect((await titles(page)).slice(0, 3)).toEqual([saved.alt, `${nowhere.alt}: Picture unavailable`, known[0]!.alt]);
    await listen(page);
    await tiles(page).first().locator('.pick').click();
    const url = `${blossom.url}/${saved.sha256}.gif`;
    const imeta = expect.arrayContaining([`url ${url}`, `x ${saved.sha256}`, `alt ${saved.alt}`]);
    expect(await heard(page)).toMatchObject([{ detail: { text: url, alt: saved.alt, imeta } }]);

    // The service gets ids and hashes, but nothing that the user wrote or that identifies people.
    expect(sent.some((text) => text.includes('/api/discover/v1/gifs?ids='))).toBe(true);
    expect(sent.filter((text) => /^HEAD \S+\/[0-9a-f]{64}\.gif /.test(text))).toHaveLength(2);
    for (const text of sent) expect(text).not.toMatch(/private|cookie|authorization/i);
    // GIFs that were not found are looked for again only on another day.
    const asked = sent.filter((text) => text.startsWith('HEAD')).length;
    await page.getByRole('button', { name: 'Trending', exact: true }).click();
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await page.getByRole('button', { name: `${nowhere.alt}: Picture unavailable`, exact: true }).waitFor();
    expect(sent.filter((text) => text.startsWith('HEAD'))).toHaveLength(asked);
  });

  it('are looked for when their pictures do not load', async () => {
    const page = await pages.host.open();
    const [first, second] = await favouritesFrom(pages.service);
    const dead = JSON.parse(JSON.stringify(first).replaceAll(pages.service.url, 'http://localhost:1')) as Favourite;
    await page.evaluate(
      ([key, text]) => localStorage.setItem(key!, text!),
      [`gif-picker ${pages.service.url}`, JSON.stringify({ recent: [], favourites: [dead, second] })],
    );
    await page.reload();
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await expect
      .poll(async () => (await stored(page, pages.service.url)).map(({ url }) => url), SOON)
      .toEqual([first!.url, second!.url]);
    await expect.poll(() => titles(page), SOON).toEqual([first!.alt, second!.alt]);
  });
});
