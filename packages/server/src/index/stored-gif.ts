import type { GifFormat } from '@zoetrope/contract';
import { type GifRecord, LEVELS, type Verified } from '../catalog/index.ts';

/** What a build keeps of a GIF beside its words in the index: all that an answer shows of it. */
export interface StoredGif {
  id: string;
  format: GifFormat;
  width: number;
  height: number;
  frames: number | null;
  durationMs: number | null;
  bytes: number | null;
  title: string;
  tags: string[];
  lqip: string | null;
  /** Where the original of a linked GIF lies; null when we serve it. */
  url: string | null;
  /** Hash of the original's bytes, verified or claimed. */
  sha256: string | null;
  /** What was read from the file itself. */
  verified: Verified;
}

type Tuple = [
  GifFormat,
  number,
  number,
  number | null,
  number | null,
  number | null,
  string,
  string[],
  string | null,
  string | null,
  string | null,
  number,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A JSON array rather than an object: at a million GIFs the field names would weigh more than the fields. */
export function encodeStored(gif: GifRecord): Uint8Array {
  // Our own bytes carry their hash in the id.
  const sha256 = gif.url === null ? null : gif.sha256;
  const tuple: Tuple = [
    gif.format,
    gif.width,
    gif.height,
    gif.frames,
    gif.durationMs,
    gif.bytes,
    gif.title,
    gif.tags,
    gif.lqip,
    gif.url,
    sha256,
    LEVELS.indexOf(gif.verified),
  ];
  return encoder.encode(JSON.stringify(tuple));
}

export function decodeStored(id: string, stored: Uint8Array): StoredGif {
  // TextDecoder refuses shared memory, so the few bytes are copied out first.
  const tuple = JSON.parse(decoder.decode(Uint8Array.prototype.slice.call(stored))) as Tuple;
  const [format, width, height, frames, durationMs, bytes, title, tags, lqip, url, sha256, level] = tuple;
  const hash = url === null ? id.slice(0, 64) : sha256;
  return {
    id,
    format,
    width,
    height,
    frames,
    durationMs,
    bytes,
    title,
    tags,
    lqip,
    url,
    sha256: hash,
    verified: LEVELS[level]!,
  };
}
