import fs from 'node:fs';
import { BuildError, type ReadSection } from '@zoetrope/search';
import { type GifRecord, LEVELS } from '../catalog/index.ts';

/** Sections that are not searched, by name: open files, or shared memory if the disk had no room for them. */
export type ColdFiles = Map<string, number | Uint8Array>;

/**
 * Stored fields of a GIF: everything that a response shows. `url` is null if we serve
 * the original.
 */
export type StoredGif = Pick<
  GifRecord,
  | 'id'
  | 'format'
  | 'width'
  | 'height'
  | 'frames'
  | 'durationMs'
  | 'bytes'
  | 'title'
  | 'tags'
  | 'lqip'
  | 'url'
  | 'sha256'
  | 'verified'
>;

type Tuple = [
  StoredGif['format'],
  StoredGif['width'],
  StoredGif['height'],
  StoredGif['frames'],
  StoredGif['durationMs'],
  StoredGif['bytes'],
  StoredGif['title'],
  StoredGif['tags'],
  StoredGif['lqip'],
  StoredGif['url'],
  StoredGif['sha256'],
  number,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A JSON array instead of an object: for a million GIFs, the field names would take more room than the values. */
export function encodeStored(gif: GifRecord): Uint8Array {
  // The id of own files contains their hash.
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
  // TextDecoder does not accept shared memory, so the few bytes are copied.
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

/** Reads from the files left on disk; the system caches what is read often. */
export function readerOf(files: ColdFiles): ReadSection {
  return (section, start, end) => {
    const file = files.get(section)!;
    // A copy, because text decoders do not accept shared memory.
    if (typeof file !== 'number') return Buffer.from(file.subarray(start, end));
    const bytes = Buffer.allocUnsafe(end - start);
    const read = bytes.length === 0 ? 0 : fs.readSync(file, bytes, 0, bytes.length, start);
    if (read !== bytes.length) throw new BuildError(`section ${section} ends at ${start + read}, before ${end}`);
    return bytes;
  };
}
