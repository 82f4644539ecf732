import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { type Database, openDatabase } from '../../platform/db/index.ts';
import { findPostgres, startPostgres } from './postgres.ts';

/** A kind of database that the registry may lie in. */
export interface Engine {
  /** An empty one. */
  open(): Promise<Database>;
  stop(): Promise<void>;
}

const postgres = findPostgres();

/** Where PostgreSQL is not installed, its own code compiled for this process stands in: one connection, which all take turns at. */
export const ENGINES: { name: string; start: () => Promise<Engine> }[] = [
  { name: 'SQLite', start: startSqlite },
  postgres === undefined
    ? { name: 'PGlite', start: startPglite }
    : { name: 'PostgreSQL', start: () => startPostgres(postgres) },
];

async function startSqlite(): Promise<Engine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  let n = 0;
  return {
    open: async () => openDatabase(path.join(folder, `${++n}.db`)),
    stop: () => rm(folder, { recursive: true }),
  };
}

/** A new one takes seconds, so all tests have the same, emptied. */
async function startPglite(): Promise<Engine> {
  const pglite = await PGlite.create();
  const pool = poolOf(pglite);
  return {
    async open() {
      await pglite.exec('drop schema public cascade; create schema public');
      return new Kysely({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
    },
    stop: () => pglite.close(),
  };
}

/** Hands its one connection to one after the other: a transaction has it to its end. */
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
