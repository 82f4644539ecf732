import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { type TestFrame, writeGif } from '../../packages/server/src/media/testing/gif-writer.ts';
import { type Row, writeManifest } from '../support/catalogue.ts';

/** More GIFs than any ranked list holds. */
export const CATS = 230;
export const LONGEST_ID = `${'i'.repeat(196)}.gif`;

/** The sub-folder of the files, and so their tag. */
const FOLDER = 'zoo';

/** Linked GIFs: many cats, one of them adult; words of many scripts; facts that are not known; ids at the bound. */
function* rows(): Generator<Row> {
  const facts = { width: 320, height: 240, frames: 12, duration: 1.2, bytes: 90_000 };
  for (let n = 0; n < CATS; n++) yield { title: `cat number ${n}`, tags: ['cat'], popularity: n, ...facts };
  yield { id: 'adult.gif', title: 'cat number adult', tags: ['cat', 'forbidden'], adult: true, popularity: 9_999 };
  yield { id: 'unknown.gif', title: 'mystery', tags: [] };
  yield { id: 'webp.gif', url: 'https://gifs.example/a.webp', title: 'linked webp', format: 'webp', ...facts };
  yield { id: 'words.gif', title: 'Café Über Müde', tags: ['猫が踊る', 'สวัสดี', 'привет', 'مرحبا', '🚀'] };
  yield { id: 'dog.gif', title: 'dog chases tail', tags: ['dog', 'very funny'] };
  for (let n = 0; n < 3; n++) {
    const tags = ['thumbs up', ...Array.from({ length: 21 }, (_, at) => `t${String.fromCharCode(97 + at)}`)];
    yield { id: `terms-${n}.gif`, title: '', tags, character: ['Snoopy'], text: 'beside' };
  }
  yield { id: 'long.gif', title: `${'a'.repeat(100)} tailword` };
  yield { id: LONGEST_ID, title: 'longest name' };
  yield { id: `x${LONGEST_ID}`, title: 'overlong name' };
}

/** A GIF of noise, which no format stores well: its previews must be much smaller for their size alone. */
function noise(width: number, height: number, delays: number[]): Uint8Array {
  let seed = width * height;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 30;
  };
  const frames = delays.map((delay) => ({ delay, pixels: Uint8Array.from({ length: width * height }, next) }));
  return writeGif({ width, height, frames });
}

/** A GIF of coloured quarters that change places. */
function quarters(width: number, height: number, delays: number[]): Uint8Array {
  const frames = delays.map((delay, turn) => {
    const colourAt = (_: unknown, at: number) => {
      const right = at % width >= width / 2 ? 1 : 0;
      const below = at >= (width * height) / 2 ? 2 : 0;
      return (right + below + turn) & 3;
    };
    return { delay, pixels: Uint8Array.from({ length: width * height }, colourAt) };
  });
  return writeGif({ width, height, frames });
}

/** A red square that wanders over nothing. */
function transparent(size: number): Uint8Array {
  const square = (from: number): TestFrame => {
    const isInside = (at: number) => [at % size, at / size].every((side) => side >= from && side < from + size / 2);
    const pixels = Uint8Array.from({ length: size * size }, (_, at) => (isInside(at) ? 2 : 0));
    return { pixels, transparent: 0, disposal: 2, delay: 20 };
  };
  return writeGif({ width: size, height: size, frames: [square(0), square(size / 4), square(size / 2)] });
}

/** So many pixels over all its frames that no animated preview is made; each frame changes one of them. */
function huge(): Uint8Array {
  const frames = Array.from({ length: 301 }, () => ({ width: 1, height: 1, pixels: 1 }));
  return writeGif({ width: 1000, height: 1000, frames });
}

/** The files of the catalogue by name; each is found by its name and by `zoo`. */
export async function files(): Promise<Record<string, Uint8Array>> {
  const wolf = await sharp(quarters(100, 80, [20, 30, 50]), { animated: true })
    .webp({ lossless: true })
    .toBuffer();
  return {
    'whale.gif': noise(700, 350, [10, 20, 30]),
    'giraffe.gif': quarters(120, 400, [10, 10, 30]),
    'mouse.gif': quarters(40, 30, [50, 70]),
    'jellyfish.gif': transparent(120),
    'elephant.gif': huge(),
    'wolf.webp': wolf,
  };
}

/** Writes the whole catalogue below a folder. @returns the sources to add */
export async function writeCatalogue(folder: string): Promise<string[]> {
  const gifs = path.join(folder, 'gifs');
  fs.mkdirSync(path.join(gifs, FOLDER), { recursive: true });
  for (const [name, bytes] of Object.entries(await files())) fs.writeFileSync(path.join(gifs, FOLDER, name), bytes);
  return [writeManifest(path.join(folder, 'rows.jsonl'), rows()), gifs];
}
