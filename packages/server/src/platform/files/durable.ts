import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Age after which an unfinished file is deleted, in milliseconds. No write takes an hour, so an older unfinished file
 * belongs to a process that has died.
 */
export const ORPHAN_MS = 3_600_000;

/**
 * Writes a file. When the promise settles, the file's bytes are on the disk. The folder's entry for the file can still
 * be missing on the disk (see `syncFolder`).
 * @param mode permissions of a new file
 */
export async function writeDurably(file: string, content: Uint8Array | string, mode?: number): Promise<void> {
  const handle = await fs.open(file, 'w', mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Replaces a file, completely or not at all. Settles when its bytes are on the disk. Several processes can replace the
 * same file at the same time: the last one wins. If a process dies meanwhile, a file `NAME.ID.part` remains.
 */
export async function replaceDurably(file: string, content: Uint8Array | string): Promise<void> {
  const part = `${file}.${randomUUID()}.part`;
  try {
    await writeDurably(part, content);
    await fs.rename(part, file);
  } catch (error) {
    await fs.rm(part, { force: true });
    throw error;
  }
}

/** Settles when the bytes of a file are on the disk. */
export async function syncFile(file: string): Promise<void> {
  const handle = await fs.open(file, 'r+');
  await handle.sync().finally(() => handle.close());
}

/** Settles when a folder's entries are on disk. The entries are the names of its files, not their bytes. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows cannot open folders
  const handle = await fs.open(folder);
  await handle.sync().finally(() => handle.close());
}

/**
 * Makes a folder and its missing parents. Each folder is an entry in its parent. These entries must also be on the
 * disk.
 */
export async function makeFolderDurably(folder: string): Promise<void> {
  const first = await fs.mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await syncFolder(path.dirname(made));
}
