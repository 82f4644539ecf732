import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { blocksGif } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { pickerPages, SOON, tiles } from './picker.ts';

const FILMS = 2;

/** Writes opaque GIFs that are larger than their previews. They are for "gm", so that the picker opens with them. */
async function writeFilms(folder: string): Promise<string[]> {
  const rows = Array.from({ length: FILMS }, (_, n) => ({ file: `${n}.gif`, title: `gm ${n}`, tags: ['gm'] }));
  for (const [seed, { file }] of rows.entries()) {
    const gif = blocksGif({ width: 480, height: 302, delays: [20, 20, 20, 20], seed: seed + 7919 });
    fs.writeFileSync(path.join(folder, file), gif);
  }
  const manifest = path.join(folder, 'films.jsonl');
  fs.writeFileSync(manifest, rows.map((row) => JSON.stringify(row)).join('\n'));
  return [manifest];
}

/** Files of the service that show motion, as they are named in paths. */
const VIDEO = /\/v\/r\d+\/w240\/[^/]+\.mp4$/;
const ANIMATED = /\/p\/r\d+\/w240\/[^/]+\.gif$/;

describe.skipIf(!parts.chromium)('the tiles of opaque GIFs', () => {
  const pages = pickerPages({ write: writeFilms });

  /** Returns the files that the page has requested, as paths. */
  function watch(page: Page, files: RegExp): Set<string> {
    const asked = new Set<string>();
    page.on('request', (request) => files.test(request.url()) && asked.add(new URL(request.url()).pathname));
    return asked;
  }

  const videos = (page: Page) =>
    page.locator('gif-picker .tile video').evaluateAll((all) =>
      all.map((element) => {
        const { src, videoWidth, videoHeight, currentTime } = element as HTMLVideoElement;
        return { src, size: [videoWidth, videoHeight], isPlaying: currentTime > 0 };
      }),
    );
  const animations = (page: Page) => page.locator('gif-picker .tile img[src$=".gif"]').count();

  it('play the MP4 in the size of the preview, and load no animated preview', async () => {
    const page = await pages.host.window();
    const animated = watch(page, ANIMATED);
    await pages.host.show(page);
    const playing = async () => (await videos(page)).filter(({ isPlaying }) => isPlaying);
    await expect.poll(async () => (await playing()).length, SOON).toBe(FILMS);
    for (const { src, size } of await playing()) {
      expect(src).toMatch(VIDEO);
      // The preview has 240 x 151 pixels, and H.264 needs an even height.
      expect(size).toEqual([240, 152]);
    }
    expect(animated.size).toBe(0);
  });

  it('play the animated preview if the MP4 cannot be made', async () => {
    const page = await pages.host.window();
    const asked = watch(page, VIDEO);
    await page.route(VIDEO, (route) => route.fulfill({ status: 404 }));
    await pages.host.show(page);
    await expect.poll(() => animations(page), SOON).toBe(FILMS);
    expect(asked.size).toBe(FILMS);
    expect(await videos(page)).toEqual([]);
  });

  it('play the animated preview if the browser plays no videos by itself', async () => {
    const page = await pages.host.window();
    await page.addInitScript(() => {
      HTMLMediaElement.prototype.play = () => Promise.reject(new DOMException('refused', 'NotAllowedError'));
    });
    await pages.host.show(page);
    await expect.poll(() => animations(page), SOON).toBe(FILMS);
    expect(await videos(page)).toEqual([]);
  });

  it.each([
    ['with reduced motion', { reducedMotion: 'reduce' }, {}],
    ['with the setting', {}, { motion: 'never' }],
  ] as const)('load no MP4 %s', async (_, options, attributes) => {
    const page = await pages.host.window(options);
    const asked = watch(page, VIDEO);
    await pages.host.show(page, attributes);
    const stills = () =>
      tiles(page)
        .locator('img')
        .evaluateAll((all) => all.filter((image) => (image as HTMLImageElement).naturalWidth > 1).length);
    await expect.poll(stills, SOON).toBe(FILMS);
    await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
    expect([...asked]).toEqual([]);
  });
});
