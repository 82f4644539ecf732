import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export interface LinkTable {
  id: string;
  /** If the recorded URL is dead, the URL that is shown instead. Null while the recorded URL works. */
  url: string | null;
  /** Hash of the original if it is stored here. */
  kept: string | null;
  /** All times are milliseconds since the Unix epoch. */
  checkedAt: number;
  /** Number of checks in a row in which the shown URL was gone and no other URL worked. */
  failures: number;
  firstFailedAt: number | null;
  lastFailedAt: number | null;
  reason: string | null;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    links: LinkTable;
  }
}

export const linkMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('url', 'text')
      .addColumn('kept', 'text')
      .addColumn('checked_at', 'integer', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('first_failed_at', 'integer')
      .addColumn('last_failed_at', 'integer')
      .addColumn('reason', 'text')
      .execute();
  },
};

/** Builds of earlier versions do not say which originals are stored here. */
export const keptLinksMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`insert into changes select links.id, revision + 1 from links, catalog_state where links.kept is not null
      on conflict (gif) do update set revision = excluded.revision`.execute(db);
    await sql`update catalog_state set revision = revision + 1
      where exists (select 1 from links where kept is not null)`.execute(db);
  },
};
