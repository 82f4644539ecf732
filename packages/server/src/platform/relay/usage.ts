import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../db/index.ts';
import { tables } from './tables.ts';

/*
 * Stores the quotas that relays, authors and hosts have used today, so that a restart does not reset quotas. A key is a
 * kind and a subject, separated by a space, such as `claims wss://relay.example`. Only the current day is stored.
 */

declare module './tables.ts' {
  interface RelayTables {
    /** Days since the Unix epoch. */
    relayUsage: { key: string; day: number; used: number };
  }
}

export const relayUsageMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('relay_usage')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('used', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('relay_usage_day').on('relay_usage').column('day').execute();
  },
};

/** Maximum number of variables per statement. */
const KEYS = 500;
const DAY_MS = 86_400_000;

function dayOf(now: number): number {
  return Math.floor(now / DAY_MS);
}

/** Returns the start of the next day, in milliseconds since the Unix epoch. */
export function endOfDay(now: number): number {
  return (dayOf(now) + 1) * DAY_MS;
}

/** Returns today's use, by key. A key without use is missing. */
export async function usageOf(db: Database, keys: readonly string[], now: number): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < keys.length; from += KEYS) {
    const rows = tables(db).selectFrom('relayUsage').select(['key', 'used']).where('day', '=', dayOf(now));
    for (const { key, used } of await rows.where('key', 'in', keys.slice(from, from + KEYS)).execute()) {
      found.set(key, used);
    }
  }
  return found;
}

/** Adds to today's use, and deletes the use of earlier days. */
export async function addUsage(db: Database, added: ReadonlyMap<string, number>, now: number): Promise<void> {
  const day = dayOf(now);
  await tables(db).deleteFrom('relayUsage').where('day', '<', day).execute();
  const rows = [...added].filter(([, used]) => used > 0).map(([key, used]) => ({ key, day, used }));
  for (let from = 0; from < rows.length; from += KEYS / 4) {
    await tables(db)
      .insertInto('relayUsage')
      .values(rows.slice(from, from + KEYS / 4))
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet((excluded) => ({
          day,
          used: sql<number>`case when relay_usage.day = ${day} then relay_usage.used else 0 end + ${excluded.ref('excluded.used')}`,
        })),
      )
      .execute();
  }
}
