import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';

/** The database's time, in seconds since the Unix epoch. It is used because the clocks of machines can differ. */
export function timeOf(db: Database): RawBuilder<number> {
  return isPostgres(db) ? sql<number>`cast(extract(epoch from clock_timestamp()) as bigint)` : sql<number>`unixepoch()`;
}
