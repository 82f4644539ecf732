import fs from 'node:fs';
import path from 'node:path';
import { verifyBuild } from '@zoetrope/search';
import type { PublishedManifest } from './manifest.ts';

/** A build in memory that every thread of the process can read; it can be sent to them as it is. */
export interface SharedBuild {
  manifest: PublishedManifest;
  sections: Map<string, SharedArrayBuffer>;
  /** One bit a document: 1 takes it out of answers at once. */
  hidden: SharedArrayBuffer;
}

const CHUNK = 1 << 20;

/**
 * Reads a published build into shared memory and checks every checksum.
 * @throws BuildError of the engine, naming the damaged section
 */
export function loadBuild(folder: string, manifest: PublishedManifest): SharedBuild {
  const sections = new Map<string, SharedArrayBuffer>();
  for (const { name } of manifest.engine.sections) {
    sections.set(name, readShared(path.join(folder, manifest.build, name)));
  }
  verifyBuild(manifest.engine, viewSections(sections));
  const hidden = new SharedArrayBuffer(Math.ceil(manifest.engine.documents / 8));
  return { manifest, sections, hidden };
}

export function viewSections(sections: ReadonlyMap<string, SharedArrayBuffer>): Map<string, Uint8Array> {
  return new Map([...sections].map(([name, buffer]) => [name, new Uint8Array(buffer)]));
}

/** Node reads into ordinary memory only, so a file passes through a small buffer. */
function readShared(file: string): SharedArrayBuffer {
  const handle = fs.openSync(file, 'r');
  try {
    const shared = new Uint8Array(new SharedArrayBuffer(fs.fstatSync(handle).size));
    const chunk = Buffer.allocUnsafe(CHUNK);
    for (let at = 0; at < shared.length; ) {
      const read = fs.readSync(handle, chunk, 0, CHUNK, at);
      if (read === 0) break;
      shared.set(chunk.subarray(0, read), at);
      at += read;
    }
    return shared.buffer as SharedArrayBuffer;
  } finally {
    fs.closeSync(handle);
  }
}
