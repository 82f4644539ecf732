import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

/** How things are meant to look; `ZOETROPE_TEST_LOOKS=write` writes them anew, to be looked at before they are kept. */
const FOLDER = path.join(import.meta.dirname, 'looks');
const isWriting = process.env['ZOETROPE_TEST_LOOKS'] === 'write';
/** Of 255: less is the edge of a letter in another version of the browser, or a colour of the palette. */
const SAME = 32;
/** Share of the pixels. */
const MAX_DIFFERENT = 0.005;

/** Compares what one sees of an element with how it is meant to look. @returns what is wrong; an empty text for nothing */
export async function compareLook(element: Locator, name: string): Promise<string> {
  await settle(element.page());
  const shot = await element.screenshot({ animations: 'disabled', caret: 'hide' });
  const file = path.join(FOLDER, `${name}.png`);
  if (isWriting) {
    await sharp(shot).png({ palette: true, effort: 10 }).toFile(file);
    return '';
  }
  const [seen, meant] = await Promise.all([pixelsOf(shot), pixelsOf(file)]);
  const isOfSize = seen.info.width === meant.info.width && seen.info.height === meant.info.height;
  const different = isOfSize ? differences(seen.data, meant.data) : [];
  if (isOfSize && different.length <= MAX_DIFFERENT * seen.info.width * seen.info.height) return '';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-look-'));
  fs.writeFileSync(path.join(folder, 'new.png'), shot);
  fs.copyFileSync(file, path.join(folder, 'meant.png'));
  if (!isOfSize) return `${name} has another size: see ${folder}`;
  const { width, height } = seen.info;
  const marked = new Uint8Array(width * height);
  for (const at of different) marked[at] = 255;
  await sharp(marked, { raw: { width, height, channels: 1 } }).toFile(path.join(folder, 'difference.png'));
  return `${name} differs in ${different.length} pixels: see ${folder}`;
}

/** Waits until all pictures are there, and drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frames = async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    };
    await frames();
    const images = document.querySelector('gif-picker')!.shadowRoot!.querySelectorAll('img');
    await Promise.all([...images].map((image) => image.decode()));
    await frames();
  });
}

function pixelsOf(image: Uint8Array | string) {
  return sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
}

/** Numbers of the pixels that differ. */
function differences(a: Uint8Array, b: Uint8Array): number[] {
  const found: number[] = [];
  for (let at = 0; at < a.length; at += 3) {
    const isSame = [0, 1, 2].every((channel) => Math.abs(a[at + channel]! - b[at + channel]!) <= SAME);
    if (!isSame) found.push(at / 3);
  }
  return found;
}
