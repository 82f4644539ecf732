import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  allocateVectors,
  Build,
  BuildError,
  COLD_SECTIONS,
  checkFormat,
  openSegment,
  type ReadSection,
  type SegmentManifest,
  type SegmentOutput,
  type SpaceName,
  spaceBytes,
  type VectorMemory,
  verifySegment,
} from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';
import { readSegments } from './publish.ts';
import { type ColdFiles, readerOf } from './stored-gif.ts';

/** A build in memory that all threads can read. The build can be sent to other threads. */
export interface SharedBuild {
  manifest: PublishedManifest;
  /** The base, then the deltas. */
  segments: SharedSegment[];
  /**
   * One bit per document. A document is hidden as soon as its bit is 1. Documents that a later segment has retired are
   * always hidden.
   */
  hidden: SharedArrayBuffer;
}

/** A segment in memory. Builds that have a segment in common share it. */
export interface SharedSegment {
  name: string;
  manifest: SegmentManifest;
  /** Sections by name, in shared memory. */
  sections: Map<string, Uint8Array>;
  /**
   * Sections that are not searched, by name. Each section is an open file, which any thread can read, or shared memory
   * if the disk had no room for the file.
   */
  files: ColdFiles;
  /** The memory in which vector search runs. It contains the vector sections. */
  spaces: Partial<Record<SpaceName, VectorMemory>>;
}

const CHUNK = 1 << 20;

/** Time after which all requests that started with a build have ended. */
const CLOSE_AFTER_MS = 60_000;

/**
 * Closes the files of a build that this thread no longer uses. The files are closed after a delay, because other
 * threads may still read them.
 */
const forgotten = new FinalizationRegistry<Iterable<number>>((files) => {
  setTimeout(() => {
    for (const file of files) fs.closeSync(file);
  }, CLOSE_AFTER_MS).unref();
});

/**
 * Reads a published build into memory shared by the given number of threads and verifies all checksums.
 * @param known segments that are already in memory, and so are not read again
 * @throws BuildError of the engine, which names the damaged section
 */
export async function loadBuild(
  folder: string,
  published: PublishedManifest,
  threads: number,
  known: readonly SharedSegment[] = [],
): Promise<SharedBuild> {
  const missing = withoutKnown(await readSegments(folder, published), known);
  return join(published, [...known, ...readAll({ folder, missing, threads }).map(closedWhenForgotten)]);
}

/**
 * Loads a build like `loadBuild`, but on another thread. Reading and checking a million GIFs takes a second and would
 * block this thread.
 */
export async function loadBuildAside(
  folder: string,
  published: PublishedManifest,
  threads: number,
  known: readonly SharedSegment[] = [],
): Promise<SharedBuild> {
  const workerData: LoadOrder = {
    folder,
    missing: withoutKnown(await readSegments(folder, published), known),
    threads,
  };
  // The files must not be closed when the thread ends, because the thread opens the files for its caller.
  const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData, trackUnmanagedFds: false });
  const [loaded] = (await once(worker, 'message')) as [Loaded];
  if ('damage' in loaded) throw new BuildError(loaded.damage);
  return join(published, [...known, ...loaded.segments.map(closedWhenForgotten)]);
}

/** Input and output of `load-thread.ts`. */
export interface LoadOrder {
  folder: string;
  missing: PublishedManifest[];
  threads: number;
}

type Loaded = { segments: SharedSegment[] } | { damage: string };

/**
 * Runs on `loadBuildAside`'s thread and loads a build. Errors are returned, because an error that is thrown to another
 * thread loses its class.
 */
export function tryLoad(order: LoadOrder): Loaded {
  try {
    return { segments: readAll(order) };
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return { damage: error.message };
  }
}

function withoutKnown(segments: readonly PublishedManifest[], known: readonly SharedSegment[]): PublishedManifest[] {
  const names = new Set(known.map(({ name }) => name));
  return segments.filter(({ build }) => !names.has(build));
}

/** Reads segments into memory. The caller must close the files. */
function readAll({ folder, missing, threads }: LoadOrder): SharedSegment[] {
  const read: SharedSegment[] = [];
  try {
    for (const manifest of missing) read.push(readSegment(folder, manifest, threads));
  } catch (error) {
    // Without this, each retry by the caller would leave more files open.
    for (const { files } of read) closeAll(files);
    throw error;
  }
  return read;
}

function join(manifest: PublishedManifest, loaded: readonly SharedSegment[]): SharedBuild {
  const byName = new Map(loaded.map((segment) => [segment.name, segment]));
  const segments = [...manifest.earlier, manifest.build].map((name) => byName.get(name)!);
  const retired = openShared(segments).numbering.retired;
  const hidden = new SharedArrayBuffer(retired.length);
  new Uint8Array(hidden).set(retired);
  return { manifest, segments, hidden };
}

/** Opens the segments of a build. */
export function openShared(segments: readonly SharedSegment[]): Build {
  return new Build(segments.map(({ manifest, sections, files }) => openSegment(manifest, sections, readerOf(files))));
}

function closedWhenForgotten(segment: SharedSegment): SharedSegment {
  forgotten.register(
    segment.files,
    [...segment.files.values()].filter((file) => typeof file === 'number'),
  );
  return segment;
}

/** Reads segments into memory. The caller must close the files. */
function readSegment(folder: string, { build, engine }: PublishedManifest, threads: number): SharedSegment {
  checkFormat(engine);
  const spaces = allocateSpaces(engine, threads);
  const rooms = roomsFor(spaces);
  const pathOf = (name: string): string => path.join(folder, build, name);
  const hot = engine.sections.filter(({ name }) => !COLD_SECTIONS.includes(name));
  const sections = new Map(
    hot.map(({ name, bytes }) => {
      const room = rooms.get(name) ?? new Uint8Array(new SharedArrayBuffer(bytes));
      return [name, readInto(room, pathOf(name))];
    }),
  );
  const files = openFiles(pathOf, (read) => verifySegment(engine, sections, read));
  return { name: build, manifest: engine, sections, files, spaces };
}

/**
 * Creates a build without files, in memory that the given number of threads share.
 * @param outputs the base, then the deltas
 */
export function shareBuild(
  manifest: PublishedManifest,
  outputs: readonly SegmentOutput[],
  threads: number,
): SharedBuild {
  const names = [...manifest.earlier, manifest.build];
  return join(
    manifest,
    outputs.map((output, i) => ({ name: names[i]!, ...shareSegment(output, threads) })),
  );
}

function shareSegment({ manifest, sections }: SegmentOutput, threads: number): Omit<SharedSegment, 'name'> {
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
  };
}

/**
 * Opens the sections left on disk and verifies the whole segment. If either step fails, closes the files immediately.
 * Otherwise, each retry by the caller would leave more files open.
 */
function openFiles(pathOf: (name: string) => string, verify: (read: ReadSection) => void): Map<string, number> {
  const files = new Map<string, number>();
  try {
    for (const name of COLD_SECTIONS) files.set(name, openFile(pathOf(name)));
    verify(readerOf(files));
  } catch (error) {
    closeAll(files);
    throw error;
  }
  return files;
}

function closeAll(files: ColdFiles): void {
  for (const file of files.values()) if (typeof file === 'number') fs.closeSync(file);
}

function openFile(file: string): number {
  try {
    return fs.openSync(file, 'r');
  } catch (cause) {
    throw new BuildError(`section ${path.basename(file)} cannot be read: ${(cause as Error).message}`);
  }
}

function allocateSpaces(
  { safeDocuments: documents, spaces }: SegmentManifest,
  threads: number,
): SharedSegment['spaces'] {
  return Object.fromEntries(
    Object.entries(spaces).map(([name, space]) => [name, allocateVectors({ ...space, documents, threads })]),
  );
}

/** Returns memory into which the vector sections are read. */
function roomsFor(spaces: SharedSegment['spaces']): Map<string, Uint8Array> {
  return new Map(
    Object.entries(spaces).flatMap(([space, memory]) =>
      Object.entries(spaceBytes(memory)).map(([part, bytes]) => [`${space}-${part}`, bytes] as const),
    ),
  );
}

/**
 * Reads a file into shared memory. Node reads only into ordinary memory, so the bytes pass through a small buffer.
 * @returns the bytes read
 */
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
