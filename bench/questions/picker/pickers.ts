// What does our picker cost a page, and which users can it serve, compared with other pickers?
//
// Our picker, GIPHY's search experience and gif-picker-react run in a real browser. Vite builds each one as
// in an app. Stubs return the same GIFs to all pickers. `npm ci --prefix tools/pickers` installs the two other pickers.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import axe from 'axe-core';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { APP, answer } from '../../support/picker-stubs.ts';

const WORDS = 'good morning';
/** Milliseconds between two letters, for people who type fast and for those who type slowly. */
const HASTE = [150, 400];
/** A picker has finished loading when it has sent no request for this time. */
const QUIET_MS = 2_500;
const MOST_KEYS = 80;
const REACT = ['react', 'react/jsx-runtime', 'react-dom', 'react-dom/client'];

interface Picker {
  name: string;
  file: string;
  tile: string;
  field: string;
}

/** A picker in the page of an app. */
interface App extends Picker {
  script: string;
}

const PICKERS: readonly Picker[] = [
  { name: 'gif-picker', file: 'zoetrope.js', tile: 'gif-picker .pick', field: 'gif-picker input' },
  { name: '@giphy/react-components', file: 'giphy.js', tile: 'a.giphy-gif', field: '#app input' },
  { name: 'gif-picker-react', file: 'tenor.js', tile: 'button.gpr-result-image', field: '#app input' },
];

const folder = path.join(import.meta.dirname, '../../../tools/pickers');
if (!fs.existsSync(path.join(folder, 'node_modules'))) {
  console.error('the other pickers are not installed; run: npm ci --prefix tools/pickers');
  process.exit(1);
}
const vite = await loadVite();
const browser = await launchBrowser();
const columns: Record<string, string>[] = [];
for (const picker of PICKERS) {
  const script = await bundle(picker.file, []);
  const app = { ...picker, script };
  columns.push({
    '': picker.name,
    'script without React, kB of Brotli': kilobytes(await bundle(picker.file, REACT)),
    'script with the parts of React it uses, kB': kilobytes(script),
    ...(await countRequests(app)),
    ...(await measureShifts(app)),
    ...(await useKeyboard(app)),
    ...(await readNames(app)),
    ...(await changeSettings(app)),
  });
}
await browser.close();
for (const name of Object.keys(columns[0]!)) {
  console.log([name.padEnd(44), ...columns.map((column) => column[name]!.padEnd(30))].join(' ').trimEnd());
}

interface Vite {
  build(options: object): Promise<{ output: { code?: string }[] }>;
}

async function loadVite(): Promise<Vite> {
  const require = createRequire(path.resolve('tools/web/package.json'));
  return (await import(require.resolve('vite'))) as Vite;
}

async function bundle(file: string, external: string[]): Promise<string> {
  const { output } = await vite.build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['zoetrope', 'browser', 'module', 'import', 'default'] },
    build: { write: false, target: 'es2022', rollupOptions: { input: path.join(folder, file), external } },
  });
  return output.map(({ code }) => code ?? '').join('');
}

function kilobytes(script: string): string {
  return (brotliCompressSync(script).length / 1000).toFixed(1);
}

interface Visit {
  page: Page;
  /** Returns the requests since the last call. Requests for the app itself are left out. */
  take(): Asked[];
}

interface Asked {
  host: string;
  kind: 'answer' | 'picture' | 'report';
  /** The number of the GIF that this URL shows. */
  gif: string | undefined;
  /** Whether the request identifies the browser. */
  isNamed: boolean;
}

/** Opens a page with the picker, and waits until the requests at opening have finished. */
async function visit(app: App, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 640, height: 600 }, ...options });
  const page = await context.newPage();
  let asked: Asked[] = [];
  const seen = new Set<string>();
  page.on('request', (request) => {
    const { host, href, pathname } = new URL(request.url());
    if (!href.startsWith(APP) && !href.startsWith('data:')) {
      const isPicture = /\.(gif|png)$/.test(pathname);
      // Repeated pictures are not counted. They would come from the browser's cache, which interception turns off.
      if (isPicture && seen.has(href)) return;
      seen.add(href);
      const isReport = request.method() === 'POST' || pathname.endsWith('/registershare');
      const kind = isReport ? 'report' : isPicture ? 'picture' : 'answer';
      asked.push({
        host,
        kind,
        gif: /(\d+)\.gif$/.exec(pathname)?.[1],
        isNamed: /pingback_id|"user_id"/.test(href + (request.postData() ?? '')),
      });
    }
  });
  await page.route('**/*', (route) => answer(route, app.script));
  await page.addInitScript(noteShifts);
  await page.goto(APP);
  await page.locator(app.field).waitFor();
  await quiet(page);
  const take = () => {
    const taken = asked;
    asked = [];
    return taken;
  };
  return { page, take };
}

async function quiet(page: Page): Promise<void> {
  await page.waitForTimeout(QUIET_MS);
}

async function search(app: App, page: Page, delay: number): Promise<void> {
  await page.locator(app.field).focus();
  await page.keyboard.type(WORDS, { delay });
  await quiet(page);
  await page.locator(app.tile).first().waitFor();
}

async function scroll(page: Page, pixels: number): Promise<void> {
  await page.mouse.move(300, 400);
  for (let turn = 0; turn < pixels / 300; turn++) {
    await page.mouse.wheel(0, 300);
    await page.waitForTimeout(100);
  }
  await quiet(page);
}

async function countRequests(app: App): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const hosts = new Set<string>();
  let named = 0;
  const count = (asked: Asked[]) => {
    for (const { host } of asked) hosts.add(host);
    named += asked.filter(({ isNamed }) => isNamed).length;
    const of = (kind: Asked['kind']) => asked.filter((one) => one.kind === kind).length;
    return `${of('answer')} + ${of('picture')} + ${of('report')}`;
  };
  for (const delay of HASTE) {
    const { page, take } = await visit(app);
    found['answers + pictures + reports: opening'] = count(take());
    await search(app, page, delay);
    found[`a search, ${delay} ms a letter`] = count(take());
    await scroll(page, 3_000);
    found['scrolling on by 3,000 pixels'] = count(take());
    await page
      .locator(app.tile)
      .last()
      .evaluate((tile) => (tile as HTMLElement).click());
    await quiet(page);
    found['picking'] = count(take());
    await page.context().close();
  }
  return { ...found, 'hosts asked': [...hosts].join(' '), 'requests that identify the browser': String(named) };
}

async function measureShifts(app: App): Promise<Record<string, string>> {
  const { page, take } = await visit(app);
  take();
  await search(app, page, HASTE[0]!);
  await scroll(page, 15_000);
  const gifs = new Set(take().flatMap(({ gif }) => gif ?? []));
  const shifts = await page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
  const tiles = await page.locator(app.tile).count();
  await page.context().close();
  return {
    'cumulative layout shift': worstWindow(shifts).toFixed(3),
    'different GIFs seen in 15,000 pixels': String(gifs.size),
    'tiles in the page at the end': String(tiles),
  };
}

/**
 * Returns the layout shift of the worst window, as browsers report it. A window ends after a second without shifts or
 * after five seconds.
 */
function worstWindow(shifts: readonly Shift[]): number {
  let [worst, sum, start, last] = [0, 0, 0, 0];
  for (const { value, startTime, hadRecentInput } of shifts) {
    if (hadRecentInput) continue;
    if (startTime - last > 1_000 || startTime - start > 5_000) [sum, start] = [0, startTime];
    last = startTime;
    sum += value;
    worst = Math.max(worst, sum);
  }
  return worst;
}

interface Shift {
  value: number;
  startTime: number;
  hadRecentInput: boolean;
}

function noteShifts(): void {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push(entry as unknown as Shift);
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Opens, searches, moves and picks with the keyboard only. */
async function useKeyboard(app: App): Promise<Record<string, string>> {
  const { page } = await visit(app);
  await page.keyboard.type(WORDS, { delay: HASTE[0]! });
  await quiet(page);
  const isTyped = (await page.locator(app.field).inputValue()) === WORDS;
  const focused = () => focusedTile(page, app.tile);
  await page.keyboard.press('Enter');
  await page.locator(app.tile).first().waitFor();
  await page.keyboard.press('ArrowDown');
  const byArrow = (await focused()) >= 0;
  const tabs = byArrow ? 0 : await press(page, 'Tab', async () => (await focused()) >= 0);
  const first = await focused();
  await page.keyboard.press('ArrowRight');
  const moved = (await focused()) !== first;
  await page.keyboard.press('Enter');
  const isPicked = await page.evaluate(() => 'picked' in window);
  const out = await press(page, 'Tab', async () => !(await isWithinTiles(page, app.tile)));
  await page.context().close();
  return {
    'after opening, typing goes into the search field': yes(isTyped),
    'from the field to the first GIF': byArrow ? 'an arrow key' : `Tab, ${tabs} times`,
    'arrow keys among GIFs': yes(moved),
    'Enter picks': yes(isPicked),
    'Tab presses to get past the GIFs': out > MOST_KEYS ? `more than ${MOST_KEYS}` : String(out),
  };
}

function yes(is: boolean): string {
  return is ? 'yes' : 'no';
}

/** @returns the number of key presses until `isDone`, or the maximum plus one if this was not reached */
async function press(page: Page, key: string, isDone: () => Promise<boolean>): Promise<number> {
  for (let times = 1; times <= MOST_KEYS; times++) {
    await page.keyboard.press(key);
    if (await isDone()) return times;
  }
  return MOST_KEYS + 1;
}

/** Returns the index of the focused tile, or -1 if there is none. */
function focusedTile(page: Page, tile: string): Promise<number> {
  return page.locator(tile).evaluateAll((tiles) => tiles.findIndex((one) => one.matches(':focus')));
}

/** Returns whether a tile, or a button on a tile, has the focus. */
function isWithinTiles(page: Page, tile: string): Promise<boolean> {
  return page
    .locator(tile)
    .evaluateAll((tiles) => tiles.some((one) => (one.closest('.tile') ?? one).matches(':focus-within')));
}

/** Returns the information that screen readers get. */
async function readNames(app: App): Promise<Record<string, string>> {
  const { page } = await visit(app);
  await search(app, page, HASTE[0]!);
  const field = await page.locator(app.field).ariaSnapshot();
  const all = await page.locator(app.tile).all();
  const tiles = await Promise.all(all.slice(0, 10).map((tile) => tile.ariaSnapshot()));
  const named = tiles.filter((tile) => /^- (button|link) "./.test(tile));
  const said = await page.locator('[role=status], [role=alert], [aria-live]').allInnerTexts();
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run('#app', { resultTypes: ['violations'] }),
  );
  await page.context().close();
  return {
    'the field is': field.replaceAll('\n', ' ').slice(2, 32),
    'GIFs with a name, of ten': String(named.length),
    'the first of them': (tiles[0] ?? '').split('\n')[0]!.slice(2, 32),
    'announced after a search': said.filter(Boolean).join(' ') || 'nothing',
    'violations that axe finds': violations.map(({ id, nodes }) => `${id} ${nodes.length}`).join(', ') || 'none',
  };
}

/** Returns whether the picker respects the device's settings. */
async function changeSettings(app: App): Promise<Record<string, string>> {
  const calm = await visit(app, { reducedMotion: 'reduce' });
  await search(app, calm.page, HASTE[0]!);
  const shown = await calm.page
    .locator(app.tile)
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).currentSrc));
  await calm.page.context().close();
  const colours: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await visit(app, { colorScheme });
    colours.push(await page.locator(app.field).evaluate((field) => getComputedStyle(field).color));
    await page.context().close();
  }
  return {
    'GIFs that move despite reduced motion': String(shown.filter((address) => address.endsWith('.gif')).length),
    'dark if the device is dark': yes(colours[0] !== colours[1]),
  };
}
