import Sqlite, { type Statement } from 'better-sqlite3';
import { CamelCasePlugin, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isFull, PATIENCE_MS } from './busy.ts';
import type { Reserve } from './reserve.ts';
import { PatientSqliteDialect, type SqliteHandle } from './sqlite-dialect.ts';
import type { Database, Tables } from './tables.ts';

/** Statements kept, and the longest that is: those with a list of rows in them come once. */
const STATEMENTS = 200;
const LONGEST_STATEMENT = 4_000;

interface OpenOptions {
  readonly?: boolean;
  /** What is used up when the disk is full. */
  reserve?: Reserve;
}

/**
 * Opens a SQLite file for one process among several: readers never wait for the writer (WAL), and a commit
 * that was answered survives the machine (synchronous FULL).
 */
export function openDatabase(file: string, { readonly = false, reserve }: OpenOptions = {}): Database {
  const database = new Sqlite(file, { readonly });
  const makeRoom = () => reserve?.release() === true && checkpoint(database);
  try {
    prepare(database, readonly);
  } catch (error) {
    if (!isFull(error) || !makeRoom()) throw error;
    prepare(database, readonly);
  }
  return new Kysely<Tables>({
    dialect: new PatientSqliteDialect({
      ...prepareOnce(database),
      isInTransaction: () => database.inTransaction,
      makeRoom,
    }),
    plugins: [new CamelCasePlugin()],
  });
}

function prepare(database: Sqlite.Database, readonly: boolean): void {
  database.pragma(`busy_timeout = ${PATIENCE_MS}`);
  if (!readonly) {
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
  }
  // From here on nothing waits inside of SQLite, which would stop the thread: the dialect does.
  database.pragma('busy_timeout = 0');
}

/** Moves the write-ahead log into the database where possible, so that the log stops growing. @returns true */
function checkpoint(database: Sqlite.Database): true {
  if (!database.inTransaction) {
    try {
      database.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // Then there is only the room that was made.
    }
  }
  return true;
}

/**
 * Kysely has every query prepared anew. What SQLite holds for it is freed when the garbage collector comes by, which sees
 * nothing of how large that is: fifty thousand look-ups of unknown callers took 300 MB.
 */
function prepareOnce(database: Sqlite.Database): Pick<SqliteHandle, 'prepare' | 'close'> {
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
