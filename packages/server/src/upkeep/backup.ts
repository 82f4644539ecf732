import { createHash } from 'node:crypto';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { systemClock } from '../base/clock.ts';
import { OperatorError } from '../base/errors.ts';
import { countGifs, originalsHere } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import { BuildError, loadBuild, readWholePublished } from '../index/index.ts';
import { damageOf, originalKey } from '../media/index.ts';
import { copyBlobs, FolderBlobs } from '../platform/blobs/index.ts';
import { type Database, openDatabase } from '../platform/db/index.ts';
import { syncFile, syncFolder, writeDurably } from '../platform/files/index.ts';
import { foldersOf, UNFINISHED } from '../service/index.ts';

/*
 * A backup is a folder laid out like the data folder, with a note that is written last:
 *
 *   zoetrope.db, media/orig/ (with --all also media/d/), builds/current and the build it names, backup.json
 *
 * The build is copied first and the originals last: originals are stored before the catalogue knows them, so that every
 * one that the copied catalogue knows is among them; and a build that is older than its catalogue is made anew.
 */

const NOTE = 'backup.json';
const FORMAT = 1;
/** Of files that only the service and its operator may read. */
const OWNER_ONLY = 0o600;

interface Note {
  format: number;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** SHA-256 of the database. */
  database: string;
  gifs: number;
  build: string | null;
  /** Whether previews and videos are in it. */
  all: boolean;
}

export interface BackupTask {
  onProgress(progress: { phase: 'originals' | 'derivatives'; done: number; total: number }): void;
  signal: AbortSignal;
}

export interface BackupResult extends Note {
  /** Files and bytes of media that were copied by this call; the rest was there. */
  copied: number;
  bytes: number;
  /** What of this service is not in it. */
  missing: string[];
  /** Files that are damaged and therefore not copied, with what is wrong. */
  damaged: { key: string; damage: string }[];
}

/**
 * Copies what cannot be made again into a folder, while a service runs and takes GIFs in. Whoever is interrupted goes on
 * where it was. @throws OperatorError when the folder holds something else
 */
export async function backUp(
  config: Config,
  target: string,
  { all, ...task }: BackupTask & { all: boolean },
): Promise<BackupResult> {
  const folders = foldersOf(config.service.data);
  if (!fs.existsSync(folders.database)) {
    throw new OperatorError(`There is no catalogue in ${config.service.data} (ZOETROPE_DATA): nothing to back up`);
  }
  await begin(target, 'a backup');
  const build = await copyBuild(folders.builds, path.join(target, 'builds'));
  const { gifs, database } = await copyDatabase(folders.database, target);
  const copied = await copyMedia(folders.media, path.join(target, 'media'), { all, ...task });
  // The note says that everything is there: it must not reach the disk before that has.
  await syncAll(path.join(target, 'builds'));
  await syncFile(path.join(target, 'zoetrope.db'));
  const note: Note = { format: FORMAT, at: systemClock.now(), database, gifs, build, all };
  await writeDurably(path.join(target, NOTE), JSON.stringify(note, null, 2), OWNER_ONLY);
  await complete(target);
  return { ...note, ...copied, missing: elsewhere(config) };
}

export interface RestoreResult extends BackupResult {
  /** Originals that the catalogue knows and the backup does not have. */
  lost: string[];
}

/**
 * Brings a backup back into an empty data folder, every file checked. Whoever is interrupted goes on where it was.
 * @throws OperatorError when the data folder holds something, or the backup is none, unfinished or damaged
 */
export async function restore(config: Config, from: string, task: BackupTask): Promise<RestoreResult> {
  const note = await readNote(from);
  const source = foldersOf(from);
  if ((await hashOf(source.database)) !== note.database) {
    throw new OperatorError(`${source.database} is not as it was written: the backup is damaged`);
  }
  const target = config.service.data;
  const folders = foldersOf(target);
  await begin(target, 'a data folder that is being restored');
  await fsp.rm(folders.builds, { recursive: true, force: true });
  const build = await copyBuild(source.builds, folders.builds);
  const copied = await copyMedia(source.media, folders.media, { all: note.all, ...task });
  await fsp.copyFile(source.database, folders.database);
  await syncAll(folders.builds);
  await syncFile(folders.database);
  const lost = config.s3.endpoint === '' ? await findLost(folders) : [];
  await complete(target);
  return { ...note, build, ...copied, lost, missing: elsewhere(config) };
}

/** Makes a folder, or goes on with one that was begun. */
async function begin(folder: string, what: string): Promise<void> {
  await fsp.mkdir(folder, { recursive: true, mode: 0o700 });
  const names = await fsp.readdir(folder);
  if (names.length > 0 && !names.includes(UNFINISHED)) {
    throw new OperatorError(`${folder} is not empty: name a new folder for ${what}, or empty this one`);
  }
  await writeDurably(path.join(folder, UNFINISHED), `${what}; the same command goes on with it\n`, OWNER_ONLY);
}

/** Takes away the mark of what is unfinished, when everything that it stood for is on the disk. */
async function complete(folder: string): Promise<void> {
  await syncFolder(folder);
  await fsp.rm(path.join(folder, UNFINISHED));
  await syncFolder(folder);
  // A new folder is itself an entry of its parent.
  await syncFolder(path.dirname(path.resolve(folder)));
}

/** A folder with all that is in it, if it is there. */
async function syncAll(folder: string): Promise<void> {
  if (!fs.existsSync(folder)) return;
  for (const entry of await fsp.readdir(folder, { recursive: true, withFileTypes: true })) {
    const sync = entry.isDirectory() ? syncFolder : syncFile;
    await sync(path.join(entry.parentPath, entry.name));
  }
  await syncFolder(folder);
}

/** Publishing removes old builds, so that one may go while it is copied. */
const ATTEMPTS = 5;

/** @returns the name of the published build; null when there is none, or it is damaged, as it can be made again */
async function copyBuild(from: string, to: string): Promise<string | null> {
  for (let attempt = 1; ; attempt++) {
    const published = await readWholePublished(from);
    if (published === undefined) return null;
    await fsp.rm(to, { recursive: true, force: true });
    try {
      await fsp.cp(path.join(from, published.build), path.join(to, published.build), { recursive: true });
      loadBuild(to, published, 1);
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

/** One moment of the database, whoever writes to it meanwhile. */
async function copyDatabase(file: string, target: string): Promise<Pick<Note, 'database' | 'gifs'>> {
  const copy = path.join(target, 'zoetrope.db');
  for (const name of [copy, `${copy}-wal`, `${copy}-shm`]) await fsp.rm(name, { force: true });
  const db = openDatabase(file, { readonly: true });
  try {
    await sql`vacuum into ${copy}`.execute(db);
  } finally {
    await db.destroy();
  }
  const database = await hashOf(copy);
  return { database, gifs: await withDatabase(copy, countGifs) };
}

async function copyMedia(from: string, to: string, { all, onProgress, signal }: BackupTask & { all: boolean }) {
  const sum: Pick<BackupResult, 'copied' | 'bytes' | 'damaged'> = { copied: 0, bytes: 0, damaged: [] };
  for (const phase of all ? (['originals', 'derivatives'] as const) : (['originals'] as const)) {
    const { copied, bytes, damaged } = await copyBlobs(new FolderBlobs(from), new FolderBlobs(to), {
      prefix: phase === 'originals' ? 'orig/' : 'd/',
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

async function findLost({ database, media }: ReturnType<typeof foldersOf>): Promise<string[]> {
  const blobs = new FolderBlobs(media);
  const lost: string[] = [];
  await withDatabase(database, async (db) => {
    for await (const { id, sha256, format } of originalsHere(db)) {
      if ((await blobs.head(originalKey(sha256, format))) === null) lost.push(id);
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

async function readNote(from: string): Promise<Note> {
  if (fs.existsSync(path.join(from, UNFINISHED))) {
    throw new OperatorError(`${from} is a backup that was not finished: finish it by zoetrope backup`);
  }
  try {
    const note = JSON.parse(await fsp.readFile(path.join(from, NOTE), 'utf8')) as Note;
    if (note.format === FORMAT) return note;
  } catch (cause) {
    throw new OperatorError(`${from} is no backup of zoetrope: ${NOTE} cannot be read`, { cause });
  }
  throw new OperatorError(`${from} was made by another version of zoetrope: restore it by that one`);
}

function elsewhere({ registry, s3 }: Config): string[] {
  return [
    ...(registry.databaseUrl === ''
      ? []
      : ['clients, keys and sessions: they are in PostgreSQL (ZOETROPE_DATABASE_URL)']),
    ...(s3.endpoint === '' ? [] : ['originals, previews and videos: they are in the bucket (ZOETROPE_S3_BUCKET)']),
    'models that were pulled: zoetrope models pull brings them again',
  ];
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest('hex');
}
