import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { type Database, onPostgres, openDatabase } from '../db/index.ts';
import { type EngineOptions, findPostgres, startPostgres } from './postgres.ts';

/** A kind of database. */
export interface Engine {
  /** Opens an empty database. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

const postgres = findPostgres();

/**
 * Kinds of databases for tests. If PostgreSQL is not installed, tests use PGlite, which runs in this process and in
 * which all users share one connection.
 */
export const ENGINES: { name: string; start: (options?: EngineOptions) => Promise<Engine> }[] = [
  { name: 'SQLite', start: startSqlite },
  postgres === undefined
    ? { name: 'PGlite', start: startPglite }
    : { name: 'PostgreSQL', start: (options) => startPostgres(postgres, options) },
];

async function startSqlite(): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  let n = 0;
  return {
    open: async () => openDatabase(path.join(folder, `${++n}.db`)),
    stop: () => rm(folder, { recursive: true }),
  };
}

/** Starts PGlite. The start takes seconds, so all tests share one instance and empty it. */
async function startPglite({ hasOneWriter = false }: EngineOptions = {}): Promise<Engine> {
  const pglite = await PGlite.create();
  const pool = poolOf(pglite);
  return {
    async open() {
      await pglite.exec('drop schema public cascade; create schema public');
      return onPostgres({ pool, hasOneWriter });
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
