import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { VERSION } from '../base/version.ts';
import { type ShownPolicy, snapshot } from '../catalog/index.ts';
import { type Database, inSnapshot } from '../platform/db/index.ts';
import { makeFolderDurably, replaceDurably } from '../platform/files/index.ts';
import { areChangesKnown, changedSince, revision } from '../records/index.ts';
import { isFollowed, writeRow } from './gif-row.ts';
import {
  CATALOGUE_LIMITS,
  fileOf,
  hashOf,
  MANIFEST,
  type Manifest,
  type Part,
  PLACE_BITS,
  partAt,
  placeOf,
  readManifest,
  type SignedManifest,
  signManifest,
  unpackLines,
} from './manifest.ts';
import { notePublication, publishedRevision } from './publications.ts';

/**
 * Target for the average number of GIFs per part when the number of parts is chosen. The number of parts changes only
 * if the average is outside the two bounds, because such a change affects all parts.
 */
const GIFS_IN_PART = 800;
const [FEWEST_IN_PART, MOST_IN_PART] = [150, 900];
/** Number of GIFs that are read together. */
const BATCH = 1_000;
/** Time for which a replaced part can still be read, in seconds, and the number of such parts per current file. */
const KEPT_S = 3_600;
const KEPT_SHARE = 2;

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
  /** Number of GIFs that were read now and that followers could not read, for example because they have too many tags. */
  left: number;
}

/**
 * Writes the GIFs that the service shows and that it does not have from other catalogues. If possible, reads only the
 * GIFs that have changed since the previous manifest, and writes only their parts. Parts that have not changed keep
 * their file. Replaced parts stay for a while, because somebody may be reading them.
 */
export async function publishCatalogue(options: PublishOptions): Promise<Publication> {
  const { db, folder, key, name, url, now } = options;
  await makeFolderDurably(folder);
  const signed = await lastManifest(folder);
  const before = signed?.manifest;
  const settings = settingsOf(options);
  const { parts, bits, changed, left, revision } =
    (await updateParts(options, signed, settings)) ?? (await writeAllParts(options, before?.bits));
  const filled = parts.filter((part) => part !== null);
  const gifs = filled.reduce((sum, part) => sum + part.gifs, 0);
  const about = { format: 1 as const, name, url, gifs, bits, parts };
  const result = { gifs, parts: filled.length, changed, left };
  if (signed !== undefined && JSON.stringify({ ...before, ...about }) === JSON.stringify(before)) {
    await notePublication(db, { manifest: signed.id, revision, settings });
    return { generation: signed.manifest.generation, ...result };
  }
  const generation = Math.max((before?.generation ?? 0) + 1, now);
  const event = signManifest({ ...about, generation }, key);
  await replaceDurably(path.join(folder, MANIFEST), JSON.stringify(event));
  await notePublication(db, { manifest: event.id, revision, settings, replaces: signed?.id });
  await sweep(folder, { parts, replaced: before?.parts ?? [], now });
  return { generation, ...result };
}

/** Returns everything, except the catalogue itself, on which the lines of the parts depend. */
function settingsOf({ policy, mediaUrl }: PublishOptions): string {
  const { heldBack, links } = policy;
  return JSON.stringify({ heldBack, links, mediaUrl, version: VERSION });
}

interface Row {
  id: string;
  place: number;
  line: string;
}

interface ReadRows {
  rows: Row[];
  left: number;
}

/** The parts of a catalogue, and the revision that they show. */
interface WrittenParts {
  parts: Manifest['parts'];
  bits: number;
  changed: number;
  left: number;
  revision: number;
}

async function writeAllParts(options: PublishOptions, bitsBefore: number | undefined): Promise<WrittenParts> {
  const { db, folder } = options;
  const { rows, left, now } = await inSnapshot(db, async (trx) => ({
    ...(await readRows(options, trx)),
    now: await revision(trx),
  }));
  const bits = bitsFor(rows.length, bitsBefore);
  const parts = Array.from({ length: 2 ** bits }, () => null);
  const byPart = Map.groupBy(rows, ({ place }) => partAt(place, bits));
  return { ...(await writeParts(folder, parts, byPart)), bits, left, revision: now };
}

/**
 * Writes the parts of the GIFs that have changed.
 * @returns undefined if all parts must be written: the changes are not known, a part is damaged, the settings have
 * changed, or the number of parts must change
 */
async function updateParts(
  options: PublishOptions,
  signed: SignedManifest | undefined,
  settings: string,
): Promise<WrittenParts | undefined> {
  if (signed === undefined) return undefined;
  const { parts, bits, gifs } = signed.manifest;
  const since = await publishedRevision(options.db, { manifest: signed.id, settings });
  const changes = since === undefined ? undefined : await readChangedRows(options, since);
  if (changes === undefined) return undefined;
  const { ids, rows, left, now } = changes;
  const byPart = new Map<number, Row[]>();
  let count = gifs;
  for (const number of new Set(ids.map((id) => partAt(placeOf(id), bits)))) {
    const before = await readLines(options.folder, parts[number]!);
    if (before === undefined) return undefined;
    const own = rows.filter(({ place }) => partAt(place, bits) === number);
    byPart.set(number, [...before.filter(({ id }) => !changes.changed.has(id)), ...own]);
    count += byPart.get(number)!.length - before.length;
  }
  if (bitsFor(count, bits) !== bits) return undefined;
  return { ...(await writeParts(options.folder, parts, byPart)), bits, left, revision: now };
}

/** Reads the GIFs that have changed after a revision. @returns undefined if the changes are not known */
async function readChangedRows(options: PublishOptions, since: number) {
  return inSnapshot(options.db, async (trx) => {
    if (!(await areChangesKnown(trx, since))) return undefined;
    const ids = await changedSince(trx, since);
    return { ids, changed: new Set(ids), ...(await readRows(options, trx, ids)), now: await revision(trx) };
  });
}

/** @param only ids of the GIFs to read. If missing, all are read. */
async function readRows(
  { policy, mediaUrl, onProgress, signal }: PublishOptions,
  trx: Database,
  only?: readonly string[],
): Promise<ReadRows> {
  const rows: Row[] = [];
  let left = 0;
  for await (const gifs of snapshot(trx, BATCH, policy, only)) {
    signal.throwIfAborted();
    for (const gif of gifs) {
      if (gif.adult || isFollowed(gif)) continue;
      const line = writeRow(gif, mediaUrl);
      if (line === undefined) left++;
      else rows.push({ id: gif.id, place: placeOf(gif.id), line });
    }
    onProgress(rows.length);
  }
  return { rows, left };
}

/** Returns the lines of a published part, or undefined if its file is damaged. */
async function readLines(folder: string, part: Part | null): Promise<Row[] | undefined> {
  if (part === null) return [];
  const bytes = await fs.readFile(path.join(folder, fileOf(part.sha256))).catch(() => Buffer.alloc(0));
  if (hashOf(bytes) !== part.sha256) return undefined;
  return (await unpackLines(bytes)).map((line) => {
    const { id } = JSON.parse(line) as { id: string };
    return { id, place: placeOf(id), line };
  });
}

/** Returns the previous manifest, or undefined if it is missing or cannot be read. */
async function lastManifest(folder: string): Promise<SignedManifest | undefined> {
  try {
    return readManifest(await fs.readFile(path.join(folder, MANIFEST)));
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

/** Writes some parts. @param before all parts. Parts that are not in `byPart` stay */
async function writeParts(
  folder: string,
  before: Manifest['parts'],
  byPart: ReadonlyMap<number, readonly Row[]>,
): Promise<{ parts: Manifest['parts']; changed: number }> {
  const parts = [...before];
  let changed = 0;
  for (const [number, rows] of byPart) {
    parts[number] = null;
    if (rows.length === 0) continue;
    const { part, isNew } = await writePart(folder, rows);
    parts[number] = part;
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
  const sha256 = hashOf(bytes);
  const file = path.join(folder, fileOf(sha256));
  const isNew = !(await fs.stat(file).then(
    ({ size }) => size === bytes.length,
    () => false,
  ));
  if (isNew) await replaceDurably(file, bytes);
  return { part: { sha256, bytes: bytes.length, gifs: rows.length }, isNew };
}

/**
 * Removes files of earlier generations. The latest of these files stay for a while. @param now seconds since the Unix
 * epoch
 */
async function sweep(
  folder: string,
  { parts, replaced, now }: { parts: Manifest['parts']; replaced: Manifest['parts']; now: number },
): Promise<void> {
  const namesOf = (some: Manifest['parts']) => some.flatMap((part) => (part === null ? [] : [fileOf(part.sha256)]));
  const current = new Set([MANIFEST, ...namesOf(parts)]);
  for (const name of namesOf(replaced)) {
    if (!current.has(name)) await fs.utimes(path.join(folder, name), now, now).catch(ignoreMissing);
  }
  const others: { file: string; replacedAt: number }[] = [];
  for (const name of await fs.readdir(folder)) {
    const file = path.join(folder, name);
    if (!current.has(name)) others.push({ file, replacedAt: (await fs.stat(file)).mtimeMs / 1_000 });
  }
  others.sort((a, b) => b.replacedAt - a.replacedAt);
  const most = KEPT_SHARE * current.size;
  for (const [at, { file, replacedAt }] of others.entries()) {
    if (at >= most || replacedAt < now - KEPT_S) await fs.rm(file, { force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
