import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parts } from '../support/parts.ts';
import { type Server, temporaryFolder } from '../support/server.ts';
import { FIRES, launchBrowser, servePage } from './browser.ts';
import { givePictures, MANY, many, PickerHost, PLAIN, SOON, said, tiles } from './picker.ts';

const CYCLES = 50;

describe.skipIf(!parts.chromium)('the picker is light', () => {
  const folder = temporaryFolder();
  let browser: Browser;
  let service: Server;
  let host: PickerHost;

  beforeAll(async () => {
    [browser, service] = await Promise.all([launchBrowser(), servePage(folder.path, PLAIN, many)]);
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

  async function search(page: Page, text: string, count: number): Promise<void> {
    await page.getByRole('combobox').fill(text);
    await page.keyboard.press('Enter');
    await expect.poll(() => said(page), SOON).toBe(`${count} GIFs`);
  }

  it('moves nothing by itself, from the first rendering to the end of the longest list', async () => {
    const page = await host.window();
    await givePictures(page);
    await page.addInitScript(() => {
      const shifts: unknown[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shifts.push(entry.toJSON());
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await host.show(page);
    await search(page, 'fire', FIRES);
    await search(page, 'many', MANY);
    await expect.poll(() => scroll(page), { ...SOON, interval: 10 }).toBe(`of ${MANY}, the last`);
    expect(await page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts)).toEqual([]);
  });

  it('leaves nothing behind when it was opened and closed many times', async () => {
    const page = await host.open();
    await page.evaluate(() => {
      document.querySelector('gif-picker')!.remove();
      Object.assign(window, { pickers: [] });
    });
    const devtools = await page.context().newCDPSession(page);
    const cycle = () =>
      page.evaluate(async (service) => {
        const picker = Object.assign(document.createElement('gif-picker'), { service });
        document.querySelector('main')!.append(picker);
        (window as unknown as { pickers: WeakRef<Element>[] }).pickers.push(new WeakRef(picker));
        while (picker.shadowRoot?.querySelector('.tile img') == null) await new Promise(requestAnimationFrame);
        picker.remove();
      }, service.url);
    await cycle();
    const before = await counts(devtools);
    for (let n = 0; n < CYCLES; n++) await cycle();
    await expect
      .poll(async () => {
        await devtools.send('HeapProfiler.collectGarbage');
        return page.evaluate(
          () => (window as unknown as { pickers: WeakRef<Element>[] }).pickers.filter((one) => one.deref()).length,
        );
      }, SOON)
      .toBeLessThanOrEqual(1);
    const after = await counts(devtools);
    expect(after.listeners - before.listeners).toBeLessThan(CYCLES);
    expect(after.nodes - before.nodes).toBeLessThan(10 * CYCLES);
    await devtools.detach();
  });
});

/** Scrolls on a little, and says which tile is there last. */
async function scroll(page: Page): Promise<string> {
  await page.locator('gif-picker .scroll').evaluate((scroller) => scroller.scrollBy(0, 200));
  const last = tiles(page).last();
  const [size, place] = await last.evaluate((tile) => [tile.ariaSetSize, tile.ariaPosInSet]);
  return `of ${size}, ${size === place ? 'the last' : place}`;
}

async function counts(devtools: CDPSession): Promise<{ listeners: number; nodes: number }> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { jsEventListeners, nodes } = await devtools.send('Memory.getDOMCounters');
  return { listeners: jsEventListeners, nodes };
}
