import fs from 'node:fs';
import { BuildError, type ReadSection } from '@zoetrope/search';
import { type GifRecord, LEVELS } from '../records/index.ts';

/**
 * Sections that are not searched, keyed by name. Each is an open file, or shared memory if the disk had no room for the
 * file.
 */
export type ColdFiles = Map<string, number | Uint8Array>;

/**
 * JSON in UTF-8, as a string with one character for each byte. These strings are joined into a response and written to
 * memory in one step. They are not parsed or encoded again.
 */
export type JsonBytes = string;

/** Stored fields of a GIF: all facts that a response shows. */
export interface StoredGif
  extends Pick<
    GifRecord,
    'id' | 'format' | 'width' | 'height' | 'frames' | 'durationMs' | 'bytes' | 'sha256' | 'verified'
  > {
  /** The original's URL. Null if the service itself serves the original. */
  url: JsonBytes | null;
  transparent: boolean;
  blankStill: boolean;
  /** Whether the original of a linked GIF is stored here under the GIF's id. */
  isKept: boolean;
  /** `"title":…,"tags":…,"lqip":…` */
  words: JsonBytes;
}

const FORMATS = ['gif', 'webp'] as const satisfies readonly StoredGif['format'][];

/**
 * Layout of a record, little endian:
 *   0 u8   format, by its place in FORMATS
 *   1 u8   how much was verified, by its place in LEVELS
 *   2 u8   length of the id
 *   3 u8   length of the hash in hexadecimal characters, 0 if it is unknown or in the id
 *   4 f64  width, height, frames, duration in milliseconds, bytes; NaN if unknown
 *  44 u32  length of the URL, 0 if there is none
 *  48      id, hash, URL, words, flags
 */
const NUMBERS = 4;
const URL_LENGTH = NUMBERS + 5 * 8;
const TEXTS = URL_LENGTH + 4;

/**
 * The flags that are true follow the words, in this order. The words end with an lqip, so their end never looks like a
 * flag. A program without support for a flag returns it as part of the words.
 */
const FLAGS = {
  transparent: ',"transparent":true',
  blankStill: ',"blankStill":true',
  isKept: ',"kept":true',
};
const FLAG_NAMES = ['transparent', 'blankStill', 'isKept'] as const;

export function encodeStored(gif: GifRecord & { isKept?: boolean }): Uint8Array {
  const { title, tags, lqip } = gif;
  const words = JSON.stringify({ title, tags, lqip }).slice(1, -1);
  const flags = FLAG_NAMES.map((name) => (gif[name] ? FLAGS[name] : '')).join('');
  const url = gif.url === null ? '' : JSON.stringify(gif.url);
  // The id of a file of the operator contains the file's hash.
  const sha256 = gif.url === null ? '' : (gif.sha256 ?? '');
  const head = Buffer.alloc(TEXTS);
  head[0] = FORMATS.indexOf(gif.format);
  head[1] = LEVELS.indexOf(gif.verified);
  head[2] = gif.id.length;
  head[3] = sha256.length;
  for (const [i, value] of [gif.width, gif.height, gif.frames, gif.durationMs, gif.bytes].entries()) {
    head.writeDoubleLE(value ?? Number.NaN, NUMBERS + i * 8);
  }
  head.writeUInt32LE(Buffer.byteLength(url), URL_LENGTH);
  return Buffer.concat([head, Buffer.from(gif.id + sha256 + url + words + flags)]);
}

export function decodeStored(stored: Uint8Array): StoredGif {
  const record = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  const number = (i: number): number => record.readDoubleLE(NUMBERS + i * 8);
  const known = (i: number): number | null => (Number.isFinite(number(i)) ? number(i) : null);
  const [idEnd, shaEnd] = [TEXTS + record[2]!, TEXTS + record[2]! + record[3]!];
  const urlEnd = shaEnd + record.readUInt32LE(URL_LENGTH);
  const id = record.toString('latin1', TEXTS, idEnd);
  const url = urlEnd === shaEnd ? null : record.toString('latin1', shaEnd, urlEnd);
  const sha256 = shaEnd === idEnd ? null : record.toString('latin1', idEnd, shaEnd);
  return {
    id,
    format: FORMATS[record[0]!]!,
    width: number(0),
    height: number(1),
    frames: known(2),
    durationMs: known(3),
    bytes: known(4),
    sha256: url === null ? id.slice(0, 64) : sha256,
    verified: LEVELS[record[1]!]!,
    url,
    ...splitFlags(record.toString('latin1', urlEnd)),
  };
}

function splitFlags(texts: JsonBytes): Pick<StoredGif, keyof typeof FLAGS | 'words'> {
  const flags = { transparent: false, blankStill: false, isKept: false };
  let words = texts;
  for (const name of FLAG_NAMES.toReversed()) {
    flags[name] = words.endsWith(FLAGS[name]);
    if (flags[name]) words = words.slice(0, -FLAGS[name].length);
  }
  return { ...flags, words };
}

/** Returns the JSON text of a value. */
export function toJsonBytes(value: unknown): JsonBytes {
  return Buffer.from(JSON.stringify(value)).toString('latin1');
}

/** Returns the value of a JSON text. */
export function parseJsonBytes(json: JsonBytes): unknown {
  return JSON.parse(Buffer.from(json, 'latin1').toString());
}

/** Returns a function that reads from the files left on disk. The operating system caches bytes that are read often. */
export function readerOf(files: ColdFiles): ReadSection {
  return (section, start, end) => {
    const file = files.get(section)!;
    // The bytes are copied, because text decoders do not accept shared memory.
    if (typeof file !== 'number') return Buffer.from(file.subarray(start, end));
    const bytes = Buffer.allocUnsafe(end - start);
    const read = bytes.length === 0 ? 0 : fs.readSync(file, bytes, 0, bytes.length, start);
    if (read !== bytes.length) throw new BuildError(`section ${section} ends at ${start + read}, before ${end}`);
    return bytes;
  };
}
