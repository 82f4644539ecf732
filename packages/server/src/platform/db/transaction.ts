import { setTimeout } from 'node:timers/promises';
import { isBusy, LOOK_MS, PATIENCE_MS } from './busy.ts';
import type { Database } from './tables.ts';

/** Nobody loses so often by chance. */
const ATTEMPTS = 10;

/**
 * Runs `act` in a transaction: all of it happens, or nothing. It is run again where SQLite refuses a write: when
 * another process is writing, and when it has written since this transaction began to read. Within a transaction it
 * is part of that.
 */
export async function inTransaction<Result>(db: Database, act: (trx: Database) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return act(db);
  const start = performance.now();
  for (let late = 0; ; ) {
    try {
      return await tryTransaction(db, act);
    } catch (error) {
      const { code } = error as { code?: string };
      const isLate = code === 'SQLITE_BUSY_SNAPSHOT' && ++late < ATTEMPTS;
      const mayWait = isBusy(error) && performance.now() - start < PATIENCE_MS;
      if (!isLate && !mayWait) throw error;
      if (mayWait) await setTimeout(LOOK_MS);
    }
  }
}

/**
 * SQLite ends a transaction by itself on some errors, a full disk among them, and Kysely's rollback then fails too; what
 * is thrown here is always the first error.
 */
async function tryTransaction<Result>(db: Database, act: (trx: Database) => Promise<Result>): Promise<Result> {
  let first: unknown;
  try {
    return await db.transaction().execute(async (trx) => {
      try {
        return await act(trx);
      } catch (error) {
        first = error;
        throw error;
      }
    });
  } catch (error) {
    if (first !== undefined) throw first;
    if (!(error as Error).message.includes('cannot rollback')) throw error;
    // The commit failed, and its error is lost; of those that end a transaction, a full disk is the one that happens.
    throw Object.assign(new Error('a transaction could not be finished', { cause: error }), { code: 'SQLITE_FULL' });
  }
}
