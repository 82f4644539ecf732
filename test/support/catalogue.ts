import fs from 'node:fs';
import path from 'node:path';
import { writeGif } from '../../packages/server/src/media/testing/gif-writer.ts';

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

/** Writes a manifest of linked GIFs; rows without an id get `gif-N.gif`. */
export function writeManifest(file: string, rows: Iterable<Row>): string {
  const lines: string[] = [];
  for (const row of rows) {
    const id = row.id ?? `gif-${lines.length}.gif`;
    lines.push(JSON.stringify({ id, url: `https://gifs.example/${id}`, ...row }));
  }
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** A small GIF of two frames whose bytes differ with `seed`. */
export function smallGif(seed: number, size = 8): Uint8Array {
  const pixels = Uint8Array.from({ length: size * size }, (_, at) => ((seed >> (at % 16)) + at) & 3);
  return writeGif({
    width: size,
    height: size,
    frames: [{ pixels }, { pixels: pixels.toReversed(), delay: 5 + (seed % 50) }],
  });
}

/** A folder of small GIFs, `count` different ones. */
export function writeGifs(folder: string, count: number): void {
  fs.mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++)
    fs.writeFileSync(path.join(folder, `happy-dance-${n}-party.gif`), smallGif(n * 7919 + 1));
}
