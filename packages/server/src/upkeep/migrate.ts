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
  freeze,
  inTransaction,
  isFrozen,
  isPostgres,
  LASTING,
  migrate,
  openDatabase,
  tablesOf,
  thaw,
} from '../platform/db/index.ts';
import { countJobs } from '../platform/jobs/index.ts';
import { takeLock, whenFree } from '../platform/lock/index.ts';
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
  /**
   * Called if the move must wait for a process that adds GIFs or improves results. @param holder description of that
   * process
   */
  onWait(holder: string): void;
  signal: AbortSignal;
}

export interface Moved {
  /** Number of GIFs that can be found. */
  gifs: number;
  /** Number of rows of all tables. */
  rows: number;
  /**
   * Whether clients, keys, sessions and orders were copied. If the target already has clients, they are kept, and no
   * clients are copied.
   */
  clients: 'copied' | 'kept';
}

/**
 * Copies the catalogue and the clients from the data folder into PostgreSQL, or back, while services respond to
 * requests. Either all rows are copied or none. During the copy, changes to the source wait or are refused. After that,
 * the source refuses all changes, so that no change is lost. After a crash between the commits of the two databases,
 * the source can be frozen although there is no copy (see `cancelMove`).
 * @throws OperatorError if the target has a catalogue, if the source has no catalogue or open jobs, or if a process uses
 * the target
 */
export async function moveCatalogue(config: Config, to: Side, task: MoveTask): Promise<Moved> {
  const folder = config.service.data;
  const { databaseUrl } = config.registry;
  checkUrl(config);
  if (to === 'postgres') checkFolder(config);
  fs.mkdirSync(folder, { recursive: true });
  await using begun = new AsyncDisposableStack();
  // No service can use the folder during the move, because it would not notice that all rows are replaced.
  const serving = to === 'folder' ? takeLock(path.join(folder, 'serve.lock'), 'zoetrope migrate') : undefined;
  begun.defer(() => serving?.release());
  const takeTurn = () => takeWorkLock({ folder, databaseUrl }, 'writer', { holder: 'zoetrope migrate' });
  const working = await whenFree(takeTurn, task);
  begun.defer(() => working.release());
  const own = openDatabase(foldersOf(folder).database);
  begun.defer(() => own.destroy());
  if (!(await isFrozen(own))) await migrate(own, DATA_MIGRATIONS);
  const shared = openCatalogue(databaseUrl, LASTING);
  begun.defer(() => closePostgres(shared));
  await checkPostgres(shared);
  if (!(await isFrozen(shared))) {
    await migrate(shared, REGISTRY_MIGRATIONS);
    await migrateCatalogue(shared);
  }
  const [from, target] = to === 'postgres' ? [own, shared] : [shared, own];
  const tables = (await tablesOf(own)).filter((name) => name !== PROCESSES);
  await checkSource(from, to, tables);
  await checkTarget(target, to, folder);
  return { ...(await moveRows(from, target, tables, task)), gifs: await countGifs(target) };
}

/** Where a catalogue can be. */
export type Side = 'postgres' | 'folder';

/**
 * Allows changes to the source of a copy again, for operators who do not want to use the copy. @throws OperatorError
 */
export async function cancelMove(config: Config, to: Side): Promise<void> {
  if (to === 'postgres') checkFolder(config);
  else checkUrl(config);
  const db =
    to === 'postgres'
      ? openDatabase(foldersOf(config.service.data).database)
      : openCatalogue(config.registry.databaseUrl, LASTING);
  try {
    if (isPostgres(db)) await checkPostgres(db);
    if (!(await isFrozen(db))) {
      const opposite = to === 'postgres' ? 'zoetrope migrate --back --cancel' : 'zoetrope migrate --cancel';
      throw new OperatorError(
        `${SIDES[other(to)]} can be changed: nothing to cancel. For the other direction, run ${opposite}`,
      );
    }
    await inTransaction(db, thaw);
  } finally {
    await closePostgres(db);
  }
}

const SIDES = { folder: 'The catalogue in the data folder', postgres: 'The catalogue in PostgreSQL' };

function other(side: Side): Side {
  return side === 'folder' ? 'postgres' : 'folder';
}

function checkUrl({ registry }: Config): void {
  if (registry.databaseUrl !== '') return;
  throw new OperatorError('Set ZOETROPE_DATABASE_URL to the URL of the PostgreSQL database');
}

function checkFolder({ service }: Config): void {
  if (fs.existsSync(foldersOf(service.data).database)) return;
  throw new OperatorError(
    `There is no catalogue in ${service.data}: set ZOETROPE_DATA to the data folder of the service`,
  );
}

/** Copies all rows in one transaction, and freezes the source before the copy can be used. */
async function moveRows(
  from: Database,
  target: Database,
  tables: readonly string[],
  task: MoveTask,
): Promise<Omit<Moved, 'gifs'>> {
  const catalogue = await catalogueTables();
  const clientTables = tables.filter((name) => !catalogue.includes(name));
  const hasClients = (await findFilled(target, clientTables)) !== undefined;
  const names = new Set(hasClients ? catalogue : tables);
  const onProgress = (progress: { done: number; total: number }) => task.onProgress({ phase: 'rows', ...progress });
  let isSourceFrozen = false;
  try {
    const counts = await untilNoDeadlock(() =>
      inTransaction(target, async (written) => {
        const copied = await inTransaction(from, async (read) => {
          await freeze(read, tables);
          await checkDone(read);
          return copyTables(read, written, names, { signal: task.signal, onProgress });
        });
        isSourceFrozen = true;
        return copied;
      }),
    );
    const rows = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return { rows, clients: hasClients ? 'kept' : 'copied' };
  } catch (cause) {
    if (!isSourceFrozen) throw cause;
    throw new OperatorError(
      `The last step failed, so the copy may be complete or missing: ${(cause as Error).message}. If a service starts with the ` +
        'copy, use it. Otherwise run zoetrope migrate --cancel, with --back if you ran it with --back, and migrate again',
      { cause },
    );
  }
}

/** Maximum number of attempts. */
const ATTEMPTS = 5;
/** PostgreSQL's code for a transaction that was ended because it and another transaction waited for each other. */
const DEADLOCK = '40P01';

/** Tries again after a deadlock. Deadlocks occur because services lock tables in a different order. */
async function untilNoDeadlock<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
    }
  }
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

async function checkSource(from: Database, to: Side, tables: readonly string[]): Promise<void> {
  if (await isFrozen(from)) {
    const cancel = to === 'postgres' ? 'zoetrope migrate --cancel' : 'zoetrope migrate --back --cancel';
    throw new OperatorError(
      `${SIDES[other(to)]} was copied before, and has refused changes since. If you do not use that copy, run ` +
        `${cancel}, and then run this command again`,
    );
  }
  if ((await findFilled(from, tables)) !== undefined) return;
  throw new OperatorError(`${SIDES[other(to)]} is empty: nothing to move`);
}

async function checkTarget(target: Database, to: Side, folder: string): Promise<void> {
  if (to === 'postgres') await checkUnused(target);
  const filled = await findFilled(target, await catalogueTables());
  if (filled === undefined) return;
  const [where, cure] =
    to === 'postgres'
      ? ['The PostgreSQL database (ZOETROPE_DATABASE_URL)', 'Use an empty database']
      : [`The data folder ${folder}`, 'Set ZOETROPE_DATA to a new folder'];
  throw new OperatorError(
    `${where} already has a catalogue: its table ${filled.name} has ${filled.rows} rows. ${cure}`,
  );
}

/** Refuses a database with live processes, because all its rows are replaced. */
async function checkUnused(shared: Database): Promise<void> {
  const machines = new Set((await findNodes(shared)).map(({ machine }) => machine));
  if (machines.size === 0) return;
  throw new OperatorError(
    `Processes on ${[...machines].join(', ')} use the PostgreSQL database. Stop them; after a crash, wait half a minute`,
  );
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
