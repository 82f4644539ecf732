// How soon does the picker show its first previews, and does it scroll smoothly? (needs Chromium)
//
// Each opening is a new window with an empty cache, over loopback, with the service's own /gif-picker.js. The benchmark
// measures the time from the last byte of the response until the first preview is painted, and until all visible
// previews are painted. The picker opens in a loaded page, like after a click. It also opens while the page itself
// loads. Then 200 GIFs are scrolled through.

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { writeTilesWith } from '../../../test/e2e/tiles.ts';
import { addSources } from '../../../test/support/prepared-data.ts';
import { startServer, temporaryFolder } from '../../../test/support/server.ts';
import { median, option } from '../../support/load.ts';
import { percentile } from '../../support/measure.ts';

const OPENINGS = option('openings', 30);
const GIFS = 200;
const FIRST_MS = 150;
const TASK_MS = 50;
/** Pixels per step, at the speed of a fast finger, about five screens per second. */
const STEP_PX = 36;

/** The times of one opening, in milliseconds. */
interface Opening {
  /** Time from opening until the first preview. The other times start at the response. */
  open: number;
  first: number;
  inView: number;
}

interface Scroll {
  frames: number[];
  longTasks: number[];
  tiles: number;
}

using folder = temporaryFolder();
const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_TEST_ANSWER_CACHE_BYTES: '0' };
const data = `${folder.path}/data`;
await addSources(data, await writeTilesWith(GIFS, folder.path), env);
const server = await startServer(data, env);
const host = http.createServer((_, response) => response.setHeader('content-type', 'text/html').end(page(server.url)));
host.listen(0, '127.0.0.1');
await once(host, 'listening');
const browser = await launchBrowser();
try {
  const openings: Record<'later' | 'atOnce', Opening[]> = { later: [], atOnce: [] };
  for (let n = 0; n < OPENINGS; n++) {
    openings.later.push(await inNewWindow(openLater));
    openings.atOnce.push(await inNewWindow(open, '#at-once'));
  }
  const names = { later: 'opened in a page', atOnce: 'opened with the page' };
  for (const when of ['later', 'atOnce'] as const) {
    const of = (what: keyof Opening) => openings[when].map((opening) => opening[what]);
    report(`${names[when]}: first preview after the response`, of('first'), FIRST_MS);
    report(`${names[when]}: all previews in view`, of('inView'));
    report(`${names[when]}: first preview after opening`, of('open'));
  }
  const { frames, longTasks, tiles } = await inNewWindow(scroll, '#at-once');
  console.log(`scrolling ${tiles} GIFs: ${frames.length} frames`);
  report('a frame', frames);
  const longest = Math.max(0, ...longTasks);
  const verdict = longest <= TASK_MS ? 'met   ' : 'MISSED';
  console.log(
    `${verdict} longest task ${longest.toFixed(0)} ms, ${longTasks.length} over ${TASK_MS} (target ${TASK_MS})`,
  );
} finally {
  await browser.close();
  host.close();
  await server.stop();
}

function page(service: string): string {
  return `<!doctype html><style>gif-picker { width: 600px; height: 440px }</style>
<script type="module">
  import '${service}/gif-picker.js';
  const picker = document.createElement('gif-picker');
  picker.topics = [{ label: 'Good morning', query: 'gm' }];
  picker.setAttribute('service', '${service}');
  globalThis.openPicker = () => {
    performance.mark('open');
    document.body.append(picker);
  };
  if (location.hash === '#at-once') openPicker();
</script>`;
}

async function inNewWindow<Result>(act: (page: Page) => Promise<Result>, hash = ''): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 640, height: 480 } });
  const { port } = host.address() as AddressInfo;
  const window = await context.newPage();
  await window.goto(`http://localhost:${port}/${hash}`);
  const result = await act(window);
  await context.close();
  return result;
}

/** Opens the picker in a page that has finished loading. */
async function openLater(window: Page): Promise<Opening> {
  await window.evaluate(async () => {
    await new Promise((done) => requestIdleCallback(done));
    (globalThis as unknown as { openPicker(): void }).openPicker();
  });
  return open(window);
}

function open(window: Page): Promise<Opening> {
  return window.evaluate(async () => {
    const painted = () =>
      new Promise<number>((done) => requestAnimationFrame(() => setTimeout(() => done(performance.now()))));
    const picker = document.querySelector('gif-picker')!;
    const pictures = () => {
      const { bottom } = picker.getBoundingClientRect();
      const images = [...(picker.shadowRoot?.querySelectorAll<HTMLImageElement>('.tile img') ?? [])];
      return images.filter((image) => image.getBoundingClientRect().top < bottom);
    };
    const isThere = ({ complete, naturalWidth }: HTMLImageElement) => complete && naturalWidth > 0;
    while (!pictures().some(isThere)) await painted();
    const first = await painted();
    while (!pictures().every(isThere)) await painted();
    const inView = await painted();
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    const { responseEnd } = entries.find(({ name }) => name.includes('/api/v1/search'))!;
    const { startTime } = performance.getEntriesByName('open')[0]!;
    return { open: first - startTime, first: first - responseEnd, inView: inView - responseEnd };
  });
}

async function scroll(window: Page): Promise<Scroll> {
  await open(window);
  return window.evaluate(async (step) => {
    const root = document.querySelector('gif-picker')!.shadowRoot!;
    const scroller = [...root.querySelectorAll('*')].find((each) => each.scrollHeight > each.clientHeight + 100)!;
    const longTasks: number[] = [];
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    });
    observer.observe({ type: 'longtask' });
    const frames: number[] = [];
    let tiles = 0;
    let last = performance.now();
    for (let still = 0; still < 60; ) {
      const before = scroller.scrollTop;
      scroller.scrollTop += step;
      await new Promise(requestAnimationFrame);
      const now = performance.now();
      frames.push(now - last);
      last = now;
      still = scroller.scrollTop === before ? still + 1 : 0;
      for (const tile of root.querySelectorAll('.tile'))
        tiles = Math.max(tiles, Number(tile.getAttribute('aria-posinset')));
    }
    return { frames, longTasks, tiles };
  }, STEP_PX);
}

function report(what: string, values: readonly number[], target?: number): void {
  const sorted = values.toSorted((a, b) => a - b);
  const [middle, most] = [median(sorted), percentile(sorted, 0.95)];
  const verdict = target === undefined ? '      ' : most <= target ? 'met   ' : 'MISSED';
  const aim = target === undefined ? '' : ` (target ${target})`;
  console.log(`${verdict} ${what}: median ${middle.toFixed(1)} ms, 95 % within ${most.toFixed(1)} ms${aim}`);
}
