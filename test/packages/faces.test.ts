import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../e2e/browser.ts';
import { bundle } from '../support/bundle.ts';
import { writeGifs } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { TOOLS } from './app.ts';
import { type Host, serveFiles } from './host.ts';

/* Packages that were written for GIPHY, KLIPY and Tenor, unchanged, against the faces. */

/** Each GIF is described by a process of low priority, which takes seconds on a busy machine. */
const GIFS = 6;
const PLAIN = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_FACES: 'tenor,giphy,klipy', ZOETROPE_CATEGORIES: 'dance' };

/** The providers of gif-picker-react, each with the address of its face. */
const PROVIDERS = [
  ['Tenor', 'tenor', '/tenor/v2/'],
  ['Giphy', 'giphy', '/giphy/v1/'],
  ['Klipy', 'klipy', '/klipy/api/v1/'],
] as const;

interface PickedGif {
  id: string;
  imageUrl: string;
  width: number;
  preview: { imageUrl: string };
}

interface Provider {
  getCategories(): Promise<{ name: string; searchTerm: string; imageUrl: string }[]>;
  search(term: string): Promise<PickedGif[]>;
  getTrending(): Promise<PickedGif[]>;
  onClick?(gif: PickedGif, more: { searchTerm?: string }): Promise<void>;
}

describe.skipIf(!parts.packageTools)('packages written for other services', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  let service: Server;
  let key: string;

  beforeAll(async () => {
    const gifs = path.join(folder.path, 'gifs');
    writeGifs(gifs, GIFS);
    const { code, stderr } = await zoetrope(data, ['add', '--quiet', gifs], PLAIN);
    expect(code, stderr).toBe(0);
    const added = await zoetrope(data, ['client', 'add', 'App']);
    const id = /is client (\w+)/.exec(added.stdout)![1]!;
    const created = await zoetrope(data, ['key', 'create', id, '--name', 'faces']);
    key = /zoe_\w+/.exec(created.stdout)![0];
    service = await startServer(data, PLAIN);
  });

  afterAll(async () => {
    await service?.stop();
    folder[Symbol.dispose]();
  });

  const load = (name: string) => import(pathToFileURL(path.join(TOOLS, name)).href);

  it('@giphy/js-fetch-api searches, pages, and gets GIFs by id', async () => {
    const { GiphyFetch, gifPaginator, setServerUrl } = await load('@giphy/js-fetch-api/dist/index.js');
    setServerUrl(`${service.url}/giphy/v1/`);
    const giphy = new GiphyFetch(key);
    const found = await giphy.search('dance', { limit: 4, offset: 0 });
    expect(found.data).toHaveLength(4);
    expect(found.data[0].images.fixed_width).toMatchObject({ width: 8, height: 8 });
    const more = gifPaginator((offset: number) => giphy.search('dance', { offset, limit: 4 }));
    let all: { id: string }[] = [];
    for (let page = 0; page < 4; page++) all = await more();
    expect(all).toHaveLength(GIFS);
    expect((await giphy.trending({ limit: 5 })).data).toHaveLength(5);
    const [first, second] = all.map(({ id }) => id);
    expect((await giphy.gif(first)).data.id).toBe(first);
    expect((await giphy.gifs([second, first])).data.map(({ id }: { id: string }) => id)).toEqual([second, first]);
    expect((await giphy.related(first)).data.length).toBeGreaterThan(0);
    expect((await giphy.random({ tag: 'dance' })).data.type).toBe('gif');
    const [category] = (await giphy.categories()).data;
    expect(category).toMatchObject({ name: 'Dance', gif: { images: { original: { url: expect.any(String) } } } });
    await expect(giphy.gif('unknown.gif')).rejects.toThrow('No GIF has the id unknown.gif');
  });

  it.each(PROVIDERS)('gif-picker-react lists GIFs with its provider %s', async (name, module, base) => {
    const made = await load(`gif-picker-react/dist/providers/${module}/index.mjs`);
    const provider: Provider = made[name](key, { baseUrl: service.url + base });
    expect((await provider.getCategories()).map(({ searchTerm }) => searchTerm.toLowerCase())).toEqual(['dance']);
    expect(await provider.getTrending()).toHaveLength(GIFS);
    const found = await provider.search('dance');
    expect(new Set(found.map(({ id }) => id)).size).toBe(GIFS);
    expect(found[0]).toMatchObject({ width: 8, imageUrl: expect.stringMatching(/^http/) });
    await provider.onClick?.(found[0]!, { searchTerm: 'dance' });
  });

  describe.skipIf(!parts.chromium)('in a browser', () => {
    let browser: Browser;
    let host: Host;
    let complaints: string[];

    beforeAll(async () => {
      const site = path.join(folder.path, 'site');
      fs.mkdirSync(site);
      fs.symlinkSync(TOOLS, path.join(folder.path, 'node_modules'));
      for (const [name, source] of Object.entries(pages(service.url))) {
        const entry = path.join(folder.path, `${name}.js`);
        fs.writeFileSync(entry, source);
        fs.writeFileSync(path.join(site, `${name}.js`), await bundle(entry));
        const styles = fs.readFileSync(path.join(TOOLS, 'gif-picker-react/dist/style.css'), 'utf8');
        const page = `<!doctype html><title>${name}</title><link rel="icon" href="data:,"><style>${styles}</style><div id="root"></div>`;
        fs.writeFileSync(
          path.join(site, `${name}.html`),
          `${page}<p id="picked"></p><script>process = { env: { NODE_ENV: 'production' } }</script>
          <script type="module" src="${name}.js"></script>`,
        );
      }
      [browser, host] = await Promise.all([launchBrowser(), serveFiles(site)]);
    });

    afterAll(() => Promise.all([browser?.close(), host?.stop()]));

    async function open(name: string) {
      const page = await browser.newPage({ viewport: { width: 480, height: 640 } });
      complaints = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      // GIPHY's components report what people see and click to GIPHY, whatever server they use.
      await page.route('https://pingback.giphy.com/**', (route) =>
        route.fulfill({ status: 200, headers: { 'access-control-allow-origin': '*' }, body: '' }),
      );
      await page.goto(`${host.origin}/${name}.html`);
      return page;
    }

    it.each(PROVIDERS)('gif-picker-react shows, finds and picks GIFs with its provider %s', async (name) => {
      const page = await open(name);
      await page.getByRole('button', { name: /dance/i }).first().waitFor();
      await page.getByRole('textbox').fill('happy dance');
      const gif = page.locator('button:has(img), .gpr-btn:has(img)').nth(1);
      await expect.poll(() => page.locator('img').count()).toBeGreaterThanOrEqual(GIFS);
      await expect.poll(() => gif.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8);
      await gif.click();
      await expect.poll(() => page.locator('#picked').innerText()).toMatch(/^http.+\.gif$/);
      expect(complaints).toEqual([]);
      await page.close();
    });

    it("GIPHY's grid shows and picks GIFs", async () => {
      const page = await open('Grid');
      const gif = page.locator('.giphy-gif img').first();
      await gif.waitFor();
      await expect.poll(() => gif.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8);
      await gif.click();
      await expect.poll(() => page.locator('#picked').innerText()).toMatch(/^http.+\.gif$/);
      expect(complaints).toEqual([]);
      await page.close();
    });
  });
});

/** Returns the programs of the pages. */
function pages(url: string): Record<string, string> {
  const show = "(url) => { document.getElementById('picked').textContent = url; }";
  const head = `import { createElement } from 'react';
    import { createRoot } from 'react-dom/client';
    const render = (element) => createRoot(document.getElementById('root')).render(element);`;
  const pickers = PROVIDERS.map(([name, module, base]) => [
    name,
    `${head}
    import { GifPicker } from 'gif-picker-react';
    import { ${name} } from 'gif-picker-react/providers/${module}';
    const provider = ${name}('any', { baseUrl: '${url}${base}' });
    render(createElement(GifPicker, { provider, onGifClick: ({ imageUrl }) => (${show})(imageUrl) }));`,
  ]);
  const grid = `${head}
    import { GiphyFetch, setServerUrl } from '@giphy/js-fetch-api';
    import { Grid } from '@giphy/react-components';
    setServerUrl('${url}/giphy/v1/');
    const giphy = new GiphyFetch('any');
    const fetchGifs = (offset) => giphy.search('dance', { offset, limit: 10 });
    const onGifClick = (gif, event) => { event.preventDefault(); (${show})(gif.images.original.url); };
    render(createElement(Grid, { width: 400, columns: 3, fetchGifs, onGifClick }));`;
  return Object.fromEntries([...pickers, ['Grid', grid]]);
}
