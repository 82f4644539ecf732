import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import sharp from 'sharp';
import { vi } from 'vitest';

/**
 * Folder of the expected pictures. `ZOETROPE_TEST_LOOKS=write` replaces them. Look at the new pictures before you
 * commit them.
 */
const FOLDER = path.join(import.meta.dirname, 'looks');
const isWriting = process.env['ZOETROPE_TEST_LOOKS'] === 'write';
/** Maximum time until all pictures have loaded, even on a busy machine, in milliseconds. */
const SETTLED_MS = 60_000;
/** Maximum difference of a pixel, of 255. The edges of letters differ by less between versions of the browser. */
const SAME = 32;
/** Maximum share of pixels that differ. */
const MAX_DIFFERENT = 0.005;

interface Pixels {
  data: Uint8Array;
  info: { width: number; height: number };
}

/** Waits until an element looks as expected. @returns what is wrong, or an empty string if nothing is wrong */
export async function compareLook(element: Locator, name: string): Promise<string> {
  const file = path.join(FOLDER, `${name}.png`);
  if (isWriting) {
    await element.page().waitForTimeout(1_000);
    await sharp(await shotOf(element))
      .png({ compressionLevel: 9 })
      .toFile(file);
    return '';
  }
  const meant = await pixelsOf(file);
  let shot = await shotOf(element);
  const look = async () => {
    const found = await differences(shot, meant);
    if (found.length <= MAX_DIFFERENT * meant.info.width * meant.info.height) return true;
    shot = await shotOf(element);
    return false;
  };
  const isAsMeant = await vi.waitUntil(look, { timeout: SETTLED_MS }).catch(() => false);
  return isAsMeant ? '' : `${name} looks different: see ${await keep(shot, file, meant)}`;
}

function shotOf(element: Locator): Promise<Buffer> {
  return element.screenshot({ animations: 'disabled', caret: 'hide' });
}

function pixelsOf(image: Uint8Array | string): Promise<Pixels> {
  return sharp(image).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true });
}

/** Returns the indexes of the pixels that differ, or of all pixels if the sizes differ. */
async function differences(shot: Uint8Array, meant: Pixels): Promise<number[]> {
  const seen = await pixelsOf(shot);
  const isOfSize = seen.info.width === meant.info.width && seen.info.height === meant.info.height;
  const found: number[] = [];
  for (let at = 0; at < meant.data.length; at += 3) {
    const isSame = [0, 1, 2].every((channel) => Math.abs(seen.data[at + channel]! - meant.data[at + channel]!) <= SAME);
    if (!isOfSize || !isSame) found.push(at / 3);
  }
  return found;
}

/** Writes the actual picture, the expected picture and their difference to a folder. */
async function keep(shot: Uint8Array, file: string, meant: Pixels): Promise<string> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-look-'));
  const { width, height } = meant.info;
  const marked = new Uint8Array(width * height);
  for (const at of await differences(shot, meant)) marked[at] = 255;
  fs.writeFileSync(path.join(folder, 'new.png'), shot);
  fs.copyFileSync(file, path.join(folder, 'meant.png'));
  await sharp(marked, { raw: { width, height, channels: 1 } }).toFile(path.join(folder, 'difference.png'));
  return folder;
}
