import { setTimeout } from 'node:timers/promises';
import { isBusy, LOOK_MS, PATIENCE_MS } from './busy.ts';
import { isPostgres } from './postgres-dialect.ts';
import { RoomMade } from './sqlite-dialect.ts';
import type { Database } from './tables.ts';

/** Maximum number of attempts: no transaction fails this often by chance. */
const ATTEMPTS = 10;

/**
 * Runs `act` in a transaction. Retries if SQLite refuses a write because another process is writing, or has written
 * since this transaction began to read. Within a transaction, `act` becomes part of that transaction.
 */
export async function inTransaction<Result>(db: Database, act: (trx: Database) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return act(db);
  const start = performance.now();
  for (let late = 0; ; ) {
    try {
      return await db.transaction().execute(act);
    } catch (error) {
      if (error instanceof RoomMade) continue;
      if (isLate(error) && ++late < ATTEMPTS) continue;
      if (!isBusy(error) || performance.now() - start > PATIENCE_MS) throw error;
      await setTimeout(LOOK_MS);
    }
  }
}

/** Runs `read` in a transaction that sees one state of the database, whatever is written in the meantime. */
export function inSnapshot<Result>(db: Database, read: (trx: Database) => Promise<Result>): Promise<Result> {
  const transaction = db.transaction();
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(read);
}

/** Whether another process has written since the transaction began to read. */
function isLate(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY_SNAPSHOT';
}
