import fs from 'node:fs';
import path from 'node:path';
import { steadyClock, systemClock } from '../base/clock.ts';
import type { Config } from '../config.ts';
import { recordBackup } from '../history/index.ts';
import { foldersOf, machineOf, openStore } from '../service/index.ts';
import { type BackupResult, type BackupTask, backUp, type MediaChoice } from './backup.ts';

/**
 * Makes a backup (see `backUp`), and records in the catalogue what became of it, for the console. A backup that cannot
 * be recorded is still complete, but its result mentions the failure.
 * @throws OperatorError if the folder contains something else
 */
export async function backUpAndNote(
  config: Config,
  target: string,
  task: BackupTask & { media: MediaChoice },
): Promise<BackupResult> {
  const start = steadyClock.now();
  const note = (found: Outcome) => record(config, target, { ...found, milliseconds: steadyClock.now() - start });
  const result = await backUp(config, target, task).catch(async (error: unknown) => {
    const problem = task.signal.aborted ? 'it was interrupted' : (error as Error).message;
    // The reason why there is no backup matters more than a failure to record it.
    await note({ gifs: 0, bytes: 0, made: 0, problem }).catch(() => {});
    throw error;
  });
  const { gifs, damaged } = result;
  const problem = damaged.length === 0 ? '' : `${damaged.length} damaged files were not copied`;
  try {
    await note({ gifs, bytes: sizeOf(target), made: 1, problem });
    return result;
  } catch (error) {
    const why = `this backup in the list of the console: it could not be recorded (${(error as Error).message})`;
    return { ...result, missing: [...result.missing, why] };
  }
}

/** Records that the process of a backup was killed, so that it could not record this itself. */
export function noteDeadBackup(config: Config, target: string, problem: string): Promise<void> {
  return record(config, target, { gifs: 0, bytes: 0, made: 0, problem, milliseconds: 0 });
}

interface Outcome {
  gifs: number;
  bytes: number;
  made: number;
  problem: string;
}

async function record(config: Config, folder: string, found: Outcome & { milliseconds: number }): Promise<void> {
  const { databaseUrl } = config.registry;
  const { data } = config.service;
  // There is nothing to back up, and no catalogue in which to record that.
  if (databaseUrl === '' && !fs.existsSync(foldersOf(data).database)) return;
  const store = await openStore(data, databaseUrl);
  try {
    await store.ready();
    const milliseconds = Math.round(found.milliseconds);
    await recordBackup(store.db, {
      at: systemClock.now(),
      machine: machineOf({ config }),
      folder,
      ...found,
      milliseconds,
    });
  } finally {
    await store.close();
  }
}

function sizeOf(folder: string): number {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}
