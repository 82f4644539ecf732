import { once } from 'node:events';
import http from 'node:http';
import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { freePort, type Server, temporaryFolder } from '../support/server.ts';
import { closeWindows, launchBrowser } from './browser.ts';
import { installSigner, SOON } from './dashboard.ts';
import { servePage } from './tile-service.ts';
import { FIRES, writeTiles } from './tiles.ts';

const PATH = '/gifs';

/** A proxy with another site at its root. It removes PATH from requests for the service. */
function createProxy(port: number, outside: string[]): http.Server {
  return http.createServer((request, response) => {
    const url = request.url!;
    if (url !== PATH && !url.startsWith(`${PATH}/`)) {
      outside.push(`${request.method} ${url}`);
      response.writeHead(404).end();
      return;
    }
    const { method, headers } = request;
    const passed = http.request({ host: '127.0.0.1', port, method, path: url.slice(PATH.length) || '/', headers });
    passed.on('response', (answer) => answer.pipe(response.writeHead(answer.statusCode!, answer.headers)));
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
}

describe.skipIf(!parts.chromium)('a service below a path of another site', () => {
  const folder = temporaryFolder();
  /** Requests that left the path. */
  const outside: string[] = [];
  let proxy: http.Server;
  let browser: Browser;
  let server: Server;

  beforeAll(async () => {
    const [port, front] = [await freePort(), await freePort()];
    proxy = createProxy(port, outside).listen(front, '127.0.0.1');
    await once(proxy, 'listening');
    const env = {
      ZOETROPE_PORT: `${port}`,
      ZOETROPE_PUBLIC_URL: `http://127.0.0.1:${front}${PATH}/`,
      ZOETROPE_TRUST_PROXY: '1',
      ZOETROPE_EMBEDDER: 'none',
    };
    [browser, server] = await Promise.all([launchBrowser(), servePage(folder.path, env, { write: writeTiles })]);
    expect(server.url).toBe(`http://127.0.0.1:${front}${PATH}`);
  });

  afterEach(async () => {
    expect(outside.splice(0)).toEqual([]);
    await closeWindows(browser);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.stop();
    proxy?.closeAllConnections();
    proxy?.close();
    folder[Symbol.dispose]();
  });

  async function open(path: string): Promise<Page> {
    const context = await browser.newContext();
    await installSigner(context, generateSecretKey());
    const page = await context.newPage();
    await page.goto(server.url + path);
    return page;
  }

  const pathOf = (page: Page) => {
    const { pathname, search } = new URL(page.url());
    return pathname + search;
  };

  it('has a search page whose searches, topics, pictures and reports stay below the path', async () => {
    const page = await open('/');
    await page.getByRole('combobox', { name: 'Search GIFs' }).pressSequentially('fire');
    await page.getByText(`${FIRES} GIFs for “fire”`).waitFor(SOON);
    expect(pathOf(page)).toBe(`${PATH}/?q=fire`);
    const loaded = () =>
      page
        .locator('#tiles img')
        .evaluateAll((all) => all.some((image) => (image as HTMLImageElement).naturalWidth > 0));
    await expect.poll(loaded, SOON).toBe(true);
    await page.getByRole('link', { name: 'coffee' }).click();
    await page.waitForURL(`**${PATH}/?q=coffee`);
    await page.goBack();
    await page.locator('#tiles a').first().click();
    await page.locator('#viewer h1').waitFor(SOON);
    expect(pathOf(page)).toMatch(new RegExp(`^${PATH}/g/`));
    await page.reload();
    await page.getByText('Report', { exact: true }).first().click();
    await page.getByLabel('It is illegal').check();
    await page.getByRole('button', { name: 'Report' }).click();
    await page.getByText('Your report was received').waitFor(SOON);
    await page.getByText('Language: English').click();
    await page.getByRole('link', { name: 'Deutsch' }).click();
    await page.getByText('Sprache: Deutsch').waitFor(SOON);
    expect(pathOf(page)).toMatch(new RegExp(`^${PATH}/g/`));
    await page.getByRole('link', { name: 'Zoetrope', exact: true }).click();
    await page.waitForURL(`**${PATH}/`);
  });

  it('has pages for developers with a working picker and console', async () => {
    const page = await open('/developers');
    await page.getByRole('combobox', { name: 'Search GIFs' }).fill('fire');
    await page.keyboard.press('Enter');
    await page.locator('gif-picker .pick').first().waitFor(SOON);
    for (const name of await page.locator('nav[aria-label=Pages] a').allTextContents()) {
      await page.goto(`${server.url}/developers`);
      await page.locator('nav[aria-label=Pages]').getByRole('link', { name, exact: true }).click();
      await page.locator('h1').first().waitFor(SOON);
    }
    await page.goto(`${server.url}/developers/api`);
    const form = page.locator('.console').first();
    await form.getByLabel('q').fill('fire');
    await form.getByRole('button').click();
    await form.locator('output pre').getByText('200 in').waitFor(SOON);
  });

  it('has a dashboard in which people sign in, register and follow links', async () => {
    const page = await open('/dashboard');
    await page.getByRole('button', { name: 'Sign in with extension' }).click();
    await page.getByRole('heading', { name: 'Your clients', exact: true }).waitFor(SOON);
    await page.getByRole('link', { name: 'Register a client' }).click();
    await page.getByRole('heading', { level: 1, name: /register/i }).waitFor(SOON);
    expect(pathOf(page)).toBe(`${PATH}/dashboard/register`);
    await page.reload();
    await page.getByRole('link', { name: 'Sessions' }).click();
    expect(pathOf(page)).toBe(`${PATH}/dashboard/sessions`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with Nostr' }).waitFor(SOON);
    expect(pathOf(page)).toMatch(/^\/gifs\/dashboard\/?$/);
  });
});
