import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  allocateVectors,
  BuildError,
  COLD_SECTIONS,
  checkFormat,
  type ReadSection,
  type SpaceName,
  spaceBytes,
  type VectorMemory,
  verifyBuild,
} from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';
import { type ColdFiles, readerOf } from './stored-gif.ts';

/** A build in memory that all threads can read; it can be sent to other threads. */
export interface SharedBuild {
  manifest: PublishedManifest;
  /** In shared memory. */
  sections: Map<string, Uint8Array>;
  /**
   * Sections that are not searched, by name: open files of sections left on disk, which any thread can read, or shared
   * memory if the disk had no room for them.
   */
  files: ColdFiles;
  /** The vector sections are in the memory that vector search runs in. */
  spaces: Partial<Record<SpaceName, VectorMemory>>;
  /** One bit per document; 1 hides the document immediately. */
  hidden: SharedArrayBuffer;
}

const CHUNK = 1 << 20;

/** After this time, all requests that started on a build have ended. */
const CLOSE_AFTER_MS = 60_000;

/** Closes the files of a build that this thread no longer uses; other threads may still be reading them. */
const forgotten = new FinalizationRegistry<Iterable<number>>((files) => {
  setTimeout(() => {
    for (const file of files) fs.closeSync(file);
  }, CLOSE_AFTER_MS).unref();
});

/**
 * Reads a published build into memory shared by the given number of threads and verifies all checksums.
 * @throws BuildError of the engine, naming the damaged section
 */
export function loadBuild(folder: string, manifest: PublishedManifest, threads: number): SharedBuild {
  return closedWhenForgotten(readBuild(folder, manifest, threads));
}

/**
 * The same on a thread of its own, because reading and checking a million GIFs takes a second, which would block this
 * thread.
 */
export async function loadBuildAside(
  folder: string,
  manifest: PublishedManifest,
  threads: number,
): Promise<SharedBuild> {
  const workerData: LoadOrder = { folder, manifest, threads };
  // The thread opens the files for its caller: they must not be closed when the thread ends.
  const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData, trackUnmanagedFds: false });
  const [loaded] = (await once(worker, 'message')) as [Loaded];
  if ('damage' in loaded) throw new BuildError(loaded.damage);
  return closedWhenForgotten(loaded.build);
}

/** Input and output of `load-thread.ts`. */
export interface LoadOrder {
  folder: string;
  manifest: PublishedManifest;
  threads: number;
}

type Loaded = { build: SharedBuild } | { damage: string };

/** The body of `loadBuildAside`'s thread. Errors are returned, because they would lose their class between threads. */
export function tryBuild({ folder, manifest, threads }: LoadOrder): Loaded {
  try {
    return { build: readBuild(folder, manifest, threads) };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return { damage: error.message };
  }
}

function closedWhenForgotten(build: SharedBuild): SharedBuild {
  forgotten.register(
    build.files,
    [...build.files.values()].filter((file) => typeof file === 'number'),
  );
  return build;
}

/** The caller must close the files. */
function readBuild(folder: string, manifest: PublishedManifest, threads: number): SharedBuild {
  const { engine } = manifest;
  checkFormat(engine);
  const spaces = allocateSpaces(manifest, threads);
  const rooms = roomsFor(spaces);
  const pathOf = (name: string): string => path.join(folder, manifest.build, name);
  const hot = engine.sections.filter(({ name }) => !COLD_SECTIONS.includes(name));
  const sections = new Map(
    hot.map(({ name, bytes }) => {
      const room = rooms.get(name) ?? new Uint8Array(new SharedArrayBuffer(bytes));
      return [name, readInto(room, pathOf(name))];
    }),
  );
  const files = openFiles(pathOf, (read) => verifyBuild(engine, sections, read));
  const hidden = new SharedArrayBuffer(Math.ceil(engine.documents / 8));
  return { manifest, sections, files, spaces, hidden };
}

/** A build without files, in memory shared by the given number of threads. */
export function shareBuild(
  manifest: PublishedManifest,
  sections: ReadonlyMap<string, Uint8Array>,
  threads: number,
): SharedBuild {
  const spaces = allocateSpaces(manifest, threads);
  const rooms = roomsFor(spaces);
  const share = ([name, bytes]: readonly [string, Uint8Array]) => {
    const room = rooms.get(name) ?? new Uint8Array(new SharedArrayBuffer(bytes.length));
    room.set(bytes);
    return [name, room] as const;
  };
  const isCold = ([name]: readonly [string, Uint8Array]) => COLD_SECTIONS.includes(name);
  const all = [...sections];
  return {
    manifest,
    sections: new Map(all.filter((section) => !isCold(section)).map(share)),
    files: new Map(all.filter(isCold).map(share)),
    spaces,
    hidden: new SharedArrayBuffer(Math.ceil(manifest.engine.documents / 8)),
  };
}

/**
 * Opens the sections left on disk and verifies the whole build. Closes the files immediately if it fails, because callers
 * will try again and again.
 */
function openFiles(pathOf: (name: string) => string, verify: (read: ReadSection) => void): Map<string, number> {
  const files = new Map<string, number>();
  try {
    for (const name of COLD_SECTIONS) files.set(name, openFile(pathOf(name)));
    verify(readerOf(files));
  } catch (error) {
    for (const file of files.values()) fs.closeSync(file);
    throw error;
  }
  return files;
}

function openFile(file: string): number {
  try {
    return fs.openSync(file, 'r');
  } catch (cause) {
    throw new BuildError(`section ${path.basename(file)} cannot be read: ${(cause as Error).message}`);
  }
}

function allocateSpaces({ engine }: PublishedManifest, threads: number): SharedBuild['spaces'] {
  const { safeDocuments: documents, spaces } = engine;
  return Object.fromEntries(
    Object.entries(spaces ?? {}).map(([name, space]) => [name, allocateVectors({ ...space, documents, threads })]),
  );
}

/** Memory into which the vector sections are read. */
function roomsFor(spaces: SharedBuild['spaces']): Map<string, Uint8Array> {
  return new Map(
    Object.entries(spaces).flatMap(([space, memory]) =>
      Object.entries(spaceBytes(memory)).map(([part, bytes]) => [`${space}-${part}`, bytes] as const),
    ),
  );
}

/** Node reads only into ordinary memory, so a file passes through a small buffer. @returns the bytes read */
function readInto(shared: Uint8Array, file: string): Uint8Array {
  const handle = openFile(file);
  try {
    if (fs.fstatSync(handle).size !== shared.length) return new Uint8Array();
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; at < shared.length; ) {
      const read = fs.readSync(handle, chunk, 0, CHUNK, at);
      if (read === 0) break;
      shared.set(chunk.subarray(0, read), at);
      at += read;
    }
    return shared;
  } finally {
    fs.closeSync(handle);
  }
}
