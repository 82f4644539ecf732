import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { watchNewColumns } from './changes.ts';
import { chunks } from './chunks.ts';
import { tables } from './tables.ts';

/** Adds the time at which a GIF was added, so that operators can list the newest first. It is 0 for earlier GIFs. */
export const addedMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('gifs')
      .addColumn('added_at', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('gifs_added').on('gifs').columns(['added_at', 'id']).execute();
    await watchNewColumns(db);
  },
};

/** Returns when GIFs were added, in milliseconds since the Unix epoch, by id; 0 if nobody recorded it. */
export async function addedAt(db: Database, ids: readonly string[]): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const some of chunks(ids)) {
    const rows = await tables(db).selectFrom('gifs').select(['id', 'addedAt']).where('id', 'in', some).execute();
    for (const row of rows) found[row.id] = row.addedAt;
  }
  return found;
}
