import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { watchNewColumns } from './changes.ts';

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
