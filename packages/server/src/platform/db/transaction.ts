import { setTimeout } from 'node:timers/promises';
import { isBusy, LOOK_MS, PATIENCE_MS } from './busy.ts';
import { isPostgres, OneWriterAdapter } from './postgres-dialect.ts';
import { RoomMade } from './sqlite-dialect.ts';
import type { Database } from './tables.ts';

/** Maximum number of attempts. No transaction fails this often by chance. */
const ATTEMPTS = 10;

/**
 * Runs `act` in a transaction. If a transaction is already running, `act` becomes part of it. Retries if SQLite refuses
 * a write because another process is writing, or has written since this transaction began to read.
 */
export async function inTransaction<Result>(db: Database, act: (trx: Database) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return act(db);
  const { adapter } = db.getExecutor();
  if (adapter instanceof OneWriterAdapter) return inTurn(adapter, () => db.transaction().execute(act));
  return inOwnTransaction(db, act);
}

/** Retries on SQLite, because another process can write during a transaction. */
async function inOwnTransaction<Result>(db: Database, act: (trx: Database) => Promise<Result>): Promise<Result> {
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

/** The latest transaction of this process for each database. The next transaction waits for it. */
const turns = new WeakMap<OneWriterAdapter, Promise<unknown>>();

/**
 * Runs the transactions of this process one after the other. Otherwise, all connections of the pool could wait for the
 * lock.
 */
function inTurn<Result>(adapter: OneWriterAdapter, act: () => Promise<Result>): Promise<Result> {
  const turn = (turns.get(adapter) ?? Promise.resolve()).then(act, act);
  turns.set(adapter, turn);
  return turn;
}

/**
 * Runs `read` in a transaction that sees one state of the database, even if others write in the meantime. If a
 * transaction is already running, `read` becomes part of it.
 */
export function inSnapshot<Result>(db: Database, read: (trx: Database) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return read(db);
  const transaction = db.transaction();
  return (isPostgres(db) ? transaction.setIsolationLevel('repeatable read') : transaction).execute(read);
}

/** Returns whether another process has written since the transaction began to read. */
function isLate(error: unknown): boolean {
  return (error as { code?: string }).code === 'SQLITE_BUSY_SNAPSHOT';
}
