import fs from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../platform/db/index.ts';
import { isImportEnded } from './imports.ts';

/*
 * Files that operators added in the dashboard. Each import has a folder with its name. A folder without an import
 * belongs to an operator who is still choosing files, so it is kept for a day.
 */

const ABANDONED_MS = 86_400_000;

/** Returns the files of an upload, in the order of their names. */
export async function filesOfUpload(folder: string, run: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of fs.glob('**/*.{gif,webp}', { cwd: path.join(folder, run) })) {
    files.push(path.join(folder, run, file));
  }
  return files.sort();
}

/** Removes the files of imports that have ended, and of abandoned uploads. @param now ms since the epoch */
export async function sweepUploads(db: Database, folder: string, now: number): Promise<void> {
  const runs = await fs.readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const run of runs) {
    const isEnded = await isImportEnded(db, run);
    const { mtimeMs } = await fs.stat(path.join(folder, run));
    if (isEnded ?? now - mtimeMs > ABANDONED_MS) await fs.rm(path.join(folder, run), { recursive: true, force: true });
  }
}
