// Do we decode the same frames from a GIF as a browser, with the same durations? (FOLDER)
//
// Every frame of every GIF and WebP is decoded like for previews. Its pixels on black and its duration are compared
// with those from Chromium's decoder. The folder can be a decoder's test suite, in which each file tests one common
// mistake of decoders.

import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { MediaRefusal } from '../../../packages/server/src/media/index.ts';
import { walk } from '../../../packages/server/src/media/walker/probe.ts';
import { launchBrowser } from '../../../test/e2e/browser.ts';
import { endWithUsage } from '../../support/data.ts';

/**
 * Maximum number of pixels. Larger files are skipped. They would not show more differences, and all pixels must be
 * copied out of the browser.
 */
const MAX_PIXELS = 2_000_000;
/**
 * Maximum difference of a colour value, of 255. Small differences are allowed, because transparent edges are rounded
 * differently.
 */
const SAME = 2;

interface Frames {
  width: number;
  height: number;
  delays: number[];
  /** Pixels on black: red, green, blue, frame after frame. */
  pixels: Uint8Array;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) endWithUsage('browser-frames FOLDER', 'gifs');
const server = http.createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end('<!doctype html><title>frames</title>');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const browser = await launchBrowser();
const page = await browser.newPage();
// Only pages in a secure context have decoders. Pages from this machine count as secure.
await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

const verdicts = new Map<string, string[]>();
for (const path of await filesOf(folder)) {
  const bytes = await readFile(path);
  const verdict = await compare(bytes);
  verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), basename(path)]);
}
await browser.close();
server.close();
for (const [verdict, names] of [...verdicts].sort((a, b) => b[1].length - a[1].length)) {
  console.log(`${String(names.length).padStart(5)}  ${verdict}`);
  if (verdict !== 'the same') console.log(`       ${names.join(' ')}`);
}

async function compare(bytes: Uint8Array): Promise<string> {
  const [ours, theirs] = [await decode(bytes), await decodeInBrowser(page, bytes)];
  if (ours === 'too large' || theirs === 'too large') return 'left out: too large';
  if (typeof ours === 'string' || typeof theirs === 'string') {
    if (typeof ours === 'string' && typeof theirs === 'string') return 'refused by both';
    return typeof ours === 'string' ? 'refused only by us' : 'refused only by the browser';
  }
  if (ours.width !== theirs.width || ours.height !== theirs.height) return 'different size';
  if (ours.delays.length !== theirs.delays.length) return 'different number of frames';
  const differs = ours.pixels.some((value, at) => Math.abs(value - theirs.pixels[at]!) > SAME);
  // The decoder returns the duration in the file. The browser shows a frame of less than 20 ms for 100 ms.
  const times = ours.delays.every((delay, at) => delay === (theirs.delays[at]! < 20 ? 100 : theirs.delays[at]!));
  if (differs) return times ? 'different pixels' : 'different pixels and durations';
  return times ? 'the same' : 'different durations';
}

async function decode(bytes: Uint8Array): Promise<Frames | string> {
  try {
    const { width, height, delays } = walk(bytes);
    if (width * height * delays.length > MAX_PIXELS) return 'too large';
    const { data, info } = await sharp(bytes, { pages: -1, failOn: 'none' })
      .flatten({ background: '#000' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true });
    const pages = info.pages ?? 1;
    return { width: info.width, height: info.pageHeight ?? info.height, delays: delays.slice(0, pages), pixels: data };
  } catch (error) {
    return error instanceof MediaRefusal ? error.reason : 'not decoded';
  }
}

async function decodeInBrowser(tab: Page, bytes: Uint8Array): Promise<Frames | string> {
  const found = await tab.evaluate(
    async ([base64, maxPixels]) => {
      try {
        const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const type = data[0] === 0x47 ? 'image/gif' : 'image/webp';
        const decoder = new ImageDecoder({ data, type });
        await Promise.all([decoder.completed, decoder.tracks.ready]);
        const count = decoder.tracks.selectedTrack!.frameCount;
        const delays: number[] = [];
        const chunks: string[] = [];
        let [width, height] = [0, 0];
        for (let frameIndex = 0; frameIndex < count; frameIndex++) {
          const { image } = await decoder.decode({ frameIndex });
          [width, height] = [image.displayWidth, image.displayHeight];
          if (width * height * count > maxPixels) return 'too large';
          delays.push((image.duration ?? 0) / 1000);
          const canvas = new OffscreenCanvas(width, height);
          const context = canvas.getContext('2d')!;
          context.fillRect(0, 0, width, height);
          context.drawImage(image, 0, 0);
          const { data: rgba } = context.getImageData(0, 0, width, height);
          let text = '';
          for (let at = 0; at < rgba.length; at += 4) {
            text += String.fromCharCode(rgba[at]!, rgba[at + 1]!, rgba[at + 2]!);
          }
          chunks.push(text);
          image.close();
        }
        return { width, height, delays, pixels: btoa(chunks.join('')) };
      } catch (error) {
        return String(error);
      }
    },
    [Buffer.from(bytes).toString('base64'), MAX_PIXELS] as const,
  );
  return typeof found === 'string' ? found : { ...found, pixels: Buffer.from(found.pixels, 'base64') };
}

async function filesOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.(gif|webp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
