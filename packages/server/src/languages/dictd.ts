import fs from 'node:fs/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { OperatorError } from '../base/errors.ts';

const gunzip = promisify(zlib.gunzip);

/** Maximum size of a dictionary, in bytes. FreeDict's largest dictionary is 75 MB. */
const MAX_BYTES = 300_000_000;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const ABOUT = /^00-?database-?(info|short)$/;

/** A dictionary in the format of the DICT server. It has an index of headwords and a file with the entries. */
export interface Dictd {
  /** The dictionary's description of itself. */
  about: { info: string; short: string };
  entries: Iterable<{ headword: string; text: string }>;
}

/** The position of a headword's entry in the file. */
interface Place {
  headword: string;
  start: number;
  length: number;
}

/**
 * Reads a dictionary from its two files.
 * @param stem path of the files without `.index`, `.dict` or `.dict.dz`
 * @throws OperatorError if a file is missing or damaged
 */
export async function readDictd(stem: string): Promise<Dictd> {
  const index = await fs.readFile(`${stem}.index`, 'utf8').catch(() => {
    throw new OperatorError(`${stem}.index is missing; a dictionary needs its .index and its .dict.dz file`);
  });
  const bytes = await readEntries(stem);
  const about = { info: '', short: '' };
  const places: Place[] = [];
  for (const line of index.split('\n')) {
    const [headword = '', start = '', length = ''] = line.split('\t');
    const place = { headword, start: fromBase64(start), length: fromBase64(length) };
    if (headword === '' || !(place.start + place.length <= bytes.length)) continue;
    const what = ABOUT.exec(headword)?.[1] as keyof typeof about | undefined;
    if (what !== undefined) about[what] = textOf(bytes, place);
    else if (!headword.startsWith('00')) places.push(place);
  }
  if (places.length === 0) throw new OperatorError(`${stem}.index has no entries`);
  return { about, entries: entriesOf(bytes, places) };
}

function* entriesOf(bytes: Buffer, places: readonly Place[]): Iterable<{ headword: string; text: string }> {
  for (const place of places) yield { headword: place.headword, text: textOf(bytes, place) };
}

/** Reads the entries, which are either uncompressed or in a format that gzip can decompress. */
async function readEntries(stem: string): Promise<Buffer> {
  const packed = await fs.readFile(`${stem}.dict.dz`).catch(() => undefined);
  if (packed === undefined) {
    return fs.readFile(`${stem}.dict`).catch(() => {
      throw new OperatorError(`${stem}.dict.dz is missing; a dictionary needs its .index and its .dict.dz file`);
    });
  }
  return gunzip(packed, { maxOutputLength: MAX_BYTES }).catch((error) => {
    throw new OperatorError(`${stem}.dict.dz cannot be unpacked (${error.message})`);
  });
}

function textOf(bytes: Buffer, { start, length }: Pick<Place, 'start' | 'length'>): string {
  return bytes.toString('utf8', start, start + length);
}

/** Returns the value of a number in base 64, or NaN for anything else. */
function fromBase64(text: string): number {
  let value = text === '' ? Number.NaN : 0;
  for (const letter of text) {
    const digit = BASE64.indexOf(letter);
    value = digit < 0 ? Number.NaN : value * 64 + digit;
  }
  return value;
}
