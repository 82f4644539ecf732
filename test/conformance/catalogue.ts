import fs from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { type TestFrame, writeGif } from '../../packages/server/src/media/testing/gif-writer.ts';
import { blocksGif, type Row, writeManifest } from '../support/catalogue.ts';

/** Number of cats. It is higher than the maximum length of a ranked list. */
export const CATS = 230;
export const LONGEST_ID = `${'i'.repeat(196)}.gif`;

/** Names of subfolders with files. Their names become tags. */
const ZOO = 'zoo';
const LIKENESS = 'likeness';

/**
 * Yields linked GIFs: many cats, one of which is adult, and GIFs with words in many scripts, with unknown metadata, and
 * with ids of the maximum length.
 */
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

/**
 * Returns a GIF of a scene as in films: a detailed background that does not move, and an object that passes in front of
 * it.
 */
function passing(width: number, height: number, frames: number): Uint8Array {
  const [wall = new Uint8Array()] = noises(width, height, 1);
  const scene = (turn: number): TestFrame => {
    const from = (turn * width) / frames;
    const pixels = wall.map((colour, at) => (at % width >= from && at % width < from + 40 ? 2 : colour));
    return { pixels, delay: 10 };
  };
  return writeGif({ width, height, frames: Array.from({ length: frames }, (_, turn) => scene(turn)) });
}

/** Returns a GIF of noise, which no format compresses well, so previews save bytes only because they are smaller. */
function noise(width: number, height: number, delays: number[]): Uint8Array {
  const pictures = noises(width, height, delays.length);
  return writeGif({ width, height, frames: delays.map((delay, at) => ({ delay, pixels: pictures[at]! })) });
}

function noises(width: number, height: number, count: number): Uint8Array[] {
  let seed = width * height;
  const next = () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed >>> 30;
  };
  return Array.from({ length: count }, () => Uint8Array.from({ length: width * height }, next));
}

/** Returns a GIF of a red square that moves over a transparent background. */
function transparent(size: number): Uint8Array {
  const square = (from: number): TestFrame => {
    const isInside = (at: number) => [at % size, at / size].every((side) => side >= from && side < from + size / 2);
    const pixels = Uint8Array.from({ length: size * size }, (_, at) => (isInside(at) ? 2 : 0));
    return { pixels, transparent: 0, disposal: 2, delay: 20 };
  };
  return writeGif({ width: size, height: size, frames: [square(0), square(size / 4), square(size / 2)] });
}

/** Returns a GIF with too many pixels in all frames together for an animated preview. Each frame changes one pixel. */
function huge(): Uint8Array {
  const frames = Array.from({ length: 301 }, () => ({ width: 1, height: 1, pixels: 1 }));
  return writeGif({ width: 1000, height: 1000, frames });
}

/** Returns the files of the catalogue, keyed by name. Searches find each file by its name and by `zoo`. */
export async function files(): Promise<Record<string, Uint8Array>> {
  const wolf = blocksGif({ width: 100, height: 80, delays: [20, 30, 50], seed: 3 });
  return {
    'whale.gif': noise(700, 350, [10, 20, 30]),
    'giraffe.gif': blocksGif({ width: 120, height: 400, delays: [10, 10, 30], seed: 1 }),
    'mouse.gif': blocksGif({ width: 40, height: 30, delays: [50, 70], seed: 2 }),
    'jellyfish.gif': transparent(120),
    'elephant.gif': huge(),
    'wolf.webp': await sharp(wolf, { animated: true }).webp({ lossless: true }).toBuffer(),
  };
}

/** Metadata of GIFs at the limits for MP4s and just beyond, keyed by title. Their URLs lead nowhere. */
export const FILM_FACTS = {
  longest: { frames: 1800, duration: 60 },
  largest: { width: 4095, height: 4095 },
  motionless: { frames: 1 },
  overframes: { frames: 1801, duration: 60 },
  overtime: { duration: 60.01 },
  overwidth: { width: 4096 },
  overheight: { height: 4096 },
} as const;

/** Writes files and linked GIFs with and without MP4s. @returns the sources to add */
export async function writeFilms(folder: string): Promise<string[]> {
  const gifs = path.join(folder, 'gifs');
  const flower = blocksGif({ width: 64, height: 64, delays: [10, 10], seed: 5 });
  const still = blocksGif({ width: 64, height: 64, delays: [10], seed: 6 });
  const train = passing(320, 180, 24);
  writeFiles(gifs, { ...(await files()), 'flower.gif': flower, 'train.gif': train, 'stone.gif': still });
  const facts = { width: 320, height: 240, frames: 12, duration: 1.2, bytes: 90_000 };
  const rows = Object.entries(FILM_FACTS).map(([title, own]) => ({ title, ...facts, ...own }));
  const url = 'http://127.0.0.1:9/nothing.gif';
  return [
    writeManifest(
      path.join(folder, 'rows.jsonl'),
      rows.map((row) => ({ ...row, url })),
    ),
    gifs,
  ];
}

/**
 * Returns a GIF, the same GIF in half the size, and the first half of its frames. The third GIF is less similar to the
 * first than the second is.
 */
function likeness(): Record<string, Uint8Array> {
  const seed = 4;
  return {
    'ship.gif': blocksGif({ width: 160, height: 120, delays: [10, 10, 10, 10], seed }),
    'little ship.gif': blocksGif({ width: 80, height: 60, delays: [10, 10, 10, 10], seed }),
    'leaving ship.gif': blocksGif({ width: 160, height: 120, delays: [10, 10], seed }),
  };
}

/** Writes the whole catalogue below a folder. @returns the sources to add */
export async function writeCatalogue(folder: string): Promise<string[]> {
  const gifs = path.join(folder, 'gifs');
  writeFiles(path.join(gifs, ZOO), await files());
  writeFiles(path.join(gifs, LIKENESS), likeness());
  return [writeManifest(path.join(folder, 'rows.jsonl'), rows()), gifs];
}

function writeFiles(folder: string, contents: Record<string, Uint8Array>): void {
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(contents)) fs.writeFileSync(path.join(folder, name), bytes);
}

/** GIFs with nothing in common, so that their meanings are easy to distinguish. Ids are the first word of the title. */
const TOPICS = [
  ['red car', 'vehicle'],
  ['rain of money', 'rich'],
  ['dog chases its tail', 'funny'],
  ['cat on a piano', 'music'],
  ['sunset over the sea', 'evening'],
  ['birthday cake', 'candles'],
  ['king of the jungle', 'lion'],
  ['rocket launch', 'space'],
  ['snow in the mountains', 'winter'],
  ['applause in the theatre', 'clapping'],
  ['coffee in the morning', 'breakfast'],
  ['goal in the last minute', 'football'],
  ['wizard casts a spell', 'magic'],
  ['robot learns to walk', 'machine'],
  ['baby falls asleep', 'tired'],
  ['angry chef throws pans', 'kitchen'],
  ['thumbs up', 'agree'],
  ['crying at the movies', 'sad'],
  ['dancing in the street', 'party'],
  ['hacker at the keyboard', 'computer'],
] as const;

/** Writes linked GIFs of many topics. @returns the sources to add */
export async function writeTopics(folder: string): Promise<string[]> {
  const gifs = TOPICS.map(([title, tag]) => ({ id: `${title.split(' ')[0]}.gif`, title, tags: [tag] }));
  return [writeManifest(path.join(folder, 'topics.jsonl'), gifs)];
}
