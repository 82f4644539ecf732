import { systemClock } from '../../base/clock.ts';
import { ServiceError } from '../../base/errors.ts';
import { counted } from '../../base/plain-text.ts';
import { SHARED_BUILDS } from '../../builds/index.ts';
import { findGif, forgetKept, keptOriginals, pageOfCatalogue } from '../../catalog/index.ts';
import { INCOMING } from '../../ingest/index.ts';
import {
  contentKey,
  damageOf,
  derivativeFile,
  derivativeFiles,
  type Media,
  type MediaSource,
  originalKey,
  VIDEOS,
} from '../../media/index.ts';
import { type BlobStore, eachBlob, FolderBlobs, readBlob, type StoredBlob } from '../../platform/blobs/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { GifRecord } from '../../records/index.ts';
import { type Finding, note, well, wrong } from './finding.ts';

const PAGE = 512;

export interface MediaOptions {
  db: Database;
  blobs: BlobStore;
  /** Folder of incomplete files. */
  folder: string;
  onProgress(progress: { phase: 'originals' | 'derivatives' | 'previews'; done: number; total: number | null }): void;
  signal: AbortSignal;
}

/** A GIF with the files found so far. */
interface Patient {
  source: MediaSource;
  /** Size of an original that must be stored here; null for a linked GIF. */
  bytes: number | null;
  isWhole: boolean;
  /** Keys of the grid previews that have not been found yet. */
  missing: Set<string>;
}

/** Problems found by reading all media. */
export interface MediaFindings {
  originals: number;
  lost: string[];
  damagedOriginals: string[];
  derivatives: number;
  /** Keys of damaged files. */
  damaged: string[];
  /** Keys that belong to no GIF in the catalogue. */
  foreign: string[];
  /** Paths of incomplete files of processes that died. */
  leftovers: string[];
  /** GIFs that lack a preview for grids. */
  bare: MediaSource[];
}

/** Reads every file of the store. Files that are ingested at the same time are never reported as problems. */
export async function findMediaTrouble(options: MediaOptions): Promise<MediaFindings> {
  const { db, blobs, folder } = options;
  const patients = await readCatalogue(db);
  const found: MediaFindings = {
    originals: 0,
    lost: [],
    damagedOriginals: [],
    derivatives: 0,
    damaged: [],
    foreign: [],
    leftovers: await new FolderBlobs(folder).leftovers(systemClock.now()),
    bare: [],
  };
  await lookAtAll({ patients, kept: await keptOriginals(db) }, found, options);
  for (const { source, bytes, isWhole, missing } of [...patients.values()].flat()) {
    if (bytes !== null && !isWhole && (await blobs.head(keyOfOriginal(source))) === null) found.lost.push(source.id);
    if (isWhole && missing.size > 0) found.bare.push(source);
  }
  return found;
}

/** Returns the GIFs, keyed by the name of their derivatives. Several linked GIFs can have the same name. */
async function readCatalogue(db: Database): Promise<Map<string, Patient[]>> {
  const patients = new Map<string, Patient[]>();
  for (let page = await pageOfCatalogue(db, '', PAGE); page.length > 0; ) {
    for (const gif of page) {
      const source = sourceOf(gif);
      const isOwn = gif.url === null;
      const missing = new Set(isOwn ? firstPreviews(source).map(({ key }) => key) : []);
      const patient = { source, bytes: isOwn ? gif.bytes : null, isWhole: false, missing };
      const name = contentKey(source);
      const sharing = patients.get(name);
      if (sharing === undefined) patients.set(name, [patient]);
      else sharing.push(patient);
    }
    page = await pageOfCatalogue(db, page.at(-1)!.id, PAGE);
  }
  return patients;
}

function sourceOf(gif: GifRecord): MediaSource {
  const { id, format, width, height, frames, durationMs, sha256, url } = gif;
  const facts = { id, format, width, height, frames, durationMs, url };
  return url === null ? { ...facts, sha256 } : { ...facts, sha256: null, expectedSha256: sha256 };
}

function firstPreviews(source: MediaSource) {
  const files = (['animated', 'still'] as const).map((kind) => derivativeFile(source, { fit: 'w240', kind }));
  return files.filter((file) => file !== null);
}

interface KnownMedia {
  patients: ReadonlyMap<string, Patient[]>;
  /** Hashes of stored originals of linked GIFs. */
  kept: ReadonlySet<string>;
}

/** Prefixes of keys in a store that are not media. */
const NO_MEDIA = [SHARED_BUILDS, INCOMING];

async function lookAtAll(
  { patients, kept }: KnownMedia,
  found: MediaFindings,
  { db, blobs, onProgress, signal }: MediaOptions,
): Promise<void> {
  const total = [...patients.values()].flat().filter(({ bytes }) => bytes !== null).length;
  await eachBlob(blobs.list(''), async (blob) => {
    signal.throwIfAborted();
    if (NO_MEDIA.some((prefix) => blob.key.startsWith(prefix))) return;
    const name = nameIn(blob.key);
    const of = (patients.get(name) ?? []).find((patient) => explains(patient, blob.key));
    if (of === undefined && blob.key.startsWith('orig/') && kept.has(name)) {
      await lookAtKept(blob, { found, blobs });
      onProgress({ phase: 'derivatives', done: ++found.derivatives, total: null });
    } else if (of === undefined) {
      // The file may have been ingested after the catalogue was read.
      if ((await findGif(db, `${name}.gif`)) === undefined || patients.has(name)) found.foreign.push(blob.key);
    } else if (blob.key.startsWith('orig/')) {
      await lookAtOriginal(of, blob, { found, blobs });
      onProgress({ phase: 'originals', done: ++found.originals, total });
    } else {
      await lookAtDerivative(of, blob, { found, blobs });
      onProgress({ phase: 'derivatives', done: ++found.derivatives, total: null });
    }
  });
}

/** Returns the hash in a key, or an empty string if there is none. */
function nameIn(key: string): string {
  return /\/([0-9a-f]{64})\.\w+$/.exec(key)?.[1] ?? '';
}

function explains({ source, bytes }: Patient, key: string): boolean {
  if (key.startsWith('orig/')) return bytes !== null && key === keyOfOriginal(source);
  const videos = VIDEOS.map((video) => derivativeFile(source, video)?.key);
  return videos.includes(key) || derivativeFiles(source).some((file) => file.key === key);
}

function keyOfOriginal({ sha256, format }: MediaSource): string {
  return originalKey(sha256!, format);
}

interface Looking {
  found: MediaFindings;
  blobs: BlobStore;
}

async function lookAtOriginal(patient: Patient, { key, bytes }: StoredBlob, { found, blobs }: Looking): Promise<void> {
  const file = bytes === patient.bytes ? await readBlob(blobs, key) : null;
  if (file !== null && damageOf(key, file) === null) patient.isWhole = true;
  else found.damagedOriginals.push(key);
}

/** Checks a stored original of a linked GIF. It can be fetched again, just as a derivative can be made again. */
async function lookAtKept({ key }: StoredBlob, { found, blobs }: Looking): Promise<void> {
  const file = await readBlob(blobs, key);
  if (file !== null && damageOf(key, file) !== null) found.damaged.push(key);
}

async function lookAtDerivative({ missing }: Patient, { key }: StoredBlob, { found, blobs }: Looking): Promise<void> {
  const file = await readBlob(blobs, key);
  if (file !== null && damageOf(key, file) === null) missing.delete(key);
  else if (file !== null) found.damaged.push(key);
}

/** Returns the findings if nothing is repaired. */
export function describeMedia(found: MediaFindings): Finding[] {
  const { originals, lost, damagedOriginals, derivatives, damaged } = found;
  return [
    ...describeOriginals(originals, lost, damagedOriginals),
    damaged.length === 0
      ? well('derivatives', `${derivatives} previews and videos are intact`)
      : wrong(
          'derivatives',
          `${damaged.length} of ${derivatives} are damaged; remove them with zoetrope doctor --repair`,
          damaged,
        ),
    ...describeBare(found.bare),
    found.leftovers.length === 0
      ? well('leftovers', 'there are no incomplete files')
      : note(
          'leftovers',
          `${counted(found.leftovers.length, 'file is', 'files are')} incomplete; --repair removes what is incomplete`,
          found.leftovers,
        ),
    ...describeForeign(found.foreign),
  ];
}

/** Repairs files that can be regenerated, and reports the repairs. Originals are never changed. */
export async function repairMedia(found: MediaFindings, media: Media, options: MediaOptions): Promise<Finding[]> {
  const { blobs, folder, onProgress, signal } = options;
  for (const key of found.damaged) {
    await blobs.delete(key);
    if (key.startsWith('orig/')) await forgetKept(options.db, nameIn(key));
  }
  const swept = await new FolderBlobs(folder).sweep(systemClock.now());
  const failed: string[] = [];
  let done = 0;
  await eachBlob(found.bare, async (source) => {
    signal.throwIfAborted();
    if (!(await makeFirstPreviews(source, media))) failed.push(source.id);
    onProgress({ phase: 'previews', done: ++done, total: found.bare.length });
  });
  const made = found.bare.length - failed.length;
  return [
    ...describeOriginals(found.originals, found.lost, found.damagedOriginals),
    well('derivatives', `${found.derivatives - found.damaged.length} are intact, ${found.damaged.length} were removed`),
    failed.length === 0
      ? well('first previews', `${made} were made`)
      : wrong('first previews', `${made} were made, those of ${counted(failed.length, 'GIF')} failed`, failed),
    well('leftovers', `${swept} incomplete files were removed`),
    ...describeForeign(found.foreign),
  ];
}

/** @returns whether the previews exist now */
async function makeFirstPreviews(source: MediaSource, media: Media): Promise<boolean> {
  try {
    for (const kind of ['animated', 'still'] as const) {
      const preview = { fit: 'w240', kind } as const;
      if (derivativeFile(source, preview) !== null) await media.ensure(source, preview);
    }
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    return false;
  }
}

function describeOriginals(originals: number, lost: string[], damaged: string[]): Finding[] {
  const whole = originals - damaged.length;
  if (lost.length + damaged.length === 0) return [well('originals', `${whole} are intact`)];
  const findings: Finding[] = [];
  const back = 'copy them from the other store with zoetrope media pull or push, or add the files again';
  if (lost.length > 0) findings.push(wrong('originals', `${lost.length} are missing: ${back}`, lost));
  if (damaged.length > 0) {
    findings.push(wrong('originals', `${damaged.length} are damaged: move them away, then ${back}`, damaged));
  }
  return findings;
}

function describeBare(bare: readonly MediaSource[]): Finding[] {
  if (bare.length === 0) return [well('first previews', 'every stored GIF has them')];
  const message = `${counted(bare.length, 'GIF lacks', 'GIFs lack')} them; the service makes them on request, and --repair makes them now`;
  return [
    note(
      'first previews',
      message,
      bare.map(({ id }) => id),
    ),
  ];
}

function describeForeign(foreign: string[]): Finding[] {
  if (foreign.length === 0) return [well('foreign files', 'there are none')];
  return [note('foreign files', `${foreign.length} belong to no GIF in the catalogue and are not needed`, foreign)];
}
