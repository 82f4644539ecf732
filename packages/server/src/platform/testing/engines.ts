import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Database, migrate, onPostgres, openDatabase } from '../db/index.ts';
import { type EngineOptions, findPostgres } from './postgres.ts';
import { DatabasesOf } from './postgres-databases.ts';
import { sharedServer } from './shared-server.ts';
import { SHORT_RUN } from './short-run.ts';
import { nameOf, type Tables } from './tables.ts';

/** A kind of database. */
export interface Engine {
  /** Opens a new database with these tables. Databases with the same tables are copies of one migrated database. */
  open(tables: Tables): Promise<Database>;
  stop(): Promise<void>;
}

const SQLITE = { name: 'SQLite', start: startSqlite };

/**
 * Kinds of databases for tests. If PostgreSQL is not installed, tests use PGlite. It runs in this process, and all its
 * users share one connection.
 */
export const ENGINES: { name: string; start: (options?: EngineOptions) => Promise<Engine> }[] =
  process.env[SHORT_RUN] === '1' ? [SQLITE] : [SQLITE, postgresEngine()];

function postgresEngine(): (typeof ENGINES)[number] {
  return findPostgres() === undefined
    ? { name: 'PGlite', start: startPglite }
    : { name: 'PostgreSQL', start: startDatabases };
}

async function startDatabases(options?: EngineOptions): Promise<Engine> {
  const databases = new DatabasesOf(await sharedServer('postgres'), options);
  return { open: (tables) => databases.open(tables), stop: () => databases.close() };
}

async function startSqlite(): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  const templates = new Map<string, string>();
  let n = 0;
  const newFile = () => path.join(folder, `${++n}.db`);

  async function templateOf(tables: Tables): Promise<string> {
    const known = templates.get(nameOf(tables));
    if (known !== undefined) return known;
    const template = newFile();
    const db = openDatabase(template);
    await migrate(db, tables);
    // Closing the last connection moves the write-ahead log into the file.
    await db.destroy();
    templates.set(nameOf(tables), template);
    return template;
  }

  return {
    async open(tables) {
      const file = newFile();
      await copyFile(await templateOf(tables), file);
      return openDatabase(file);
    },
    stop: () => rm(folder, { recursive: true }),
  };
}

/** Starts PGlite. The start takes seconds, so the tests of a file share one instance and empty it. */
async function startPglite({ hasOneWriter = false }: EngineOptions = {}): Promise<Engine> {
  const { PGlite } = await import('@electric-sql/pglite');
  const pglite = await PGlite.create();
  const pool = poolOf(pglite);
  return {
    async open(tables) {
      await pglite.exec('drop schema public cascade; create schema public');
      const db = onPostgres({ pool, hasOneWriter });
      await migrate(db, tables);
      return db;
    },
    stop: () => pglite.close(),
  };
}

/** Lends the only connection to one user at a time. A transaction keeps the connection until its end. */
function poolOf(pglite: PGlite): PostgresPool {
  let free = Promise.resolve();
  const query = async (text: string, values: readonly unknown[]) => {
    const { rows, affectedRows = 0 } = await pglite.query(text, [...values]);
    return { rows, rowCount: affectedRows, command: text.trim().split(/\s/, 1)[0]!.toUpperCase() };
  };
  return {
    async connect() {
      const before = free;
      const turn = Promise.withResolvers<void>();
      free = turn.promise;
      await before;
      return { query, release: () => turn.resolve() } as unknown as PostgresPoolClient;
    },
    end: async () => {},
    options: {},
  };
}
