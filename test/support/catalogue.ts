import fs from 'node:fs';
import path from 'node:path';
import { writeGif } from '../../packages/server/src/media/testing/gif-writer.ts';
import { seeded } from '../../packages/starter/src/random.ts';

export interface Row {
  id?: string;
  title?: string;
  tags?: string[];
  character?: string[];
  text?: string;
  adult?: boolean;
  popularity?: number;
  width?: number;
  height?: number;
  [field: string]: unknown;
}

/** Writes a manifest of linked GIFs. Rows without an id get `gif-N.gif`. */
export function writeManifest(file: string, rows: Iterable<Row>): string {
  const lines: string[] = [];
  for (const row of rows) {
    const id = row.id ?? `gif-${lines.length}.gif`;
    lines.push(JSON.stringify({ id, url: `https://gifs.example/${id}`, ...row }));
  }
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

export interface Drawing {
  width: number;
  height: number;
  /** Duration of each frame, in hundredths of a second. */
  delays: readonly number[];
  seed: number;
  /** The index of the transparent colour in the palette. */
  transparent?: number;
}

/** Number of columns and rows of blocks. With fewer blocks, pictures from different seeds would look alike. */
const GRID = 4;

/**
 * Returns a GIF of large rising blocks. Each seed gives a different picture, because only one of several similar GIFs
 * is shown.
 */
export function blocksGif({ width, height, delays, seed, transparent }: Drawing): Uint8Array {
  const random = seeded(`blocks ${seed}`);
  const colours = Array.from({ length: GRID * GRID }, () => Math.floor(random() * 4));
  const frames = delays.map((delay, turn) => {
    const colourAt = (_: unknown, at: number) => {
      const column = Math.floor(((at % width) * GRID) / width);
      const row = Math.floor((Math.floor(at / width) * GRID) / height);
      return colours[((row + turn) % GRID) * GRID + column]!;
    };
    const pixels = Uint8Array.from({ length: width * height }, colourAt);
    return transparent === undefined ? { pixels, delay } : { pixels, delay, transparent, disposal: 2 };
  });
  return writeGif({ width, height, frames });
}

/** Returns a small GIF of two frames. Each seed gives a different picture. */
export function smallGif(seed: number, size = 8): Uint8Array {
  return blocksGif({ width: size, height: size, delays: [10, 5 + (seed % 50)], seed });
}

/** Writes a folder of `count` different small GIFs. */
export function writeGifs(folder: string, count: number): void {
  fs.mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++)
    fs.writeFileSync(path.join(folder, `happy-dance-${n}-party.gif`), smallGif(n * 7919 + 1));
}
