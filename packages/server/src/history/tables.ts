import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { viewOf } from '../platform/db/index.ts';
import { backupMigration } from './backups.ts';

/**
 * One number about an interval. Intervals of all lengths are written at the same time, so longer intervals need not be
 * computed later.
 */
export interface HistoryTable {
  /** Length of the interval. */
  seconds: number;
  /** Start of the interval, in seconds since the Unix epoch. A multiple of its length. */
  at: number;
  /** Name of the number. */
  what: string;
  amount: number;
}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<{ history: HistoryTable }>();

/** Lengths of the intervals, with the time for which they are kept, in seconds. */
export const INTERVALS = [
  { seconds: 300, keptFor: 2 * 86_400 },
  { seconds: 3_600, keptFor: 90 * 86_400 },
] as const;

export const historyMigrations = {
  history: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('history')
        .addColumn('seconds', 'integer', (column) => column.notNull())
        .addColumn('at', 'integer', (column) => column.notNull())
        .addColumn('what', 'text', (column) => column.notNull())
        .addColumn('amount', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('history_key', ['seconds', 'at', 'what'])
        .execute();
    },
  } satisfies Migration,
  backups: backupMigration,
};
