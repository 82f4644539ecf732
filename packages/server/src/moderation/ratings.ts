import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { bumpShown, currentId, fromRow, type GifRecord, tables } from '../records/index.ts';

/*
 * Ratings decide whether GIFs can be shown. The tables store each rating, who gave it, and the results of the models. A
 * GIF without a row has no rating. An adult mark from a GIF's sources (`adult` in its record) overrides the models.
 * Only an operator can lower a rating.
 */

/** unrated: the file cannot be read. review: an operator must decide. */
export type Rating = 'unrated' | 'safe' | 'review' | 'adult';

/**
 * The sources of ratings, in ascending order of authority. The rating of a later entry overrides the rating of an
 * earlier entry.
 */
export const SAYERS = ['model', 'declared', 'operator'] as const;
type Sayer = (typeof SAYERS)[number];

export interface SaidRating {
  readonly rating: Rating;
  readonly saidBy: Sayer;
}

/** The GIFs that are hidden until they are rated safe: only GIFs from relays, or also the operator's own files. */
export type HeldBack = 'relays' | 'all';

/** The models' results for a picture (see the enrich room). */
export interface StoredRating {
  /** Result of the first network for the frames, from 0 to 1. Null if the network did not run. */
  readonly suspicion: number | null;
  readonly hashes: readonly bigint[];
}

/** The value of `source` for GIFs from relays. */
export const RELAYS = 'nostr';

declare module '../records/tables.ts' {
  interface CatalogTables {
    ratings: { id: string } & SaidRating;
    /** `source` is a `pictureKey`. Hashes are 8 bytes each, little-endian. */
    sights: { source: string; suspicion: number | null; hashes: Uint8Array };
    /** One row per entry of `RatingCounts`, from the last count. */
    ratingCounts: { name: string; n: number };
  }
}

export const ratingMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('ratings')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('rating', 'text', (column) => column.notNull())
      .addColumn('said_by', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('ratings_rating').on('ratings').columns(['rating', 'said_by']).execute();
    await db.schema
      .createTable('sights')
      .addColumn('source', 'text', (column) => column.primaryKey())
      .addColumn('suspicion', 'real')
      .addColumn('hashes', 'blob', (column) => column.notNull())
      .execute();
    // GIFs that an operator added before ratings existed remain visible.
    await sql`insert into ratings select id, 'safe', 'declared' from gifs where adult = 0 and url is null`.execute(db);
  },
};

export const ratingCountMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('rating_counts')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('n', 'integer', (column) => column.notNull())
      .execute();
  },
};

/**
 * SQL condition that is true for the kinds of GIFs that are rated. This condition must equal the condition of the index
 * below. Otherwise, SQLite does not use that index.
 */
const IS_RATED = sql<boolean>`(gifs.source = ${sql.lit(RELAYS)} or gifs.url is null)`;

/**
 * Adds an index of the kinds of GIFs that are rated. Most GIFs of a large catalogue are usually linked. Only the linked
 * GIFs from relays are rated.
 */
export const ratedGifsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index gifs_rated on gifs (id) where source = ${sql.lit(RELAYS)} or url is null`.execute(db);
  },
};

/** Number of GIFs by rating. failed: GIFs that could not be rated. unrated: GIFs that are not rated yet. */
const RATING_COUNTS = ['unrated', 'safe', 'review', 'adult', 'failed'] as const;
export type RatingCounts = Record<(typeof RATING_COUNTS)[number], number>;

/** Saves ratings, but does not replace a rating with higher authority. The next build applies the saved ratings. */
export async function saveRatings(
  db: Database,
  said: readonly ({ readonly id: string } & SaidRating)[],
): Promise<void> {
  for (const { id, rating, saidBy } of said) {
    const overruled = SAYERS.slice(0, SAYERS.indexOf(saidBy) + 1);
    await tables(db)
      .insertInto('ratings')
      .values({ id, rating, saidBy })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ rating, saidBy }).where('ratings.saidBy', 'in', overruled),
      )
      .execute();
  }
}

/** Saves an operator's rating of a GIF, which overrides all other ratings. @returns false if the id is unknown */
export async function rateByOperator(db: Database, given: string, rating: 'safe' | 'adult'): Promise<boolean> {
  const id = await currentId(db, given);
  const known = await tables(db).selectFrom('gifs').select('id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) return false;
  await saveRatings(db, [{ id, rating, saidBy: 'operator' }]);
  await bumpShown(db);
  return true;
}

export async function findRating(db: Database, id: string): Promise<SaidRating | undefined> {
  return tables(db).selectFrom('ratings').select(['rating', 'saidBy']).where('id', '=', id).executeTakeFirst();
}

/**
 * Returns an SQL expression that is 1 if a GIF in `gifs`, joined with its `ratings`, must not be shown, and otherwise
 * 0.
 */
export function isUnfit(heldBack: HeldBack): RawBuilder<number> {
  const held =
    heldBack === 'relays'
      ? sql`case when gifs.source = ${RELAYS} then 1 else 0 end`
      : sql`case when gifs.source = ${RELAYS} or gifs.url is null then 1 else 0 end`;
  return sql<number>`case
    when ratings.said_by = 'operator' and ratings.rating = 'safe' then 0
    when ratings.said_by = 'operator' then 1
    when gifs.adult = 1 or ratings.rating = 'adult' then 1
    when ratings.rating = 'safe' then 0
    else ${held} end`;
}

/**
 * Returns the GIFs without a rating that might be shown, in pages by ascending id. These are GIFs from relays and, if
 * requested, all other GIFs whose files are stored here.
 */
export async function pageOfUnrated(
  db: Database,
  whose: 'relays' | 'others',
  { after, limit }: { after: string; limit: number },
): Promise<GifRecord[]> {
  const unrated = tables(db)
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .where('ratings.id', 'is', null)
    .where(sql<boolean>`+gifs.hidden = 0`)
    .where('gifs.adult', '=', 0)
    .where(IS_RATED);
  const chosen =
    whose === 'relays'
      ? unrated.where('gifs.source', '=', RELAYS)
      : unrated.where('gifs.source', '<>', RELAYS).where('gifs.url', 'is', null);
  const rows = await chosen.where('gifs.id', '>', after).selectAll('gifs').orderBy('gifs.id').limit(limit).execute();
  return rows.map(fromRow);
}

/** Counts GIFs by rating and saves the result for `knownRatingCounts`. Takes a second for a million GIFs. */
export async function countRatings(db: Database): Promise<void> {
  const counted: RatingCounts = { unrated: await countUnrated(db), safe: 0, review: 0, adult: 0, failed: 0 };
  const rows = await tables(db)
    .selectFrom('ratings')
    .select((select) => ['rating', select.fn.countAll<number>().as('n')])
    .where('saidBy', '=', 'model')
    .groupBy('rating')
    .execute();
  for (const { rating, n } of rows) counted[rating === 'unrated' ? 'failed' : rating] = n;
  await tables(db)
    .insertInto('ratingCounts')
    .values(RATING_COUNTS.map((name) => ({ name, n: counted[name] })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet((excluded) => ({ n: excluded.ref('excluded.n') })))
    .execute();
}

/** Returns the last saved count. All counts are 0 in a data folder of an earlier version. */
export async function knownRatingCounts(db: Database): Promise<RatingCounts> {
  const counts: RatingCounts = { unrated: 0, safe: 0, review: 0, adult: 0, failed: 0 };
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'rating_counts')) return counts;
  for (const { name, n } of await tables(db).selectFrom('ratingCounts').selectAll().execute()) {
    counts[name as keyof RatingCounts] = n;
  }
  return counts;
}

/** Returns the number of GIFs that have no rating yet. GIFs from relays are not shown until they have a rating. */
export async function countUnrated(db: Database): Promise<number> {
  const { n } = await tables(db)
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .where('ratings.id', 'is', null)
    .where(sql<boolean>`+gifs.hidden = 0`)
    .where('gifs.adult', '=', 0)
    .where(IS_RATED)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Saves the models' results for a picture. A newer result replaces an older result. */
export async function savePictureRating(
  db: Database,
  source: string,
  { suspicion, hashes }: StoredRating,
): Promise<void> {
  const row = { suspicion, hashes: new Uint8Array(BigUint64Array.from(hashes).buffer) };
  await tables(db)
    .insertInto('sights')
    .values({ source, ...row })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
    .execute();
}

export async function findPictureRating(db: Database, source: string): Promise<StoredRating | undefined> {
  const row = await tables(db).selectFrom('sights').selectAll().where('source', '=', source).executeTakeFirst();
  return row && { suspicion: row.suspicion, hashes: hashesOf(row.hashes) };
}

/** Pages through the pictures for which results are stored, by ascending source. */
export async function pageOfRatings(
  db: Database,
  after: string,
  limit: number,
): Promise<{ source: string; hashes: bigint[] }[]> {
  const sights = tables(db).selectFrom('sights').select(['source', 'hashes']).where('source', '>', after);
  const rows = await sights.orderBy('source').limit(limit).execute();
  return rows.map(({ source, hashes }) => ({ source, hashes: hashesOf(hashes) }));
}

function hashesOf(bytes: Uint8Array): bigint[] {
  return [...new BigUint64Array(new Uint8Array(bytes).buffer)];
}
