import Sqlite, { type Statement } from 'better-sqlite3';
import { CamelCasePlugin, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { PATIENCE_MS } from './busy.ts';
import { PatientSqliteDialect, type SqliteHandle } from './sqlite-dialect.ts';
import type { Database, Tables } from './tables.ts';

/** Statements kept, and the longest that is: those with a list of rows in them come once. */
const STATEMENTS = 200;
const LONGEST_STATEMENT = 4_000;

/**
 * Opens a SQLite file for one process among several: readers never wait for the writer (WAL), and a commit
 * that was answered survives the machine (synchronous FULL).
 */
export function openDatabase(file: string, options: { readonly?: boolean } = {}): Database {
  const database = new Sqlite(file, { readonly: options.readonly ?? false });
  database.pragma(`busy_timeout = ${PATIENCE_MS}`);
  if (!options.readonly) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  }
  // From here on nothing waits inside of SQLite, which would stop the thread: the dialect does.
  database.pragma('busy_timeout = 0');
  return new Kysely<Tables>({
    dialect: new PatientSqliteDialect(prepareOnce(database)),
    plugins: [new CamelCasePlugin()],
  });
}

/**
 * Kysely has every query prepared anew. What SQLite holds for it is freed when the garbage collector comes by, which sees
 * nothing of how large that is: fifty thousand look-ups of unknown callers took 300 MB.
 */
function prepareOnce(database: Sqlite.Database): SqliteHandle {
  const statements = new LRUCache<string, Statement<unknown[]>>({ max: STATEMENTS });
  return {
    close: () => void database.close(),
    prepare(sql: string) {
      const known = statements.get(sql);
      if (known) return known;
      const prepared = database.prepare<unknown[]>(sql);
      if (sql.length <= LONGEST_STATEMENT) statements.set(sql, prepared);
      return prepared;
    },
  };
}
