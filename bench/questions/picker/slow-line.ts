// How soon do the results of a search and their stills appear on a slow line? (needs Chromium)
// quick: --rounds 1 --first
//
// The search page and the picker run in a window of 1280 x 800 pixels, each time with an empty cache, over a connection
// with 50 kB/s and a latency of 400 ms. A search is typed while the pictures of the opening view are still loading. The
// benchmark measures two times from the last letter on: until the results are shown, and until all stills in view have
// loaded. It also measures the bytes that arrive in that time. The baseline is the time in which the connection alone
// transfers these bytes. The GIFs are those of the starter catalogue, which takes minutes to draw. `--first` draws only
// its first 36 GIFs.

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { SearchResponse } from '../../../packages/client/src/index.ts';
import { renderStarter } from '../../../packages/starter/src/index.ts';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { addSources } from '../../../test/support/prepared-data.ts';
import { startServer, temporaryFolder } from '../../../test/support/server.ts';
import { median, option } from '../../support/load.ts';

const ROUNDS = option('rounds', 3);
const QUERIES = ['cat', 'happy', 'thank you'];
/** Speed of the connection, in bytes per second. */
const LINE = 50_000;
const LATENCY_MS = 400;
const LETTER_MS = 100;
const RESULTS_S = 2;
const STILLS_S = 6;
const KILOBYTES = 400;

/** One search. Times are in seconds since the last letter. */
interface Search {
  results: number;
  stills: number;
  bytes: number;
}

using folder = temporaryFolder();
const env = { ZOETROPE_EMBEDDER: 'none' };
const data = `${folder.path}/data`;
const part = process.argv.includes('--first') ? 'first' : undefined;
await addSources(data, [await renderStarter(`${folder.path}/starter`, { part })], env);
const server = await startServer(data, env);
const host = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(picker()));
host.listen(0, '127.0.0.1');
await once(host, 'listening');
const browser = await launchBrowser();
try {
  // The service makes previews on demand. They are made before anything is measured.
  for (const query of ['', ...QUERIES]) await makePreviews(query);
  const places = { page: server.url, picker: `http://localhost:${(host.address() as AddressInfo).port}` };
  for (const [name, url] of Object.entries(places)) {
    const searches: Search[] = [];
    for (let n = 0; n < ROUNDS; n++) for (const query of QUERIES) searches.push(await search(url, query));
    report(`${name}: results`, searches, ({ results }) => results, { unit: 's', target: RESULTS_S });
    report(`${name}: stills in view`, searches, ({ stills }) => stills, { unit: 's', target: STILLS_S });
    report(`${name}: bytes until then`, searches, ({ bytes }) => bytes / 1000, { unit: 'kB', target: KILOBYTES });
    report(`${name}: the line alone`, searches, ({ bytes }) => bytes / LINE + LATENCY_MS / 1000, { unit: 's' });
  }
} finally {
  await browser.close();
  host.close();
  await server.stop();
}

function picker(): string {
  return `<!doctype html><script type="module" src="${server.url}/gif-picker.js"></script>
<gif-picker service="${server.url}"></gif-picker>`;
}

async function makePreviews(query: string): Promise<void> {
  const response = await server.get(`/api/v1/search?q=${encodeURIComponent(query || 'gm')}&limit=100`);
  const { items } = (await response.json()) as SearchResponse;
  const previews = items.flatMap((gif) => Object.values(gif.previews));
  for (const address of new Set(previews.flatMap(({ still, animated }) => [still, animated]))) {
    if (address !== null) await (await fetch(address)).arrayBuffer();
  }
}

/** Types a search in a new window. */
async function search(url: string, query: string): Promise<Search> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const line = { offline: false, latency: LATENCY_MS, downloadThroughput: LINE, uploadThroughput: LINE };
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', line);
  let bytes = 0;
  devtools.on('Network.dataReceived', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const loaded = new Set<string>();
  page.on('requestfinished', (request) => loaded.add(request.url()));
  // The load event is not awaited, because it comes only after the motion of the opening view has loaded.
  await page.goto(url, { waitUntil: 'domcontentloaded' });
  const before = await untilStill(page);
  const box = page.getByRole('combobox', { name: 'Search GIFs' });
  await box.pressSequentially(query.slice(0, -1), { delay: LETTER_MS });
  const start = performance.now();
  const seconds = () => (performance.now() - start) / 1000;
  bytes = 0;
  await page.keyboard.press(query.at(-1)!);
  const stills = await untilResults(page, before);
  const results = seconds();
  while (!stills.every((still) => loaded.has(still))) await page.waitForEvent('requestfinished');
  const found = { results, stills: seconds(), bytes };
  await context.close();
  return found;
}

/** Waits until the first picture of the opening view has loaded. @returns the names of the shown GIFs */
async function untilStill(page: Page): Promise<string> {
  const names = await page.waitForFunction(() => {
    const root = document.querySelector('gif-picker')?.shadowRoot ?? document;
    const images = [...root.querySelectorAll<HTMLImageElement>('#tiles img, .tile img')];
    if (!images.some(({ complete, naturalWidth }) => complete && naturalWidth > 0)) return '';
    return [...root.querySelectorAll<HTMLElement>('#tiles a[title], .pick')].map(({ title }) => title).join('\n');
  });
  return names.jsonValue();
}

/** Waits until other GIFs are shown. @returns the URLs of the stills in view */
async function untilResults(page: Page, before: string): Promise<string[]> {
  const stills = await page.waitForFunction((old) => {
    const root = document.querySelector('gif-picker')?.shadowRoot ?? document;
    const names = [...root.querySelectorAll<HTMLElement>('#tiles a[title], .pick')].map(({ title }) => title);
    if (names.length === 0 || names.join('\n') === old) return undefined;
    const bottom = root.querySelector('.scroll')?.getBoundingClientRect().bottom ?? innerHeight;
    return [...root.querySelectorAll<HTMLImageElement>('#tiles img, .tile img')]
      .filter((image) => image.getBoundingClientRect().top < bottom)
      .map(({ src, dataset }) => dataset['still'] ?? src)
      .filter((still) => !still.startsWith('data:'));
  }, before);
  return (await stills.jsonValue()) ?? [];
}

function report(
  what: string,
  searches: readonly Search[],
  of: (search: Search) => number,
  { unit, target }: { unit: string; target?: number },
): void {
  const values = searches.map(of);
  const most = Math.max(...values);
  const verdict = target === undefined ? '      ' : most <= target ? 'met   ' : 'MISSED';
  const aim = target === undefined ? '' : ` (target ${target})`;
  console.log(
    `${verdict} ${what}: median ${median(values).toFixed(1)} ${unit}, at most ${most.toFixed(1)} ${unit}${aim}`,
  );
}
