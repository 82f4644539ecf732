import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { tables } from '../records/index.ts';

/*
 * A pack of emoji or stickers is an event that its author can replace with a new version. The claims of a replaced
 * version no longer count.
 */

declare module '../records/tables.ts' {
  interface CatalogTables {
    /** The last version of each pack, or its deletion. */
    packs: { address: string; eventId: string; createdAt: number };
  }
}

/** A version of a pack, or its deletion. */
export interface PackVersion {
  /** Kind, author and identifier of the pack, separated by colons. Source: NIP-01. */
  address: string;
  eventId: string;
  author: string;
  /** Seconds since the Unix epoch. */
  createdAt: number;
}

export const packsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('packs')
      .addColumn('address', 'text', (column) => column.primaryKey())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .execute();
  },
};

/**
 * Records versions of packs, in any order. @returns the versions that other versions replace, as withdrawals by their
 * author
 */
export async function replacePacks(
  db: Database,
  versions: readonly PackVersion[],
): Promise<{ eventId: string; author: string }[]> {
  const replaced: { eventId: string; author: string }[] = [];
  for (const { address, eventId, author, createdAt } of versions) {
    const known = await tables(db).selectFrom('packs').selectAll().where('address', '=', address).executeTakeFirst();
    if (known?.eventId === eventId) continue;
    const isLast = known === undefined || isLater({ eventId, createdAt }, known);
    if (known !== undefined) replaced.push({ eventId: isLast ? known.eventId : eventId, author });
    if (!isLast) continue;
    const row = { address, eventId, createdAt };
    const insert = tables(db).insertInto('packs').values(row);
    await insert.onConflict((conflict) => conflict.column('address').doUpdateSet(row)).execute();
  }
  return replaced;
}

type Version = Pick<PackVersion, 'eventId' | 'createdAt'>;

/** Of two versions with the same time, the version with the lower id counts. Source: NIP-01. */
function isLater(a: Version, b: Version): boolean {
  return a.createdAt === b.createdAt ? a.eventId < b.eventId : a.createdAt > b.createdAt;
}
