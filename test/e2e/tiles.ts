import fs from 'node:fs';
import path from 'node:path';
import { blocksGif } from '../support/catalogue.ts';

/** Number of GIFs for "gm". It is higher than the numbers that the search page shows and the picker requests at first. */
export const MORNINGS = 60;
export const FIRES = 7;
export const HOSTILE = [
  '<script>document.title = "taken"</script>',
  '"><img src=x onerror="document.title = 1">',
  "' onmouseover='document.title = 2",
  '&lt;b&gt; </title></li></ul>',
];

interface Tile {
  file: string;
  title: string;
  tags: string[];
}

function* tiles(mornings: number): Generator<Tile> {
  for (let n = 0; n < mornings; n++) yield { file: `${n}.gif`, title: `gm ${n}`, tags: ['gm'] };
  for (let n = 0; n < FIRES; n++) yield { file: `f${n}.gif`, title: `fire ${n}`, tags: ['fire'] };
  for (const [n, text] of HOSTILE.entries()) {
    // Manifests escape an ampersand like HTML.
    yield { file: `h${n}.gif`, title: text.replaceAll('&', '&amp;'), tags: ['hostile'] };
  }
}

/** Returns a GIF of rising blocks with transparent gaps. Each seed gives another size. */
function blocks(seed: number): Uint8Array {
  const width = 90 + ((seed * 67) % 331);
  const height = 90 + ((seed * 41) % 211);
  return blocksGif({ width, height, delays: [10, 10, 10, 10], seed, transparent: 0 });
}

/** Writes GIFs of many shapes, with a manifest. */
export function writeTiles(folder: string): Promise<string[]> {
  return writeTilesWith(0, folder);
}

/** Writes the GIFs that `writeTiles` writes, and `MORNINGS` GIFs for "gm". */
export function writeMornings(folder: string): Promise<string[]> {
  return writeTilesWith(MORNINGS, folder);
}

/** Writes GIFs of many shapes, with a number of GIFs for "gm". */
export async function writeTilesWith(mornings: number, folder: string): Promise<string[]> {
  const gifs = [...tiles(mornings)];
  for (const [seed, { file }] of gifs.entries()) fs.writeFileSync(path.join(folder, file), blocks(seed));
  const manifest = path.join(folder, 'tiles.jsonl');
  fs.writeFileSync(manifest, `${gifs.map((row) => JSON.stringify(row)).join('\n')}\n`);
  return [manifest];
}
