import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { watchNewColumns } from './changes.ts';

/** Adds columns for facts from decoded frames. The facts are unknown for files that were read before this migration. */
export const frameFactsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['gifs', 'addresses']) {
      for (const fact of ['transparent', 'blank_still']) {
        const altered = db.schema.alterTable(table);
        await altered.addColumn(fact, 'integer', (column) => column.notNull().defaultTo(0)).execute();
      }
    }
    await watchNewColumns(db);
  },
};
