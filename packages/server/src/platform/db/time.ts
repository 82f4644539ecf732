import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';

/**
 * Returns an SQL expression for the database's time, in seconds since the Unix epoch. This time is used because the
 * clocks of machines can differ.
 */
export function timeOf(db: Database): RawBuilder<number> {
  return isPostgres(db) ? sql<number>`cast(extract(epoch from clock_timestamp()) as bigint)` : sql<number>`unixepoch()`;
}

/**
 * Returns the number of seconds by which this machine's clock is ahead of the database's clock. The number is negative
 * if the clock is behind.
 */
export async function secondsAhead(db: Database): Promise<number> {
  const before = Date.now() / 1_000;
  const { rows } = await sql<{ now: number }>`select ${timeOf(db)} as now`.execute(db);
  const after = Date.now() / 1_000;
  const { now } = rows[0]!;
  // The database's time has no fractions of a second.
  if (now >= before - 1 && now <= after) return 0;
  return Math.round((before + after) / 2 - now);
}
