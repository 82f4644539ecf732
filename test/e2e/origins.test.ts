import fs from 'node:fs';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { writeOne } from '../support/catalogues.ts';
import { parts } from '../support/parts.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { Pages } from './pages.ts';

/** The facts that a page can see of a response or of a failed request. */
interface Seen {
  failed?: string;
  status?: number;
  type?: string;
  body?: string;
  headers?: Record<string, string>;
}

interface Options {
  method?: string;
  mode?: 'no-cors';
  headers?: Record<string, string>;
}

const SEARCH = '/api/v1/search?q=dog';
/** Everything that a page sees of a request that was not admitted. */
const NOTHING = { failed: 'TypeError: Failed to fetch' };
/** The User-Agent of an app that loads its pages from files. */
const AGENT = 'WispApp/1.0 (browser inside)';

describe.skipIf(!parts.chromium || !parts.openssl)('pages', () => {
  const folder = temporaryFolder();
  const data = `${folder.path}/data`;
  let browser: Browser;
  let server: Server;
  let pages: Pages;

  beforeAll(async () => {
    await prepareData(inject('prepared'), folder.path, writeOne);
    pages = await Pages.start(folder.path);
    const { port } = pages;
    const origins = ['--origin', `https://app.example:${port}`, `https://*.wild.example:${port}`];
    const { id } = JSON.parse(await command('client', 'add', 'Wisp', ...origins, '--json')) as { id: string };
    await command('user-agent', 'add', id, 'WispApp/*');
    const env = { ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATES: '' };
    [browser, server] = await Promise.all([launchBrowser('*.example'), startServer(data, env)]);
    pages.serviceUrl = server.url;
  });

  afterEach(async () => {
    await closeWindows(browser);
    pages.sent.length = 0;
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    await pages?.stop();
    folder[Symbol.dispose]();
  });

  async function command(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await zoetrope(data, args, { ZOETROPE_EMBEDDER: 'none' });
    expect(code, stderr).toBe(0);
    return stdout;
  }

  async function open(address: string, userAgent?: string): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true, ...(userAgent ? { userAgent } : {}) });
    const page = await context.newPage();
    await page.goto(address);
    return page;
  }

  const openHost = (host: string) => open(`https://${host}:${pages.port}/`);

  /** Calls the service and returns what a script on the page sees. */
  function ask(page: Page | Frame, path = SEARCH, options: Options = {}): Promise<Seen> {
    return page.evaluate(
      async ({ url, init }): Promise<Seen> => {
        try {
          const response = await fetch(url, init);
          const headers = Object.fromEntries(response.headers);
          return { status: response.status, type: response.type, body: await response.text(), headers };
        } catch (error) {
          return { failed: String(error) };
        }
      },
      { url: pages.api + path, init: options },
    );
  }

  test('of a registered origin read responses, errors and rate limits', async () => {
    const page = await openHost('app.example');
    const { status, type, body, headers } = await ask(page);
    expect([status, type]).toEqual([200, 'cors']);
    expect(JSON.parse(body!)).toMatchObject({ q: 'dog', count: 1 });
    expect(headers).toMatchObject({ 'ratelimit-policy': '"search";q=6000;w=60' });
    expect(headers!['ratelimit']).toMatch(/^"search";r=\d+;t=\d+$/);
    expect(pages.sent).toEqual([{ method: 'GET', origin: `https://app.example:${pages.port}`, status: 200 }]);
    for (const [path, code, wanted] of [
      ['/api/v1/search?q=', 'validation', 400],
      ['/api/v1/search?q=dog&safe=0', 'adult_not_allowed', 403],
      ['/api/v1/gifs/cat.gif/similar', 'not_found', 404],
      ['/api/v1/search?q=dog&mode=semantic', 'embedder_unavailable', 503],
    ] as const) {
      const seen = await ask(page, path);
      expect(seen.status).toBe(wanted);
      expect(JSON.parse(seen.body!)).toMatchObject({ error: { code } });
      if (wanted === 503) expect(seen.headers).toHaveProperty('retry-after');
    }
    expect(await ask(page, SEARCH, { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
  });

  test('of other origins see neither status nor body', async () => {
    const page = await openHost('stranger.example');
    for (const path of [SEARCH, '/api/v1/suggest?q=dog', '/api/v1/gifs/dog.gif/similar']) {
      expect(await ask(page, path)).toEqual(NOTHING);
      expect(pages.sent.at(-1)).toMatchObject({ origin: `https://stranger.example:${pages.port}`, status: 403 });
    }
    // The mode `no-cors` reveals nothing more.
    expect(await ask(page, SEARCH, { mode: 'no-cors' })).toEqual({ status: 0, type: 'opaque', body: '', headers: {} });
  });

  test('below a registered wildcard are admitted at any depth, but not the domain itself', async () => {
    for (const host of ['a.wild.example', 'a.b.wild.example']) {
      expect(await ask(await openHost(host)), host).toMatchObject({ status: 200 });
    }
    for (const host of ['wild.example', 'notwild.example']) {
      expect(await ask(await openHost(host)), host).toEqual(NOTHING);
    }
  });

  test('of this machine are the development client', async () => {
    for (const host of ['localhost', '127.0.0.1']) {
      const page = await open(`http://${host}:${pages.plainPort}/`);
      expect(await ask(page), host).toMatchObject({
        status: 200,
        headers: { 'ratelimit-policy': '"search";q=1200;w=60' },
      });
    }
    expect(await ask(await openHost('localhost'))).toMatchObject({ status: 200 });
  });

  test('with an opaque origin send "null" and are identified by their User-Agent', async () => {
    const file = `${folder.path}/page.html`;
    fs.writeFileSync(file, '<!doctype html><title>A file</title>');
    const sandbox = async (userAgent?: string) => {
      const page = await open(`https://app.example:${pages.port}/`, userAgent);
      await page.evaluate(() => {
        const frame = Object.assign(document.createElement('iframe'), { srcdoc: '<p>Inside', id: 'inside' });
        frame.sandbox.add('allow-scripts');
        document.body.append(frame);
        return new Promise((resolve) => frame.addEventListener('load', resolve));
      });
      return page.frames()[1]!;
    };
    for (const opened of [sandbox, (userAgent?: string) => open(`file://${file}`, userAgent)]) {
      expect(await ask(await opened())).toEqual(NOTHING);
      expect(await ask(await opened(AGENT))).toMatchObject({ status: 200 });
    }
    expect(pages.sent).toEqual([403, 200, 403, 200].map((status) => ({ method: 'GET', origin: 'null', status })));
  });

  test('that try to send a key fail at the preflight', async () => {
    const headers = { authorization: 'Bearer zoe_key' };
    for (const [host, status] of [
      ['app.example', 204],
      ['stranger.example', 403],
    ] as const) {
      const page = await openHost(host);
      for (const options of [{ headers }, { headers: { 'x-client': 'Wisp' } }, { method: 'PUT' }]) {
        expect(await ask(page, SEARCH, options)).toEqual(NOTHING);
        expect(pages.sent.splice(0)).toEqual([{ method: 'OPTIONS', origin: new URL(page.url()).origin, status }]);
      }
    }
  });

  test('of unknown origins cannot see that the registry is down, and those of known origins still work', async () => {
    const [known, unknown] = [await openHost('app.example'), await openHost('new.example')];
    expect(await ask(known)).toMatchObject({ status: 200 });
    const db = openDatabase(`${data}/zoetrope.db`);
    await db.schema.alterTable('origins').renameTo('origins_gone').execute();
    expect(await ask(unknown)).toEqual(NOTHING);
    expect(pages.sent.at(-1)).toMatchObject({ status: 503 });
    expect(await ask(known)).toMatchObject({ status: 200 });
    await db.schema.alterTable('origins_gone').renameTo('origins').execute();
    await db.destroy();
  });
});
