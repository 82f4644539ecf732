import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../../platform/db/index.ts';
import { currentId } from '../aliases.ts';
import type { GifRecord } from '../record.ts';
import { bumpShown } from '../revision.ts';
import { fromRow } from '../tables.ts';

/*
 * Whether GIFs are fit to be shown: what was said of that, by whom, and what networks saw. A GIF without a row was never
 * rated. Marks that its tellers give (`adult` of its record) raise it whatever a network says; only an operator lowers.
 */

/** unrated: its file cannot be looked at. review: a person has to look. */
export type Rating = 'unrated' | 'safe' | 'review' | 'adult';

/** Whoever stands further behind is believed more. */
export const SAYERS = ['model', 'declared', 'operator'] as const;
type Sayer = (typeof SAYERS)[number];

export interface SaidRating {
  readonly rating: Rating;
  readonly saidBy: Sayer;
}

/** What is shown only once it is rated safe: what came from relays, or all that nobody answers for. */
export type HeldBack = 'relays' | 'all';

/** What networks saw of a picture, see the enrich room. */
export interface StoredSight {
  /** What its frames were by the first network, from 0 to 1; null where that was not asked for. */
  readonly suspicion: number | null;
  readonly hashes: readonly bigint[];
}

/** The source of GIFs that came from relays. */
export const RELAYS = 'nostr';

declare module '../../platform/db/tables.ts' {
  interface Tables {
    ratings: { id: string } & SaidRating;
    /** By what they were seen on, see `pictureKey`; hashes are 8 bytes each, the lowest first. */
    sights: { source: string; suspicion: number | null; hashes: Uint8Array };
    /** One row for each of `RatingCounts`, as the last to rate left them. */
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
    // What an operator took in before there were ratings was shown, and stays so.
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

/** How many GIFs the networks rated how; failed: they could not; unrated: still to be rated. */
const RATING_COUNTS = ['unrated', 'safe', 'review', 'adult', 'failed'] as const;
export type RatingCounts = Record<(typeof RATING_COUNTS)[number], number>;

/** Writes down what is said of GIFs; nobody overrules somebody who is believed more. Builds show it from the next one on. */
export async function saveRatings(
  db: Database,
  said: readonly ({ readonly id: string } & SaidRating)[],
): Promise<void> {
  for (const { id, rating, saidBy } of said) {
    const overruled = SAYERS.slice(0, SAYERS.indexOf(saidBy) + 1);
    await db
      .insertInto('ratings')
      .values({ id, rating, saidBy })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet({ rating, saidBy }).where('ratings.saidBy', 'in', overruled),
      )
      .execute();
  }
}

/** The operator's word on a GIF, against whatever else is said. @returns false when the id is unknown */
export async function rateByOperator(db: Database, given: string, rating: 'safe' | 'adult'): Promise<boolean> {
  const id = await currentId(db, given);
  const known = await db.selectFrom('gifs').select('id').where('id', '=', id).executeTakeFirst();
  if (known === undefined) return false;
  await saveRatings(db, [{ id, rating, saidBy: 'operator' }]);
  await bumpShown(db);
  return true;
}

export async function findRating(db: Database, id: string): Promise<SaidRating | undefined> {
  return db.selectFrom('ratings').select(['rating', 'saidBy']).where('id', '=', id).executeTakeFirst();
}

/** 1 where a GIF of `gifs`, joined with its `ratings`, is not to be shown, else 0. */
export function isUnfit(heldBack: HeldBack): RawBuilder<number> {
  const held =
    heldBack === 'relays'
      ? sql`case when gifs.source = ${RELAYS} then 1 else 0 end`
      : sql`case when gifs.source = ${RELAYS} or gifs.url is null then 1 else 0 end`;
  return sql<number>`case
    when ratings.said_by = 'operator' then ratings.rating <> 'safe'
    when gifs.adult = 1 or ratings.rating = 'adult' then 1
    when ratings.rating = 'safe' then 0
    else ${held} end`;
}

/**
 * The GIFs that nobody has rated and that might be shown, in pages by ascending id: what came from relays, or, where
 * that is wanted, everything else that lies here.
 */
export async function pageOfUnrated(
  db: Database,
  whose: 'relays' | 'others',
  { after, limit }: { after: string; limit: number },
): Promise<GifRecord[]> {
  const unrated = db
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .where('ratings.id', 'is', null)
    .where('gifs.hidden', '=', 0)
    .where('gifs.adult', '=', 0);
  const chosen =
    whose === 'relays'
      ? unrated.where('gifs.source', '=', RELAYS)
      : unrated.where('gifs.source', '<>', RELAYS).where('gifs.url', 'is', null);
  const rows = await chosen.where('gifs.id', '>', after).selectAll('gifs').orderBy('gifs.id').limit(limit).execute();
  return rows.map(fromRow);
}

/** Counts what is rated how, which takes a second over a million GIFs, and keeps it for `knownRatingCounts`. */
export async function countRatings(db: Database): Promise<void> {
  const counted: RatingCounts = { unrated: await countUnrated(db), safe: 0, review: 0, adult: 0, failed: 0 };
  const rows = await db
    .selectFrom('ratings')
    .select((select) => ['rating', select.fn.countAll<number>().as('n')])
    .where('saidBy', '=', 'model')
    .groupBy('rating')
    .execute();
  for (const { rating, n } of rows) counted[rating === 'unrated' ? 'failed' : rating] = n;
  await db
    .insertInto('ratingCounts')
    .values(RATING_COUNTS.map((name) => ({ name, n: counted[name] })))
    .onConflict((conflict) => conflict.column('name').doUpdateSet((excluded) => ({ n: excluded.ref('excluded.n') })))
    .execute();
}

/** What was counted last; of a data folder as an earlier version left it, nothing. */
export async function knownRatingCounts(db: Database): Promise<RatingCounts> {
  const counts: RatingCounts = { unrated: 0, safe: 0, review: 0, adult: 0, failed: 0 };
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'rating_counts')) return counts;
  for (const { name, n } of await db.selectFrom('ratingCounts').selectAll().execute()) {
    counts[name as keyof RatingCounts] = n;
  }
  return counts;
}

/** How many GIFs wait for their rating: of those that came from relays none of them is shown. */
export async function countUnrated(db: Database): Promise<number> {
  const { n } = await db
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .where('ratings.id', 'is', null)
    .where('gifs.hidden', '=', 0)
    .where('gifs.adult', '=', 0)
    .where((is) => is.or([is('gifs.source', '=', RELAYS), is('gifs.url', 'is', null)]))
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Keeps what was seen of a picture; a later look at it replaces an earlier one. */
export async function saveSight(db: Database, source: string, { suspicion, hashes }: StoredSight): Promise<void> {
  const row = { suspicion, hashes: new Uint8Array(BigUint64Array.from(hashes).buffer) };
  await db
    .insertInto('sights')
    .values({ source, ...row })
    .onConflict((conflict) => conflict.column('source').doUpdateSet(row))
    .execute();
}

export async function findSight(db: Database, source: string): Promise<StoredSight | undefined> {
  const row = await db.selectFrom('sights').selectAll().where('source', '=', source).executeTakeFirst();
  return row && { suspicion: row.suspicion, hashes: hashesOf(row.hashes) };
}

/** The pictures that were seen, in pages by ascending source. */
export async function pageOfSights(
  db: Database,
  after: string,
  limit: number,
): Promise<{ source: string; hashes: bigint[] }[]> {
  const sights = db.selectFrom('sights').select(['source', 'hashes']).where('source', '>', after);
  const rows = await sights.orderBy('source').limit(limit).execute();
  return rows.map(({ source, hashes }) => ({ source, hashes: hashesOf(hashes) }));
}

function hashesOf(bytes: Uint8Array): bigint[] {
  return [...new BigUint64Array(bytes.slice().buffer)];
}
