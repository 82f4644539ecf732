// How long does an operator wait for a page of the console, and does that depend on the size of the catalogue?
// quick: --sizes 100,2000 --rounds 1

/*
 *   npm run bench console [--sizes 1000,1000000] [--rounds 3]
 *
 * A catalogue of linked GIFs is added and built. Then an operator signs in, the service starts again, and each page is
 * opened in Chromium, which fetches nothing from other hosts. The figure is the largest contentful paint, in
 * milliseconds from the navigation. The settings are the defaults, except that there are no models, and links are not
 * probed. Nobody fetches the pictures, because no host has them.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { installSigner } from '../../../test/e2e/dashboard.ts';
import { freePort, startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { corpusDocument } from '../../support/corpus.ts';
import { percentileOf } from '../../support/measure.ts';

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,1000000' }, rounds: { type: 'string', default: '3' } },
});
const SIZES = values.sizes.split(',').map(Number);
const ROUNDS = Number(values.rounds);
const TARGET_MS = 1_500;
/** The pages, the overview first, each with a part that it shows only when its data have arrived. */
const PAGES = [
  ['/review', '.figures'],
  ['/review/catalogue', '.tile'],
  ['/review/queue', '.card, article'],
  ['/review/jobs', '.row, .card'],
  ['/review/sources', '.card'],
  ['/review/builds', 'table'],
  ['/review/clients', '.card'],
  ['/review/audit', '.card, table'],
] as const;
const ENV = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: '2' };

const operator = generateSecretKey();
const rows: { page: string; figures: number[][] }[] = PAGES.map(([page]) => ({ page, figures: SIZES.map(() => []) }));
for (const size of SIZES) await measure(size);

console.log(`${'page'.padEnd(20)} ${SIZES.map((size) => `${size} GIFs`.padStart(16)).join(' ')}`);
for (const { page, figures } of rows) {
  const cells = figures.map((each) =>
    `${percentileOf(each, 0.5).toFixed(0)} ms, first ${each[0]!.toFixed(0)}`.padStart(22),
  );
  const isMissed = figures.some((each) => Math.max(...each) > TARGET_MS);
  console.log(`${page.padEnd(20)} ${cells.join(' ')} ${isMissed ? ` MISSED (${TARGET_MS} ms)` : ''}`);
}

async function measure(size: number): Promise<void> {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const added = await zoetrope(data, ['add', '--quiet', writeCatalogue(folder.path, size)], ENV);
  if (added.code !== 0) throw new Error(added.stderr);
  const env = { ...ENV, ZOETROPE_ADMINS: getPublicKey(operator), ZOETROPE_PORT: `${await freePort()}` };
  const browser = await launchBrowser();
  try {
    const page = await signIn(browser, data, env);
    await using server = await startServer(data, env);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [n, [route, part]] of PAGES.entries()) {
        const { figures } = rows[n]!;
        figures[SIZES.indexOf(size)]!.push(await paintOf(page, `${server.url}/dashboard${route}`, part));
      }
    }
  } finally {
    await browser.close();
  }
}

function writeCatalogue(folder: string, size: number): string {
  const file = path.join(folder, 'rows.jsonl');
  const out = fs.openSync(file, 'w');
  for (let i = 0; i < size; i++) {
    const { id, title, tags, popularity } = corpusDocument(i);
    const row = { id, title, tags, popularity, url: `https://gifs.invalid/${id}`, width: 480, height: 270 };
    fs.writeSync(out, `${JSON.stringify(row)}\n`);
  }
  fs.closeSync(out);
  return file;
}

/** Signs in at a service, which then ends. The measured service starts without anything in memory. */
async function signIn(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  data: string,
  env: Record<string, string>,
): Promise<Page> {
  await using server = await startServer(data, env);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await installSigner(context, operator);
  const page = await context.newPage();
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole('button', { name: 'Sign in with extension' }).click();
  await page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor();
  return page;
}

/** Opens a page until it shows a part, and returns its largest contentful paint. */
async function paintOf(page: Page, url: string, part: string): Promise<number> {
  await page.goto('about:blank');
  await page.goto(url);
  await page.locator(part).first().waitFor();
  // A paint is reported with the frame after it.
  await page.waitForTimeout(500);
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)!.startTime));
        observer.observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
}
