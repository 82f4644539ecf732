import Sqlite, { type Statement } from 'better-sqlite3';
import { CamelCasePlugin, Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isFull, PATIENCE_MS } from './busy.ts';
import type { Reserve, ReserveUse } from './reserve.ts';
import { PatientSqliteDialect, type SqliteHandle } from './sqlite-dialect.ts';
import type { Database } from './tables.ts';

/**
 * Maximum number of cached statements, and maximum length of a cached statement. Statements with lists of rows are
 * longer and are used only once.
 */
const STATEMENTS = 200;
const LONGEST_STATEMENT = 4_000;

interface OpenOptions {
  readonly?: boolean;
  /**
   * The reserve on the disk. When the disk is full, the space of the reserve is freed for writes within `withReserve`.
   */
  reserve?: Reserve;
}

/**
 * Opens a SQLite file that several processes use. Readers never wait for the writer (WAL). A confirmed commit survives
 * a crash of the machine (synchronous FULL).
 */
export function openDatabase(file: string, { readonly = false, reserve }: OpenOptions = {}): Database {
  const database = new Sqlite(file, { readonly });
  const makeRoom = (use?: ReserveUse) => reserve?.release(use) === true && checkpoint(database);
  try {
    prepare(database, readonly);
  } catch (error) {
    // The operator's share of the reserve makes room, because only an operator starts a process.
    if (!isFull(error) || !makeRoom('operator')) throw error;
    prepare(database, readonly);
  }
  return new Kysely({
    dialect: new PatientSqliteDialect({
      ...prepareOnce(database),
      isInTransaction: () => database.inTransaction,
      makeRoom: () => makeRoom(),
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
  // After this point, the dialect waits for locks. If SQLite waited, it would block the thread.
  database.pragma('busy_timeout = 0');
}

/**
 * Moves the write-ahead log into the database if possible, because otherwise the log would keep growing. @returns true
 */
function checkpoint(database: Sqlite.Database): true {
  if (!database.inTransaction) {
    try {
      database.pragma('wal_checkpoint(PASSIVE)');
    } catch {
      // The log could not be moved, so only the reserve has made room.
    }
  }
  return true;
}

/**
 * Caches prepared statements, because Kysely prepares every query again. Only the garbage collector frees SQLite's
 * memory for a statement, but it does not take the size of that memory into account. Without the cache, fifty thousand
 * look-ups took 300 MB.
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
