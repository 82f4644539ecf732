import fs from 'node:fs';
import path from 'node:path';
import { smallGif, writeGifs, writeManifest } from './catalogue.ts';

/*
 * Catalogues that many test files copy, so that they do not have to ingest their own. Each function writes the sources
 * below a folder and returns them. See `prepareData`.
 */

/** Writes a manifest with one linked GIF, `dog.gif`, for tests that need any search result. */
export async function writeOne(folder: string): Promise<string[]> {
  return [writeManifest(`${folder}/one.jsonl`, [{ id: 'dog.gif', title: 'dog' }])];
}

/** Writes a manifest with two linked GIFs, `gif-0.gif` and `gif-1.gif`. */
export async function writeTwo(folder: string): Promise<string[]> {
  return [writeManifest(`${folder}/two.jsonl`, [{ title: 'cat' }, { title: 'cat again' }])];
}

/** Number of GIF files that `writeFiles` writes. */
export const FILES = 6;

/** Writes small GIF files in the folder `gifs`: some dances, and one file with quotation marks in its title. */
export async function writeFiles(folder: string): Promise<string[]> {
  const gifs = path.join(folder, 'gifs');
  writeGifs(gifs, FILES - 1);
  fs.writeFileSync(path.join(gifs, 'quiet "harbour".gif'), smallGif(2, 32));
  return [gifs];
}

/** Writes a manifest of linked GIFs about different things, in several scripts. */
export async function writeTitles(folder: string): Promise<string[]> {
  const titles = ['swimming tadpole', 'sad frog', 'sunrise greeting', 'wagmi rocket', 'hold the door'];
  const scripts = ['happy dance', 'שלום 123', 'café ☕', '猫が踊る', 'كلب سعيد'];
  return [
    writeManifest(
      `${folder}/titles.jsonl`,
      [...titles, ...scripts].map((title) => ({ title })),
    ),
  ];
}
