import fs from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../base/errors.ts';
import { type Database, migrate, openDatabase, Reserve } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from './migrations.ts';

/** The data folder: one database, the media, the builds. */
export interface Store {
  folder: string;
  media: string;
  builds: string;
  starter: string;
  /** Pulled models. */
  models: string;
  db: Database;
  /** Reserved disk space. */
  reserve: Reserve;
}

/** Marks a folder whose restore or backup is not complete. */
export const UNFINISHED = 'unfinished';

/** Opens the data folder, creating it if necessary. @throws OperatorError if it is not writable */
export async function openStore(folder: string): Promise<Store> {
  const store = { folder, ...foldersOf(folder) };
  if (fs.existsSync(path.join(folder, UNFINISHED))) {
    throw new OperatorError(
      `The data folder ${folder} (ZOETROPE_DATA) is only partly restored. Finish it with zoetrope restore`,
    );
  }
  try {
    for (const made of [folder, store.media, store.builds]) fs.mkdirSync(made, { recursive: true });
    fs.accessSync(folder, fs.constants.W_OK);
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new OperatorError(`The data folder ${folder} (ZOETROPE_DATA) is not writable: ${code}`, { cause });
  }
  const reserve = new Reserve(folder);
  const db = openDatabase(store.database, { reserve });
  await migrate(db, DATA_MIGRATIONS);
  reserve.fill();
  return { ...store, db, reserve };
}

/** Paths within the data folder. */
export function foldersOf(folder: string): Omit<Store, 'folder' | 'db' | 'reserve'> & { database: string } {
  return {
    database: path.join(folder, 'zoetrope.db'),
    media: path.join(folder, 'media'),
    builds: path.join(folder, 'builds'),
    starter: path.join(folder, 'starter'),
    models: path.join(folder, 'models'),
  };
}
