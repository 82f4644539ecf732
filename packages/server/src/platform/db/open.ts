import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, Kysely, SqliteDialect } from 'kysely';
import type { Database, Tables } from './tables.ts';

/**
 * Opens a SQLite file for one process among several: readers never wait for the writer (WAL), and a commit
 * that was answered survives the machine (synchronous FULL).
 */
export function openDatabase(file: string, options: { readonly?: boolean } = {}): Database {
  const database = new Sqlite(file, { readonly: options.readonly ?? false });
  database.pragma('busy_timeout = 10000');
  if (!options.readonly) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  }
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }), plugins: [new CamelCasePlugin()] });
}
