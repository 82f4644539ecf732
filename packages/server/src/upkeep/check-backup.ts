import { loadBuild, readWholePublished } from '../builds/index.ts';
import { BuildError } from '../index/index.ts';
import { damageOf } from '../media/index.ts';
import { eachBlob, FolderBlobs, readBlob, type StoredBlob } from '../platform/blobs/index.ts';
import { foldersOf } from '../service/index.ts';
import {
  type BackupTask,
  findLost,
  mediaIn,
  type Note,
  PHASES,
  PREFIXES,
  type RestoreResult,
  readNote,
} from './backup.ts';

export interface BackupCheck extends Note, Pick<RestoreResult, 'damaged' | 'lost'> {
  /** Number of media files, and their size. */
  files: number;
  bytes: number;
}

/**
 * Checks a backup as `restore` does, and changes nothing. The result's `build` is null if there is no intact build: then
 * a restored service makes one.
 * @throws OperatorError if the backup is invalid, unfinished, or has a damaged database
 */
export async function checkBackup(from: string, task: BackupTask): Promise<BackupCheck> {
  const note = await readNote(from);
  const source = foldersOf(from);
  const blobs = new FolderBlobs(source.media);
  const check: BackupCheck = {
    ...note,
    build: await intactBuild(source.builds),
    files: 0,
    bytes: 0,
    damaged: [],
    lost: [],
  };
  for (const phase of PHASES[mediaIn(note)]) {
    const stored: StoredBlob[] = [];
    for await (const blob of blobs.list(PREFIXES[phase])) stored.push(blob);
    let done = 0;
    await eachBlob(stored, async ({ key }) => {
      task.signal.throwIfAborted();
      const bytes = (await readBlob(blobs, key)) ?? new Uint8Array();
      const damage = damageOf(key, bytes);
      if (damage !== null) check.damaged.push({ key, damage });
      check.bytes += bytes.length;
      task.onProgress({ phase, done: ++done, total: stored.length });
    });
    check.files += stored.length;
  }
  if (mediaIn(note) !== 'none') check.lost = await findLost(source.database, blobs, task.signal);
  return check;
}

/** Returns the name of the published build if it can be used. */
async function intactBuild(folder: string): Promise<string | null> {
  const published = await readWholePublished(folder);
  try {
    if (published !== undefined) await loadBuild(folder, published, 1);
    return published?.build ?? null;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    return null;
  }
}
