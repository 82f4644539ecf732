import { brotliCompressSync } from 'node:zlib';
import { generateSecretKey } from 'nostr-tools/pure';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, type Language } from '../../packages/dashboard/src/words/language.ts';
import { ENGLISH, operatorsIn } from '../../packages/dashboard/src/words/operators.ts';
import type { Catalogue } from '../../packages/dashboard/src/words/texts.ts';
import { parts } from '../support/parts.ts';
import { violations } from './axe.ts';
import { launchBrowser } from './browser.ts';
import { Window } from './dashboard.ts';
import { fill } from './full-dashboard.ts';

const CONSOLE = 'catalogue queue clients jobs jobs/1 sources builds backups languages settings audit gifs/long.gif';

const UPLOADS = {
  uploads: (['processing', 'waiting', 'accepted', 'refused'] as const).map((state, n) => ({
    ...{ sha256: String(n).repeat(64), bytes: 1_000, format: 'gif' as const, at: 1_790_000_000_000, state, reason: '' },
  })),
  used: { files: 4, bytes: 4_000 },
  quota: { files: 50, bytes: 200_000_000 },
  maxFileBytes: 25_000_000,
};

describe.skipIf(!parts.chromium)('the dashboard', () => {
  let browser: Browser;
  let window: Window;
  let paths: string[];

  beforeAll(async () => {
    browser = await launchBrowser();
    window = await Window.open(browser);
    window.service.state.isOperator = true;
    window.service.state.uploads = UPLOADS;
    await window.signIn(generateSecretKey());
    const { id } = fill(window);
    const own = ['', '/access', '/usage', '/people', '/settings'].map((tab) => `/clients/${id}${tab}`);
    const unpaid = window.service.state.clients[1]!;
    const console = ['/review', ...CONSOLE.split(' ').map((name) => `/review/${name}`), `/review/clients/${id}`];
    paths = [
      '/',
      '/register',
      `/clients/${unpaid.id}/pay`,
      ...own,
      '/uploads',
      '/notices',
      '/sessions',
      '/nowhere',
      ...console,
    ];
  });

  afterAll(async () => {
    await window?.close();
    await browser?.close();
  });

  /** Chooses a language as the menu in the footer does, and opens each page. */
  async function* pagesIn(language: Language): AsyncGenerator<{ page: Page; path: string }> {
    const { page, service } = window;
    await window.context.addCookies([{ name: 'language', value: language, url: service.url }]);
    for (const path of paths) {
      await window.go(path);
      await page.waitForLoadState('networkidle');
      await page.locator('h1').first().waitFor();
      yield { page, path };
    }
  }

  it('has no English left in another language', async () => {
    const english = plainTexts(ENGLISH);
    for (const text of plainTexts(await operatorsIn('de'))) english.delete(text);
    expect(english.size).toBeGreaterThan(500);
    for await (const { page, path } of pagesIn('de')) {
      const shown = await textsOn(page);
      expect(shown.length, path).toBeGreaterThan(10);
      expect(
        shown.filter((text) => english.has(text)),
        path,
      ).toEqual([]);
    }
  });

  it.each(Object.keys(LANGUAGES) as Language[])(
    'loads at most 40 kB of JavaScript for its first page in %s',
    async (language) => {
      const context = await browser.newContext();
      await context.addCookies([{ name: 'language', value: language, url: window.service.url }]);
      const page = await context.newPage();
      const scripts: Promise<Buffer>[] = [];
      page.on('response', (response) => {
        if (new URL(response.url()).pathname.startsWith('/dashboard/') && response.url().endsWith('.js'))
          scripts.push(response.body());
      });
      await page.goto(`${window.service.url}/dashboard`);
      await page.locator(`html[lang=${language}] h1`).waitFor();
      const sizes = (await Promise.all(scripts)).map((script) => brotliCompressSync(script).length);
      expect(sizes).toHaveLength(language === 'en' ? 1 : 3);
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(40_000);
      await context.close();
    },
  );

  it('is mirrored and accessible in a right-to-left language', async () => {
    for await (const { page, path } of pagesIn('ar')) {
      const [lang, dir] = await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);
      expect([lang, dir], path).toEqual(['ar', 'rtl']);
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await violations(page), path).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(width);
      }
      const [brand, menu] = [page.locator('.top .brand'), page.locator('.top nav')];
      const [right, left] = [(await brand.boundingBox())!.x, (await menu.boundingBox())!.x];
      expect(right, path).toBeGreaterThan(left);
    }
  });
});

/** Returns the texts without values and markup. */
function plainTexts(texts: Catalogue): Set<string> {
  const forms = Object.values(texts).flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text)));
  return new Set(forms.filter((text) => !/[{[`*]/.test(text) && text.length > 2));
}

/** Returns what a page shows and what it tells screen readers. */
function textsOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (node instanceof Text) texts.push(node.data);
      if (!(node instanceof Element)) continue;
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(node.getAttribute(name) ?? '');
    }
    return texts.map((text) => text.trim().replaceAll(/\s+/g, ' ')).filter(Boolean);
  });
}
