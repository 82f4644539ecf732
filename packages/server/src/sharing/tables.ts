import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, viewOf } from '../platform/db/index.ts';

/** A catalogue of another service that this service follows. */
export interface CatalogueRow {
  /** URL of the other service. */
  url: string;
  /** Public key of the first manifest that was read, in hexadecimal. Null before that. */
  pubkey: string | null;
  /** Generation and id of the last accepted manifest. */
  generation: number;
  manifest: string;
  bits: number;
  /** Number of GIFs in that manifest. */
  gifs: number;
  /** When the other service was last asked, in milliseconds since the Unix epoch. 0: ask it now. */
  checkedAt: number;
  /** When everything was last read, in milliseconds since the Unix epoch. */
  readAt: number;
  /** Why the last attempt failed; null if it did not. */
  error: string | null;
}

interface SharingTables {
  catalogues: CatalogueRow;
  /** The parts that were read, with their hash. */
  catalogueParts: { catalogue: string; part: number; sha256: string };
  /** The GIFs in the parts that were read, including GIFs that this service already had from another source. */
  catalogueGifs: { catalogue: string; gif: string; place: number };
  /**
   * The revision that each published manifest shows, and the settings with which the manifest was made. The key is the
   * id of the manifest's event.
   */
  publications: { manifest: string; revision: number; settings: string };
}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<SharingTables>();

export const sharingMigrations = {
  catalogues: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('catalogues')
        .addColumn('url', 'text', (column) => column.primaryKey())
        .addColumn('pubkey', 'text')
        .addColumn('generation', 'integer', (column) => column.notNull())
        .addColumn('manifest', 'text', (column) => column.notNull())
        .addColumn('bits', 'integer', (column) => column.notNull())
        .addColumn('gifs', 'integer', (column) => column.notNull())
        .addColumn('checked_at', 'integer', (column) => column.notNull())
        .addColumn('read_at', 'integer', (column) => column.notNull())
        .addColumn('error', 'text')
        .execute();
      await db.schema
        .createTable('catalogue_parts')
        .addColumn('catalogue', 'text', (column) => column.notNull())
        .addColumn('part', 'integer', (column) => column.notNull())
        .addColumn('sha256', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('catalogue_parts_key', ['catalogue', 'part'])
        .execute();
      await db.schema
        .createTable('catalogue_gifs')
        .addColumn('catalogue', 'text', (column) => column.notNull())
        .addColumn('gif', 'text', (column) => column.notNull())
        .addColumn('place', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('catalogue_gifs_key', ['catalogue', 'gif'])
        .execute();
      const index = db.schema.createIndex('catalogue_gifs_place').on('catalogue_gifs');
      await index.columns(['catalogue', 'place']).execute();
      await db.schema.createIndex('catalogue_gifs_gif').on('catalogue_gifs').column('gif').execute();
    },
  } satisfies Migration,
  publications: {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('publications')
        .addColumn('manifest', 'text', (column) => column.primaryKey())
        .addColumn('revision', 'integer', (column) => column.notNull())
        .addColumn('settings', 'text', (column) => column.notNull())
        .execute();
    },
  } satisfies Migration,
};

/** Returns the catalogues that are followed, by URL. */
export function listCatalogues(db: Database): Promise<CatalogueRow[]> {
  return tables(db).selectFrom('catalogues').selectAll().orderBy('url').execute();
}

/** Adds a catalogue. If it is already followed, it will be read again soon. @returns whether the catalogue is new */
export async function addCatalogue(db: Database, url: string): Promise<boolean> {
  const row = {
    url,
    pubkey: null,
    generation: 0,
    manifest: '',
    bits: 0,
    gifs: 0,
    checkedAt: 0,
    readAt: 0,
    error: null,
  };
  const added = await tables(db)
    .insertInto('catalogues')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  const isNew = (added.numInsertedOrUpdatedRows ?? 0n) > 0n;
  if (!isNew) await tables(db).updateTable('catalogues').set({ checkedAt: 0 }).where('url', '=', url).execute();
  return isNew;
}
