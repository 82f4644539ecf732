import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, viewOf } from '../platform/db/index.ts';
import { type GifRecord, LEVELS } from './record.ts';

/** Lists are JSON text, and booleans are 0 or 1, so that both SQL dialects store the same values. */
type Stored<Value> = Value extends string[] ? string : Value extends boolean ? number : Value;

/** Fields with a different type in the table. */
type Special = 'verified' | 'transparent' | 'blankStill';

/** One row per GIF. */
export type GifTable = { [Field in Exclude<keyof GifRecord, Special>]: Stored<GifRecord[Field]> } & {
  /** 0 nothing, 1 header, 2 file (see `Verified`). */
  verified: number;
  /** 1 if transparent pixels were found, otherwise 0. */
  transparent: number;
  blankStill: number;
  /**
   * 0 if the GIF is shown. Otherwise the sum of the reasons for hiding the GIF: 1 hidden by an operator, 2 dead link, 4
   * on the block list, 8 no claims left, 16 uploaded by a member and not reviewed yet.
   */
  hidden: number;
  /** When the GIF was added, in milliseconds since the Unix epoch. 0 if an earlier version of the program added it. */
  addedAt: number;
};

export interface CatalogTables {
  gifs: Omit<GifTable, 'addedAt'> & { addedAt: Generated<number> };
  /**
   * A single row. `revision` is the number of changes so far. A build has the revision from which it was made.
   * `forgotten` is the revision after which all changes are noted (see changes.ts).
   */
  catalogState: { id: number; revision: number; forgotten: Generated<number> };
  /** Former ids (see aliases.ts). */
  aliases: { id: string; gif: string; url: string | null };
}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<CatalogTables>();

export const catalogMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('gifs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('sha256', 'text')
      .addColumn('url', 'text')
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('frames', 'integer')
      .addColumn('duration_ms', 'integer')
      .addColumn('bytes', 'integer')
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('characters', 'text', (column) => column.notNull())
      .addColumn('series', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('alt', 'text', (column) => column.notNull())
      .addColumn('lang', 'text', (column) => column.notNull())
      .addColumn('adult', 'integer', (column) => column.notNull())
      .addColumn('popularity', 'real', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('fallback', 'text', (column) => column.notNull())
      .addColumn('lqip', 'text')
      .addColumn('told_by', 'text', (column) => column.notNull())
      .addColumn('hidden', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('gifs_hidden').on('gifs').columns(['hidden', 'id']).execute();
    await db.schema
      .createTable('catalog_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
    await tables(db as Database)
      .insertInto('catalogState')
      .values({ id: 1, revision: 0 })
      .execute();
  },
};

/** Before this migration, only the operator's own files and files from relays had been read. */
export const verifiedMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const column = (name: string) =>
      db.schema.alterTable('gifs').addColumn(name, 'integer', (it) => it.notNull().defaultTo(0));
    await column('verified').execute();
    await sql`update gifs set verified = ${LEVELS.indexOf('file')} where url is null or source = 'nostr'`.execute(db);
    await db.schema
      .createTable('aliases')
      .addColumn('id', 'text', (it) => it.primaryKey())
      .addColumn('gif', 'text', (it) => it.notNull())
      .addColumn('url', 'text')
      .execute();
    await db.schema.createIndex('aliases_gif').on('aliases').column('gif').execute();
  },
};

const LISTS = ['tags', 'characters', 'series', 'fallback'] as const;

export function toRow(record: GifRecord): Omit<GifTable, 'hidden' | 'addedAt'> {
  const lists = Object.fromEntries(LISTS.map((name) => [name, JSON.stringify(record[name])]));
  return {
    ...record,
    ...(lists as Record<(typeof LISTS)[number], string>),
    adult: record.adult ? 1 : 0,
    verified: LEVELS.indexOf(record.verified),
    transparent: record.transparent ? 1 : 0,
    blankStill: record.blankStill ? 1 : 0,
  };
}

export function fromRow({ hidden: _, addedAt: __, ...row }: GifTable): GifRecord {
  const lists = Object.fromEntries(LISTS.map((name) => [name, JSON.parse(row[name])]));
  return {
    ...row,
    ...(lists as Record<(typeof LISTS)[number], string[]>),
    adult: row.adult === 1,
    verified: LEVELS[row.verified]!,
    transparent: row.transparent === 1 || undefined,
    blankStill: row.blankStill === 1 || undefined,
  };
}
