import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ShownPolicy, snapshot } from '../catalog/index.ts';
import { type Database, inSnapshot } from '../platform/db/index.ts';
import { makeFolderDurably, replaceDurably } from '../platform/files/index.ts';
import { isFollowed, writeRow } from './gif-row.ts';
import {
  CATALOGUE_LIMITS,
  MANIFEST,
  type Manifest,
  type Part,
  PLACE_BITS,
  partAt,
  placeOf,
  readManifest,
  signManifest,
} from './manifest.ts';

/**
 * Average number of GIFs of a part when the number of parts is chosen. It is chosen again outside of the two bounds,
 * because another number of parts changes all parts.
 */
const GIFS_IN_PART = 800;
const [FEWEST_IN_PART, MOST_IN_PART] = [150, 900];
/** Number of GIFs that are read together. */
const BATCH = 1_000;

const compress = promisify(gzip);

export interface PublishOptions {
  db: Database;
  policy: ShownPolicy;
  /** Folder of the published files. */
  folder: string;
  /** Secret key that signs the manifest. */
  key: Uint8Array;
  /** Public base URL of the media. */
  mediaUrl: string;
  /** Name and URL of this service. */
  name: string;
  url: string;
  /** Seconds since the Unix epoch. */
  now: number;
  onProgress(done: number): void;
  signal: AbortSignal;
}

/** What was published. */
export interface Publication {
  generation: number;
  gifs: number;
  parts: number;
  /** Number of parts that were written. */
  changed: number;
  /** Number of GIFs that followers could not read, for example because they have too many tags. */
  left: number;
}

/**
 * Writes the GIFs that the service shows and that it does not have from other catalogues. Parts that have not changed
 * keep their file. The parts of the generation before stay, because somebody may be reading them.
 */
export async function publishCatalogue(options: PublishOptions): Promise<Publication> {
  const { folder, key, name, url, now } = options;
  await makeFolderDurably(folder);
  const { rows, left } = await readRows(options);
  const before = await lastManifest(folder);
  const bits = bitsFor(rows.length, before?.bits);
  const { parts, changed } = await writeParts(folder, rows, bits);
  const about = { format: 1 as const, name, url, gifs: rows.length, bits, parts };
  const count = parts.filter((part) => part !== null).length;
  const result = { gifs: rows.length, parts: count, changed, left };
  if (before !== undefined && JSON.stringify({ ...before, ...about }) === JSON.stringify(before)) {
    return { generation: before.generation, ...result };
  }
  const generation = Math.max((before?.generation ?? 0) + 1, now);
  await replaceDurably(path.join(folder, MANIFEST), signManifest({ ...about, generation }, key));
  await sweep(folder, [...parts, ...(before?.parts ?? [])]);
  return { generation, ...result };
}

interface Row {
  id: string;
  place: number;
  line: string;
}

async function readRows({
  db,
  policy,
  mediaUrl,
  onProgress,
  signal,
}: PublishOptions): Promise<{ rows: Row[]; left: number }> {
  const rows: Row[] = [];
  let left = 0;
  await inSnapshot(db, async (trx) => {
    for await (const gifs of snapshot(trx, BATCH, policy)) {
      signal.throwIfAborted();
      for (const gif of gifs) {
        if (gif.adult || isFollowed(gif)) continue;
        const line = writeRow(gif, mediaUrl);
        if (line === undefined) left++;
        else rows.push({ id: gif.id, place: placeOf(gif.id), line });
      }
      onProgress(rows.length);
    }
  });
  return { rows, left };
}

/** Returns the previous manifest, or undefined if there is none that can be read. */
async function lastManifest(folder: string): Promise<Manifest | undefined> {
  try {
    return readManifest(await fs.readFile(path.join(folder, MANIFEST))).manifest;
  } catch {
    return undefined; // everything is written again, under a later generation
  }
}

function bitsFor(gifs: number, before: number | undefined): number {
  const average = (bits: number) => gifs / 2 ** bits;
  const fits = (bits: number) => average(bits) <= MOST_IN_PART && (bits === 0 || average(bits) >= FEWEST_IN_PART);
  if (before !== undefined && fits(before)) return before;
  let bits = 0;
  while (bits < PLACE_BITS && average(bits) > GIFS_IN_PART) bits++;
  return bits;
}

async function writeParts(
  folder: string,
  rows: readonly Row[],
  bits: number,
): Promise<{ parts: Manifest['parts']; changed: number }> {
  const byPart = Map.groupBy(rows, ({ place }) => partAt(place, bits));
  const parts: Manifest['parts'] = [];
  let changed = 0;
  for (let number = 0; number < 2 ** bits; number++) {
    const own = byPart.get(number);
    if (own === undefined) {
      parts.push(null);
      continue;
    }
    const { part, isNew } = await writePart(folder, own);
    parts.push(part);
    if (isNew) changed++;
  }
  return { parts, changed };
}

async function writePart(folder: string, rows: readonly Row[]): Promise<{ part: Part; isNew: boolean }> {
  const sorted = rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const bytes = await compress(sorted.map(({ line }) => `${line}\n`).join(''));
  if (bytes.length > CATALOGUE_LIMITS.partBytes) {
    throw new Error(`a part of the catalogue has ${bytes.length} bytes, more than followers read`);
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = path.join(folder, fileOf(sha256));
  const isNew = !(await fs.stat(file).then(
    ({ size }) => size === bytes.length,
    () => false,
  ));
  if (isNew) await replaceDurably(file, bytes);
  return { part: { sha256, bytes: bytes.length, gifs: rows.length }, isNew };
}

/** Returns the name of the file of a part. */
export function fileOf(sha256: string): string {
  return `${sha256}.jsonl.gz`;
}

/** Removes the files of earlier generations. */
async function sweep(folder: string, parts: Manifest['parts']): Promise<void> {
  const kept = new Set([MANIFEST, ...parts.flatMap((part) => (part === null ? [] : [fileOf(part.sha256)]))]);
  for (const name of await fs.readdir(folder)) {
    if (!kept.has(name)) await fs.rm(path.join(folder, name), { force: true });
  }
}
