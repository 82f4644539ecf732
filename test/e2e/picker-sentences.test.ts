import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { GifPick } from '../../packages/picker/src/picker.ts';
import { sentence } from '../conformance/sentence.ts';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { ELSEWHERE, launchBrowser, MORNINGS, servePage } from './browser.ts';
import { PickerHost, SOON, said, tiles } from './picker.ts';

describe.skipIf(!parts.chromium)('what the specification says of pickers', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let service: Server;
  let host: PickerHost;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), servePage(folder.path, {})]);
    host = await PickerHost.start(browser, service);
  });

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  afterAll(async () => {
    await browser?.close();
    await host?.stop();
    await service?.stop();
    folder[Symbol.dispose]();
  });

  const gms = async (page: Page) => {
    await page.getByRole('combobox').fill('gm');
    await page.keyboard.press('Enter');
    await expect.poll(() => said(page), SOON).toBe(`${MORNINGS} GIFs`);
  };

  // A page of an origin that nobody has registered gets no GIF; localhost is the development client.
  sentence(5, async () => {
    await gms(await host.open());
    const stranger = await host.window();
    await stranger.goto(host.origin.replace('localhost', ELSEWHERE));
    await expect.poll(() => said(stranger), SOON).toMatch(/cannot be reached/);
    expect(await tiles(stranger).count()).toBe(0);
  });

  sentence(110, async () => {
    for (const width of [400, 1_200]) {
      const page = await host.open({}, { viewport: { width, height: 500 } });
      const picked = page.evaluate(
        () =>
          new Promise<GifPick>((resolve) =>
            document.addEventListener('gif-pick', (event) => resolve((event as CustomEvent<GifPick>).detail)),
          ),
      );
      await gms(page);
      const shown = await page
        .locator('gif-picker .tile img')
        .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
      expect(shown.length).toBeGreaterThan(5);
      expect(shown.filter((address) => !/\/p\/\w+\/w(240|480)\//.test(address))).toEqual([]);
      await tiles(page).first().click();
      const { gif, text, imeta } = await picked;
      expect(text).toBe(gif.url);
      expect(imeta).toContain(`url ${gif.url}`);
    }
  });

  sentence(111, async () => {
    const page = await host.window({ reducedMotion: 'reduce' });
    // No picture comes, and the tiles lie where they will lie with them.
    await page.route(/\/p\//, () => {});
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await host.go(page);
    await gms(page);
    const boxes = () => tiles(page).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().toJSON()));
    const before = await boxes();
    const images = asked.filter((path) => path.startsWith('/p/'));
    expect(new Set(images).size).toBeLessThan(MORNINGS);
    expect(images.filter((path) => !path.endsWith('.png'))).toEqual([]);
    await page.unroute(/\/p\//);
    const moving = await host.open();
    await gms(moving);
    await expect.poll(() => moving.locator('gif-picker img[src$=".gif"]').count(), SOON).toBeGreaterThan(0);
    const after = await tiles(moving).evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect().toJSON()));
    expect(after.slice(0, before.length)).toEqual(before.slice(0, after.length));
  });
});
