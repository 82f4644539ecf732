import fs from 'node:fs';
import path from 'node:path';
import { allocateVectors, type SpaceName, spaceBytes, type VectorMemory, verifyBuild } from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';

/** A build in memory that every thread of the process can read; it can be sent to them as it is. */
export interface SharedBuild {
  manifest: PublishedManifest;
  /** Over shared memory. */
  sections: Map<string, Uint8Array>;
  /** The sections of vectors lie in the memory that their search runs in. */
  spaces: Partial<Record<SpaceName, VectorMemory>>;
  /** One bit a document: 1 takes it out of answers at once. */
  hidden: SharedArrayBuffer;
}

const CHUNK = 1 << 20;

/**
 * Reads a published build into memory shared between the given number of threads and checks every checksum.
 * @throws BuildError of the engine, naming the damaged section
 */
export function loadBuild(folder: string, manifest: PublishedManifest, threads: number): SharedBuild {
  const { engine } = manifest;
  const spaces = allocateSpaces(manifest, threads);
  const rooms = roomsFor(spaces);
  const sections = new Map(
    engine.sections.map(({ name, bytes }) => {
      const room = rooms.get(name) ?? new Uint8Array(new SharedArrayBuffer(bytes));
      return [name, readInto(room, path.join(folder, manifest.build, name))];
    }),
  );
  verifyBuild(engine, sections);
  return { manifest, sections, spaces, hidden: new SharedArrayBuffer(Math.ceil(engine.documents / 8)) };
}

function allocateSpaces({ engine }: PublishedManifest, threads: number): SharedBuild['spaces'] {
  const { safeDocuments: documents, spaces } = engine;
  return Object.fromEntries(
    Object.entries(spaces ?? {}).map(([name, { dimensions }]) => [
      name,
      allocateVectors({ documents, dimensions, threads }),
    ]),
  );
}

/** Where the sections of vectors are read to. */
function roomsFor(spaces: SharedBuild['spaces']): Map<string, Uint8Array> {
  return new Map(
    Object.entries(spaces).flatMap(([space, memory]) =>
      Object.entries(spaceBytes(memory)).map(([part, bytes]) => [`${space}-${part}`, bytes] as const),
    ),
  );
}

/** Node reads into ordinary memory only, so a file passes through a small buffer. @returns what was read */
function readInto(shared: Uint8Array, file: string): Uint8Array {
  const handle = fs.openSync(file, 'r');
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
