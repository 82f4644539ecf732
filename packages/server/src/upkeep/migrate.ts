import fs from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { OperatorError } from '../base/errors.ts';
import { countGifs } from '../catalog/index.ts';
import type { Config } from '../config.ts';
import {
  checkPostgres,
  closePostgres,
  copyTables,
  type Database,
  LASTING,
  migrate,
  openDatabase,
  tablesOf,
} from '../platform/db/index.ts';
import { countJobs } from '../platform/jobs/index.ts';
import { takeLock } from '../platform/lock/index.ts';
import { findNodes } from '../platform/nodes/index.ts';
import {
  CATALOGUE_MIGRATIONS,
  DATA_MIGRATIONS,
  foldersOf,
  migrateCatalogue,
  openCatalogue,
  REGISTRY_MIGRATIONS,
  takeWorkLock,
} from '../service/index.ts';

/** The table of running processes, which is not moved. */
const PROCESSES = 'nodes';

export interface MoveTask {
  onProgress(progress: { phase: 'rows'; done: number; total: number }): void;
  signal: AbortSignal;
}

export interface Moved {
  /** Number of GIFs that can be found. */
  gifs: number;
  /** Number of rows of all tables. */
  rows: number;
  /**
   * Whether clients, keys, sessions and orders were copied. If the target already has clients, they are kept, and
   * none of them is copied.
   */
  clients: 'copied' | 'kept';
}

/**
 * Copies the catalogue and the clients from the data folder into PostgreSQL, or back. The source is not changed. Either
 * everything is copied or nothing, so an interrupted copy can be started again.
 * @throws OperatorError if the target has a catalogue, if the source has no catalogue, or if a process uses one of them
 */
export async function moveCatalogue(config: Config, to: 'postgres' | 'folder', task: MoveTask): Promise<Moved> {
  const folder = config.service.data;
  const { databaseUrl } = config.registry;
  const { database } = foldersOf(folder);
  if (databaseUrl === '') throw new OperatorError('Set ZOETROPE_DATABASE_URL to the URL of the PostgreSQL database');
  if (to === 'postgres' && !fs.existsSync(database)) {
    throw new OperatorError(`There is no catalogue in ${folder} (ZOETROPE_DATA): nothing to move`);
  }
  fs.mkdirSync(folder, { recursive: true });
  await using begun = new AsyncDisposableStack();
  const serving = takeLock(path.join(folder, 'serve.lock'), 'zoetrope migrate');
  begun.defer(() => serving.release());
  for (const work of ['writer', 'relays', 'probe'] as const) {
    const lock = await takeWorkLock({ folder, databaseUrl }, work, { holder: 'zoetrope migrate' });
    begun.defer(() => lock.release());
  }
  const own = openDatabase(database);
  begun.defer(() => own.destroy());
  await migrate(own, DATA_MIGRATIONS);
  const shared = openCatalogue(databaseUrl, LASTING);
  begun.defer(() => closePostgres(shared));
  await checkPostgres(shared);
  await migrate(shared, REGISTRY_MIGRATIONS);
  await migrateCatalogue(shared);
  const [from, target] = to === 'postgres' ? [own, shared] : [shared, own];
  const where = to === 'postgres' ? 'The PostgreSQL database (ZOETROPE_DATABASE_URL)' : `The data folder ${folder}`;
  const catalogue = await catalogueTables();
  await checkEmpty(target, catalogue, where);
  await checkDone(from);
  await checkUnused(shared);
  const others = (await tablesOf(own)).filter((name) => !catalogue.includes(name) && name !== PROCESSES);
  const clients = (await findFilled(target, others)) === undefined ? 'copied' : 'kept';
  const names = new Set(clients === 'copied' ? [...catalogue, ...others] : catalogue);
  const counts = await copyTables(from, target, names, {
    signal: task.signal,
    onProgress: (progress) => task.onProgress({ phase: 'rows', ...progress }),
  });
  const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return { gifs: await countGifs(target), rows, clients };
}

/** Refuses to move open jobs, because their files can be on a machine that will not have the catalogue. */
async function checkDone(from: Database): Promise<void> {
  const open = await countJobs(from, 'ready');
  if (open === 0) return;
  throw new OperatorError(
    `${open} jobs are open. Finish them with zoetrope work, or drop those of a machine that is gone with zoetrope nodes ` +
      'forget MACHINE; then migrate again',
  );
}

/** Refuses to move while processes run, because other machines can work without the locks that this command takes. */
async function checkUnused(shared: Database): Promise<void> {
  const machines = new Set((await findNodes(shared)).map(({ machine }) => machine));
  if (machines.size === 0) return;
  throw new OperatorError(
    `Processes on ${[...machines].join(', ')} use the PostgreSQL database. Stop them; after a crash, wait half a minute`,
  );
}

async function checkEmpty(target: Database, tables: readonly string[], where: string): Promise<void> {
  const filled = await findFilled(target, tables);
  if (filled === undefined) return;
  throw new OperatorError(`${where} already has a catalogue: its table ${filled.name} has ${filled.rows} rows`);
}

/** Returns the first table with more rows than in a new database, or undefined if there is none. */
async function findFilled(
  db: Database,
  tables: readonly string[],
): Promise<{ name: string; rows: number } | undefined> {
  const empty = openDatabase(':memory:');
  try {
    await migrate(empty, DATA_MIGRATIONS);
    for (const name of tables) {
      const rows = await countRows(name, db);
      if (rows > (await countRows(name, empty))) return { name, rows };
    }
    return undefined;
  } finally {
    await empty.destroy();
  }
}

async function countRows(name: string, db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
  return rows[0]!.n;
}

async function catalogueTables(): Promise<string[]> {
  const empty = openDatabase(':memory:');
  try {
    await migrate(empty, CATALOGUE_MIGRATIONS);
    return (await tablesOf(empty)).filter((name) => name !== PROCESSES);
  } finally {
    await empty.destroy();
  }
}
