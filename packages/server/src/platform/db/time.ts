import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from './postgres-dialect.ts';
import type { Database } from './tables.ts';

/** The database's time, in seconds since the Unix epoch. The clocks of machines that share a database can differ. */
export function timeOf(db: Database): RawBuilder<number> {
  return isPostgres(db) ? sql<number>`cast(extract(epoch from clock_timestamp()) as bigint)` : sql<number>`unixepoch()`;
}
