import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Locator, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Gif, SearchResponse, TrendingResponse } from '../../packages/client/src/index.ts';
import type { GifPick } from '../../packages/picker/src/pick.ts';
import { pickerFiles } from '../support/bundle.ts';
import type { Row } from '../support/catalogue.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { type Catalogue, servePage } from './tile-service.ts';
import { writeMornings } from './tiles.ts';

/** Timeout for steps that are slow on a busy machine. */
export const SOON = { timeout: 480_000 };
export const MORNING: Date = new Date(2026, 0, 1, 8);
export const OPERATOR = 'Gifs & "Sons" <Ltd>';
/** The last three settings save time, because no test needs their results. */
export const ENV = {
  ZOETROPE_OPERATOR_NAME: OPERATOR,
  ZOETROPE_OPERATOR_URL: 'http://client.example/home',
  ZOETROPE_EMBEDDER: 'none',
  ZOETROPE_RATING: 'off',
  ZOETROPE_CAPTIONS: 'off',
};
/** Number of linked GIFs. Their URLs lead nowhere, and the GIFs fill the longest list. */
export const MANY = 200;

const many: readonly Row[] = Array.from({ length: MANY }, (_, n) => ({
  id: `many-${n}.gif`,
  title: `many ${n}`,
  tags: ['many'],
  width: 200 + ((n * 37) % 200),
  height: 150 + ((n * 53) % 200),
}));

/** The objects that all tests in a file share. */
interface PickerPages {
  service: Server;
  host: PickerHost;
}

/** Starts a browser, a service and a host for all tests in a file. Windows are closed after each test. */
export function pickerPages(catalogue: Catalogue = { write: writeMornings, linked: many }): PickerPages {
  const pages = {} as PickerPages;
  let folder: ReturnType<typeof temporaryFolder>;
  let browser: Browser;

  beforeAll(async () => {
    folder = temporaryFolder();
    [browser, pages.service] = await Promise.all([launchBrowser(), servePage(folder.path, ENV, catalogue)]);
    pages.host = await PickerHost.start(browser, pages.service);
  });

  afterEach(() => closeWindows(browser));

  afterAll(async () => {
    await browser?.close();
    await pages.host?.stop();
    await pages.service?.stop();
    folder?.[Symbol.dispose]();
  });

  return pages;
}

const FRAME = '<meta name="viewport" content="width=device-width"><style>body { margin: 0 }</style>';

/**
 * A host other than the service's that embeds a picker as an app does: with a script, and an element that names the
 * service.
 */
class PickerHost {
  readonly #browser: Browser;
  readonly #service: Server;
  readonly #server: http.Server;
  /** Origins that received requests. */
  readonly asked = new Set<string>();

  private constructor(browser: Browser, service: Server, files: ReadonlyMap<string, string>) {
    this.#browser = browser;
    this.#service = service;
    this.#server = http.createServer(({ url }, response) => {
      const { pathname, searchParams } = new URL(url!, this.origin);
      const script = files.get(pathname.slice(1));
      if (script !== undefined) response.setHeader('content-type', 'text/javascript').end(script);
      else {
        response.setHeader('content-security-policy', searchParams.get('policy') ?? '');
        response.setHeader('content-type', 'text/html').end(pageOf(searchParams, this.#service.url));
      }
    });
  }

  static async start(browser: Browser, service: Server): Promise<PickerHost> {
    const host = new PickerHost(browser, service, await pickerFiles());
    host.#server.listen(0, '127.0.0.1');
    await once(host.#server, 'listening');
    return host;
  }

  get origin(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Opens an empty window, for tests that prepare it before the picker loads. */
  async window(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await this.#browser.newContext({ viewport: { width: 640, height: 480 }, ...options });
    const page = await context.newPage();
    page.on('request', (request) => this.asked.add(new URL(request.url()).origin));
    return page;
  }

  /**
   * Opens a picker with these attributes. Attributes with the prefix `page-`, and the attribute `policy`, belong to the
   * page.
   */
  async open(attributes: Record<string, string> = {}, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await this.window(options);
    await this.show(page, attributes);
    return page;
  }

  /**
   * Opens a picker that first shows the morning's GIFs. They have pictures and a fixed order. The service's own list is
   * in a different order every day.
   */
  async show(page: Page, attributes: Record<string, string> = {}): Promise<void> {
    await page.clock.setFixedTime(MORNING);
    await page.route(/\/v1\/trending/, async (route) => {
      const response = await route.fetch();
      const list = (await response.json()) as TrendingResponse;
      const items = (await this.#popular()).filter(({ tags }) => tags.includes('gm'));
      items.sort((a, b) => (a.id < b.id ? -1 : 1));
      await route.fulfill({ response, json: { ...list, items, count: items.length } });
    });
    await this.go(page, attributes);
    await tiles(page).first().waitFor();
  }

  /** Returns all pages of the service's popular GIFs. */
  async #popular(): Promise<Gif[]> {
    const gifs: Gif[] = [];
    for (let count = 1; gifs.length < count; ) {
      const response = await this.#service.get(`/api/discover/v1/trending?limit=50&offset=${gifs.length}`);
      const list = (await response.json()) as TrendingResponse;
      gifs.push(...list.items);
      count = list.items.length === 0 ? 0 : list.count;
    }
    return gifs;
  }

  async go(page: Page, attributes: Record<string, string> = {}): Promise<void> {
    await page.goto(`${this.origin}/?${new URLSearchParams(attributes)}`);
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

function pageOf(attributes: URLSearchParams, service: string): string {
  const all = [...attributes].map(([name, value]) => `${name}="${value}"`);
  const [ofPage, own] = [true, false].map((isPage) => all.filter((pair) => pair.startsWith('page-') === isPage));
  return `<!doctype html><html lang="en" ${ofPage!.join(' ').replaceAll('page-', '')}><title>App</title>${FRAME}
    <main><h1 style="position: absolute; opacity: 0">App</h1>
    <script type="module" src="/gif-picker.js"></script>
    <gif-picker service="${service}" ${own!.join(' ')}></gif-picker></main>`;
}

export async function search(page: Page, text: string): Promise<void> {
  const field = page.locator('gif-picker input[type=search]');
  await field.fill(text);
  await field.press('Enter');
}

export function tiles(page: Page): Locator {
  return page.locator('gif-picker .tile');
}

/** Returns the titles of the rendered tiles, in order. */
export function titles(page: Page): Promise<string[]> {
  return tiles(page)
    .locator('.pick')
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute('aria-label')!));
}

/** Records the searches that a page sends. */
export function watchSearches(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/api/v1/search') asked.push(searchParams.get('q')!);
  });
  return asked;
}

/** A picture for linked GIFs, which have no file. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export async function givePictures(page: Page): Promise<void> {
  await page.route(/\/p\//, (route: Route) => route.fulfill({ contentType: 'image/png', body: DOT }));
}

/** Returns the name of the focused element in the picker, or an empty string if no element has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.querySelector('gif-picker')!.shadowRoot!.activeElement;
    return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
  });
}

/** Returns the text that the picker announces to screen readers. */
export function said(page: Page): Promise<string> {
  return page.locator('gif-picker [role=status]').innerText();
}

/** Changes the GIFs of each list that the service returns. */
export async function changeGifs(page: Page, changes: (gif: Gif, n: number) => Partial<Gif>): Promise<void> {
  await page.route(/\/api\/v1\/search/, async (route) => {
    const response = await route.fetch();
    const list = (await response.json()) as SearchResponse;
    await route.fulfill({
      response,
      json: { ...list, items: list.items.map((gif, n) => ({ ...gif, ...changes(gif, n) })) },
    });
  });
}

export interface Heard {
  type: string;
  detail?: GifPick;
}

/** Records the picker's events as the embedding page receives them. */
export async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const events: object[] = [];
    Object.assign(window, { events });
    for (const type of ['gif-pick', 'gif-save', 'gif-close']) {
      document.addEventListener(type, (event) => {
        const { detail } = event as CustomEvent;
        events.push(detail === null ? { type } : { type, detail });
      });
    }
  });
}

export function heard(page: Page): Promise<Heard[]> {
  return page.evaluate(() => (window as unknown as { events: Heard[] }).events);
}
