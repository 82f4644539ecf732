import { createHash } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { loadBuild, readWholePublished } from '../builds/index.ts';
import { countGifs } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import { BuildError, OFFENSIVE_FILE, SYNONYMS_FILE } from '../index/index.ts';
import { dropFileJobs } from '../ingest/index.ts';
import { damageOf, originalKey } from '../media/index.ts';
import { originalsHere } from '../moderation/index.ts';
import { type BlobStore, copyBlobs, FolderBlobs, openBlobs } from '../platform/blobs/index.ts';
import {
  checkPostgres,
  closePostgres,
  copyTables,
  type Database,
  LASTING,
  migrate,
  openDatabase,
  tablesOf,
  thaw,
} from '../platform/db/index.ts';
import { makeFolderDurably, syncFile, syncFolder, writeDurably } from '../platform/files/index.ts';
import { DATA_MIGRATIONS, foldersOf, openCatalogue, UNFINISHED } from '../service/index.ts';

/*
 * A backup is a folder with the layout of the data folder, and a note that is written last:
 *
 *   zoetrope.db, synonyms.txt, offensive.txt, media/orig/ (with --all also media/d/), builds/current and the segments
 *   of that build, backup.json
 *
 * The database is copied from the data folder or PostgreSQL, and the media from the data folder or the bucket. The
 * build is copied first and the originals last. Originals are stored before they are in the catalogue, so the backup
 * has every original of the copied catalogue. After a restore, a build that is older than its catalogue is rebuilt.
 */

const NOTE = 'backup.json';
const FORMAT = 1;
/** The mode of files that only the service and its operator can read. */
const OWNER_ONLY = 0o600;

/** The note that a complete backup has. */
export interface Note {
  format: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** SHA-256 of the database. */
  database: string;
  gifs: number;
  build: string | null;
  /** Whether the backup includes previews and videos. */
  all: boolean;
  /** True if the backup does not include media. */
  withoutMedia?: boolean;
}

/** The media in a backup. Use `none` if the bucket has its own backups. */
export type MediaChoice = 'none' | 'originals' | 'all';

export interface BackupTask {
  onProgress(progress: { phase: 'rows' | 'originals' | 'derivatives'; done: number; total: number }): void;
  signal: AbortSignal;
}

export interface BackupResult extends Note {
  /** Number of media files and bytes that this call copied. Files that already existed do not count. */
  copied: number;
  bytes: number;
  /** Parts of this service that are not included. */
  missing: string[];
  /** Damaged files, which were not copied, with the reason. */
  damaged: { key: string; damage: string }[];
}

/**
 * Copies to a folder all data that cannot be regenerated. A service can run and ingest at the same time. The copy can
 * be interrupted and resumed.
 * @throws OperatorError if the folder contains something else
 */
export async function backUp(
  config: Config,
  target: string,
  { media, ...task }: BackupTask & { media: MediaChoice },
): Promise<BackupResult> {
  const folders = foldersOf(config.service.data);
  const { databaseUrl } = config.registry;
  if (databaseUrl === '' && !fs.existsSync(folders.database)) {
    throw new OperatorError(`There is no catalogue in ${config.service.data} (ZOETROPE_DATA): nothing to back up`);
  }
  await begin(target, 'a backup');
  const build = await copyBuild(folders.builds, path.join(target, 'builds'));
  const { gifs, database } =
    databaseUrl === '' ? await copyDatabase(folders.database, target) : await copyShared(databaseUrl, target, task);
  await copyWords(config.service.data, target);
  const to = new FolderBlobs(path.join(target, 'media'));
  const copied = await copyMedia(openBlobs(config.s3, folders.media, 0), to, { media, ...task });
  // The note means that the backup is complete, so it must be written after all other files are on the disk.
  await syncAll(path.join(target, 'builds'));
  await syncFile(path.join(target, 'zoetrope.db'));
  const note: Note = {
    format: FORMAT,
    at: systemClock.now(),
    database,
    gifs,
    build,
    all: media === 'all',
    withoutMedia: media === 'none',
  };
  await writeDurably(path.join(target, NOTE), JSON.stringify(note, null, 2), OWNER_ONLY);
  await complete(target);
  return { ...note, ...copied, missing: elsewhere(media) };
}

export interface RestoreResult extends BackupResult {
  /** Originals that are in the catalogue but not in the backup. */
  lost: string[];
}

/**
 * Restores a backup into an empty data folder, and its media into the bucket if there is one. Checks every file. Can be
 * interrupted and resumed.
 * @throws OperatorError if the data folder is not empty, or the backup is invalid, unfinished or damaged
 */
export async function restore(config: Config, from: string, task: BackupTask): Promise<RestoreResult> {
  const note = await readNote(from);
  const source = foldersOf(from);
  const target = config.service.data;
  const folders = foldersOf(target);
  await begin(target, 'a data folder that is being restored');
  await fsp.rm(folders.builds, { recursive: true, force: true });
  const build = await copyBuild(source.builds, folders.builds);
  const blobs = openBlobs(config.s3, folders.media, 0);
  const media = mediaIn(note);
  const copied = await copyMedia(new FolderBlobs(source.media), blobs, { media, ...task });
  await copyWords(from, target);
  await fsp.copyFile(source.database, folders.database);
  await syncAll(folders.builds);
  await syncFile(folders.database);
  const lost = media === 'none' ? [] : await findLost(folders.database, blobs, task.signal);
  await complete(target);
  return { ...note, build, ...copied, lost, missing: elsewhere(media) };
}

/** Returns the media in a backup. */
export function mediaIn({ all, withoutMedia }: Note): MediaChoice {
  return withoutMedia ? 'none' : all ? 'all' : 'originals';
}

/** Creates a folder, or continues with an unfinished folder. */
async function begin(folder: string, what: string): Promise<void> {
  await makeFolderDurably(path.dirname(path.resolve(folder)));
  await fsp.mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await fsp.readdir(folder);
  if (names.length > 0 && !names.includes(UNFINISHED)) {
    throw new OperatorError(`${folder} is not empty. Choose a new folder for ${what}, or empty this one`);
  }
  await writeDurably(path.join(folder, UNFINISHED), `${what}; run the same command again to continue\n`, OWNER_ONLY);
  // The mark must be on the disk before anything that it marks.
  await syncFolder(folder);
}

/** Removes the mark of an unfinished folder when everything is on the disk. */
async function complete(folder: string): Promise<void> {
  await syncFolder(folder);
  await fsp.rm(path.join(folder, UNFINISHED));
  await syncFolder(folder);
  // A new folder's entry in its parent must also be synced.
  await syncFolder(path.dirname(path.resolve(folder)));
}

/** Syncs a folder with all its content, if it exists. */
async function syncAll(folder: string): Promise<void> {
  if (!fs.existsSync(folder)) return;
  for (const entry of await fsp.readdir(folder, { recursive: true, withFileTypes: true })) {
    const sync = entry.isDirectory() ? syncFolder : syncFile;
    await sync(path.join(entry.parentPath, entry.name));
  }
  await syncFolder(folder);
}

/**
 * Maximum number of attempts to copy a build. Several attempts can be needed, because publishing deletes old builds,
 * possibly while they are being copied.
 */
const ATTEMPTS = 5;

/**
 * Copies the published build.
 * @returns the build's name, or null if the build is missing or damaged. In that case, it can be rebuilt.
 */
async function copyBuild(from: string, to: string): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const published = await readWholePublished(from);
    if (published === undefined) return null;
    await fsp.rm(to, { recursive: true, force: true });
    try {
      for (const segment of [...published.earlier, published.build])
        await fsp.cp(path.join(from, segment), path.join(to, segment), { recursive: true });
      await loadBuild(to, published, 1);
      await writeDurably(path.join(to, 'current'), `${published.build}\n`, OWNER_ONLY);
      return published.build;
    } catch (error) {
      const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isGone && !(error instanceof BuildError)) throw error;
      await fsp.rm(to, { recursive: true, force: true });
      if (attempt === ATTEMPTS || !isGone) return null;
    }
  }
}

/** Makes a consistent copy of the database, even while other processes write to the database. */
async function copyDatabase(file: string, target: string): Promise<Pick<Note, 'database' | 'gifs'>> {
  const copy = path.join(target, 'zoetrope.db');
  for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) await fsp.rm(name, { force: true });
  const db = openDatabase(file, { readonly: true });
  try {
    await sql`vacuum into ${copy}`.execute(db);
  } finally {
    await db.destroy();
  }
  const saved = openDatabase(copy);
  try {
    // The copied database can be frozen, because its catalogue was moved to PostgreSQL. It must be possible to change a
    // restored backup.
    await thaw(saved);
  } finally {
    await saved.destroy();
  }
  const database = await hashOf(copy);
  return { database, gifs: await withDatabase(copy, countGifs) };
}

/**
 * Makes a consistent copy of the catalogue and clients in PostgreSQL. The copy has the form of a data folder's
 * database.
 */
async function copyShared(url: string, target: string, task: BackupTask): Promise<Pick<Note, 'database' | 'gifs'>> {
  const copy = path.join(target, 'zoetrope.db');
  for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) await fsp.rm(name, { force: true });
  const shared = openCatalogue(url, LASTING);
  const own = openDatabase(copy);
  try {
    await checkPostgres(shared);
    await migrate(own, DATA_MIGRATIONS);
    const onProgress = (progress: { done: number; total: number }) => task.onProgress({ phase: 'rows', ...progress });
    await copyTables(shared, own, new Set((await tablesOf(own)).filter((name) => name !== 'nodes')), {
      signal: task.signal,
      onProgress,
    });
    // Jobs for files are removed, because their files are on machines or in the bucket, but not in the backup.
    await dropFileJobs(own);
  } finally {
    await closePostgres(shared);
    // Closing moves the write-ahead log into the file.
    await own.destroy();
  }
  return { database: await hashOf(copy), gifs: await withDatabase(copy, countGifs) };
}

/**
 * Copies the operator's word lists, if they are in the folder. A file that a setting names does not belong to the
 * service.
 */
async function copyWords(from: string, to: string): Promise<void> {
  for (const name of [SYNONYMS_FILE, OFFENSIVE_FILE]) {
    const source = path.join(from, name);
    if (!fs.existsSync(source)) continue;
    await fsp.copyFile(source, path.join(to, name));
    await syncFile(path.join(to, name));
  }
}

export const PHASES = { none: [], originals: ['originals'], all: ['originals', 'derivatives'] } as const;
export const PREFIXES = { originals: 'orig/', derivatives: 'd/' } as const;

async function copyMedia(
  from: BlobStore,
  to: BlobStore,
  { media, onProgress, signal }: BackupTask & { media: MediaChoice },
) {
  const sum: Pick<BackupResult, 'copied' | 'bytes' | 'damaged'> = { copied: 0, bytes: 0, damaged: [] };
  for (const phase of PHASES[media]) {
    const { copied, bytes, damaged } = await copyBlobs(from, to, {
      prefix: PREFIXES[phase],
      damageOf,
      onProgress: (done, total) => onProgress({ phase, done, total }),
      signal,
    });
    sum.copied += copied;
    sum.bytes += bytes;
    sum.damaged.push(...damaged);
  }
  return sum;
}

/** Returns the ids of the GIFs in a catalogue whose original is not in a store. */
export async function findLost(database: string, blobs: BlobStore, signal: AbortSignal): Promise<string[]> {
  const there = new Set<string>();
  for await (const { key } of blobs.list('orig/')) there.add(key);
  const lost: string[] = [];
  await withDatabase(database, async (db) => {
    for await (const { id, sha256, format } of originalsHere(db)) {
      signal.throwIfAborted();
      if (!there.has(originalKey(sha256, format))) lost.push(id);
    }
  });
  return lost;
}

async function withDatabase<Result>(file: string, act: (db: Database) => Promise<Result>): Promise<Result> {
  const db = openDatabase(file, { readonly: true });
  try {
    return await act(db);
  } finally {
    await db.destroy();
  }
}

/** Reads the note of a complete backup, and checks the database, without which nothing can be restored. */
export async function readNote(from: string): Promise<Note> {
  const note = await readNoteFile(from);
  const { database } = foldersOf(from);
  if ((await hashOf(database)) !== note.database) {
    throw new OperatorError(`${database} does not match its checksum: the backup is damaged`);
  }
  return note;
}

async function readNoteFile(from: string): Promise<Note> {
  if (fs.existsSync(path.join(from, UNFINISHED))) {
    throw new OperatorError(`${from} is an unfinished backup. Finish it with zoetrope backup`);
  }
  try {
    const note = JSON.parse(await fsp.readFile(path.join(from, NOTE), 'utf8')) as Note;
    if (note.format === FORMAT) return note;
  } catch (cause) {
    throw new OperatorError(`${from} is not a Zoetrope backup: ${NOTE} cannot be read`, { cause });
  }
  throw new OperatorError(`${from} was made by another version of Zoetrope. Restore it with that version`);
}

function elsewhere(media: MediaChoice): string[] {
  return [
    ...(media === 'none' ? ['originals, previews and videos: the backup was made with --no-media'] : []),
    'pulled models: get them again with zoetrope models pull',
    'dictionaries: add them again with zoetrope languages add',
  ];
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest('hex');
}
