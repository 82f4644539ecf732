import fs from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../base/errors.ts';
import { pageOfCatalogue } from '../catalog/index.ts';
import {
  checkPostgres,
  closePostgres,
  type Database,
  isFrozen,
  LASTING,
  migrate,
  openDatabase,
  openPostgres,
  type PostgresLimits,
  Reserve,
  untilPrepared,
} from '../platform/db/index.ts';
import { CATALOGUE_MIGRATIONS, DATA_MIGRATIONS } from './migrations.ts';

/** The data folder with media and builds, and the catalogue in it or in PostgreSQL. */
export interface Store {
  folder: string;
  /** The URL of the PostgreSQL database with the catalogue; empty if the catalogue is in the folder. */
  databaseUrl: string;
  media: string;
  builds: string;
  starter: string;
  /** Folder of the pulled models. */
  models: string;
  /** Folder of the catalogue that other services follow. */
  catalogue: string;
  db: Database;
  /**
   * Prepares the catalogue's tables. It must be awaited before `db` is used. Rejects with OperatorError if PostgreSQL
   * cannot be used, or if the folder has a catalogue that was not moved to PostgreSQL.
   */
  ready(): Promise<void>;
  /** Reserved disk space. */
  reserve: Reserve;
  close(): Promise<void>;
}

/** Name of the file that marks a folder whose restore or backup is not complete. */
export const UNFINISHED = 'unfinished';

/** Opens the data folder, creating it if necessary. @throws OperatorError if it is not writable */
export async function openStore(folder: string, databaseUrl = '', limits = LASTING): Promise<Store> {
  const store = { folder, databaseUrl, ...foldersOf(folder) };
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
  if (databaseUrl !== '') return openShared(store, reserve, limits);
  const db = openDatabase(store.database, { reserve });
  await checkNotMoved(db, `The catalogue in ${folder} (ZOETROPE_DATA)`, {
    use: 'To use the copy, set ZOETROPE_DATABASE_URL',
    cancel: 'zoetrope migrate --cancel',
  });
  await migrate(db, DATA_MIGRATIONS);
  reserve.fill();
  return { ...store, db, reserve, ready: async () => {}, close: () => db.destroy() };
}

/** Opens a folder whose catalogue is in PostgreSQL. PostgreSQL does not need to be reachable yet. */
function openShared(
  store: Omit<Store, 'db' | 'ready' | 'reserve' | 'close'> & { database: string },
  reserve: Reserve,
  limits: PostgresLimits,
): Store {
  const db = openCatalogue(store.databaseUrl, limits);
  reserve.fill();
  return {
    ...store,
    db,
    reserve,
    ready: untilPrepared(() => prepare(db, store)),
    close: () => closePostgres(db),
  };
}

/** Opens the catalogue in PostgreSQL. */
export function openCatalogue(url: string, limits?: PostgresLimits): Database {
  return openPostgres(url, { hasOneWriter: true, ...(limits && { limits }) });
}

/**
 * Prepares the catalogue's tables in PostgreSQL. (The same database also has the registry's own list of migrations.)
 */
export function migrateCatalogue(db: Database): Promise<void> {
  return migrate(db, CATALOGUE_MIGRATIONS, 'catalogue_migrations');
}

/** Prepares the tables. Several processes can do this at the same time, because Kysely takes a lock in the database. */
async function prepare(
  db: Database,
  { folder, database, databaseUrl }: Pick<Store, 'folder' | 'databaseUrl'> & { database: string },
): Promise<void> {
  await checkPostgres(db);
  await checkNotMoved(db, 'The catalogue in PostgreSQL (ZOETROPE_DATABASE_URL)', {
    use: 'To use the copy, unset ZOETROPE_DATABASE_URL and set ZOETROPE_DATA to the folder with the copy',
    cancel: 'zoetrope migrate --back --cancel',
  });
  const patient = openCatalogue(databaseUrl, LASTING);
  try {
    await migrateCatalogue(patient);
  } finally {
    await closePostgres(patient);
  }
  if ((await hasGifs(db)) || !fs.existsSync(database)) return;
  const own = openDatabase(database, { readonly: true });
  try {
    if (!(await hasGifs(own))) return;
  } finally {
    await own.destroy();
  }
  throw new OperatorError(
    `The data folder ${folder} (ZOETROPE_DATA) has a catalogue, but the PostgreSQL database of ZOETROPE_DATABASE_URL has ` +
      'none. Run zoetrope migrate to move it, or unset ZOETROPE_DATABASE_URL',
  );
}

/** @throws OperatorError if `zoetrope migrate` copied the catalogue elsewhere */
async function checkNotMoved(
  db: Database,
  what: string,
  { use, cancel }: Record<'use' | 'cancel', string>,
): Promise<void> {
  if (!(await isFrozen(db))) return;
  throw new OperatorError(
    `${what} was copied with zoetrope migrate, and can no longer be changed. ${use}. If you do not want the copy, run ` +
      `${cancel}: this catalogue can then be used again, with its content from the time of the copy`,
  );
}

/** Whether the catalogue has at least one GIF, hidden or not. */
async function hasGifs(db: Database): Promise<boolean> {
  return (await pageOfCatalogue(db, '', 1)).length > 0;
}

/** Paths within the data folder. */
export function foldersOf(folder: string) {
  return {
    database: path.join(folder, 'zoetrope.db'),
    media: path.join(folder, 'media'),
    builds: path.join(folder, 'builds'),
    starter: path.join(folder, 'starter'),
    models: path.join(folder, 'models'),
    catalogue: path.join(folder, 'catalogue'),
  };
}
