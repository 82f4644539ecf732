import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { HIDDEN_AS_DEAD, HIDDEN_BY_OPERATOR } from './catalog.ts';
import type { GifRecord } from './record.ts';
import { bumpRevision } from './revision.ts';
import { fromRow } from './tables.ts';

/*
 * What was found out about the addresses of linked GIFs, beside what was told of them: which one works, since when none
 * does, and whether the original is kept here. A linked GIF that nobody has asked for or looked after has no row.
 */

interface LinkTable {
  id: string;
  /** The address that answers show in the place of the one that was told, which is dead; null while that works. */
  url: string | null;
  /** Hash of the original where it is kept here. */
  kept: string | null;
  /** Times are milliseconds since the Unix epoch. */
  checkedAt: number;
  /** How often in a row the shown address was gone and no other helped. */
  failures: number;
  firstFailedAt: number | null;
  lastFailedAt: number | null;
  reason: string | null;
}

declare module '../platform/db/tables.ts' {
  interface Tables {
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

const HOUR_MS = 3_600_000;

/**
 * A link is dead when it was gone so often, over so long: servers that are moved or restored answer 404 for hours, hardly
 * for a day. What is seen soon after the last time is the same outage, however many ask.
 */
const DEAD_AFTER = 3;
const DEAD_AFTER_MS = 24 * HOUR_MS;
const APART_MS = 6 * HOUR_MS;

/** What was heard of the addresses of a linked GIF. */
export type LinkNews =
  /** One of them gave the original; its hash where that is kept here now. */
  | { readonly state: 'alive'; readonly url: string; readonly kept: string | null }
  /** The shown one does not have it any more, and no other gave it. */
  | { readonly state: 'gone'; readonly reason: string }
  /** Nothing can be said: servers are slow, or busy, or down. */
  | { readonly state: 'unclear' };

/** What became of a GIF by such news; moved: answers show another of its addresses from the next build on. */
export type LinkChange = 'hidden' | 'back' | 'moved' | null;

/** A linked GIF with what is known of its addresses. */
export interface LinkedGif {
  gif: GifRecord & { url: string };
  /** All addresses, the one that answers show first. */
  addresses: string[];
  /** Hash of the original where it is kept here. */
  kept: string | null;
  /** How often in a row it was gone. */
  failures: number;
}

/** Undefined when there is no such GIF, or it is not a linked one. */
export async function findLink(db: Database, id: string): Promise<LinkedGif | undefined> {
  const row = await linkedGifs(db).where('gifs.id', '=', id).executeTakeFirst();
  return row && toLinkedGif(row);
}

/** Hashes of the originals of linked GIFs that are kept here; of a data folder as an earlier version left it, none. */
export async function keptOriginals(db: Database): Promise<ReadonlySet<string>> {
  if (!(await db.introspection.getTables()).some(({ name }) => name === 'links')) return new Set();
  const rows = await db.selectFrom('links').select('kept').where('kept', 'is not', null).execute();
  return new Set(rows.map(({ kept }) => kept!));
}

/** Which links are to be looked at again. */
export interface DueLinks {
  /** Those that were not looked at since then. */
  before: number;
  /** The same for those that were gone the last time. */
  failedBefore: number;
}

/** Linked GIFs that might be shown and whose link is to be looked at, by ascending id: after `after`, at most `limit`. */
export async function pageOfDueLinks(
  db: Database,
  due: DueLinks,
  { after, limit }: { after: string; limit: number },
): Promise<LinkedGif[]> {
  const rows = await dueLinks(db, due).where('gifs.id', '>', after).orderBy('gifs.id').limit(limit).execute();
  return rows.map(toLinkedGif);
}

export async function countDueLinks(db: Database, due: DueLinks): Promise<number> {
  const counted = dueLinks(db, due).clearSelect();
  return (await counted.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

function dueLinks(db: Database, { before, failedBefore }: DueLinks) {
  return linkedGifs(db)
    .where('gifs.adult', '=', 0)
    .where(sql<boolean>`gifs.hidden & ${HIDDEN_BY_OPERATOR} = 0`)
    .where((is) =>
      is.or([
        is('links.checkedAt', 'is', null),
        is('links.checkedAt', '<', before),
        is.and([is('links.failures', '>', 0), is('links.checkedAt', '<', failedBefore)]),
      ]),
    );
}

function linkedGifs(db: Database) {
  return db
    .selectFrom('gifs')
    .leftJoin('links', 'links.id', 'gifs.id')
    .where('gifs.url', 'is not', null)
    .selectAll('gifs')
    .select(['links.url as shown', 'links.kept', 'links.failures']);
}

type Row = Awaited<ReturnType<ReturnType<typeof linkedGifs>['executeTakeFirstOrThrow']>>;

function toLinkedGif({ shown, kept, failures, ...row }: Row): LinkedGif {
  const gif = fromRow(row) as LinkedGif['gif'];
  const addresses = [...new Set([shown ?? gif.url, gif.url, ...gif.fallback])];
  return { gif, addresses, kept, failures: failures ?? 0 };
}

/** Writes down what was heard of a link, and hides its GIF or brings it back accordingly. @param now ms since the epoch */
export async function noteLink(db: Database, id: string, news: LinkNews, now: number): Promise<LinkChange> {
  return inTransaction(db, async (trx) => {
    const gif = await trx.selectFrom('gifs').select(['url', 'hidden']).where('id', '=', id).executeTakeFirst();
    if (gif === undefined || gif.url === null) return null;
    const row = await trx.selectFrom('links').selectAll().where('id', '=', id).executeTakeFirst();
    const known = row ?? { id, ...NOTHING_KNOWN };
    const next = { ...after(known, news, now), checkedAt: now };
    if (next.url === gif.url) next.url = null;
    await trx
      .insertInto('links')
      .values(next)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(next))
      .execute();
    const change = changeOf(news, next, { wasShown: known.url, wasDead: (gif.hidden & HIDDEN_AS_DEAD) !== 0 });
    if (change === 'hidden' || change === 'back') {
      const hidden = change === 'hidden' ? gif.hidden | HIDDEN_AS_DEAD : gif.hidden & ~HIDDEN_AS_DEAD;
      await trx.updateTable('gifs').set({ hidden }).where('id', '=', id).execute();
    }
    if (change !== null) await bumpRevision(trx);
    return change;
  });
}

const UNBROKEN = { failures: 0, firstFailedAt: null, lastFailedAt: null, reason: null };
const NOTHING_KNOWN = { url: null, kept: null, checkedAt: 0, ...UNBROKEN };

function after(known: LinkTable, news: LinkNews, now: number): LinkTable {
  if (news.state === 'unclear') return known;
  if (news.state === 'alive') return { ...known, ...UNBROKEN, url: news.url, kept: news.kept ?? known.kept };
  const { failures, firstFailedAt, lastFailedAt } = known;
  if (lastFailedAt !== null && now - lastFailedAt < APART_MS) return known;
  return {
    ...known,
    failures: failures + 1,
    firstFailedAt: firstFailedAt ?? now,
    lastFailedAt: now,
    reason: news.reason,
  };
}

function changeOf(
  news: LinkNews,
  { url, failures, firstFailedAt, lastFailedAt }: LinkTable,
  { wasShown, wasDead }: { wasShown: string | null; wasDead: boolean },
): LinkChange {
  if (news.state === 'alive') {
    if (wasDead) return 'back';
    return url === wasShown ? null : 'moved';
  }
  if (wasDead || failures < DEAD_AFTER) return null;
  return lastFailedAt! - firstFailedAt! >= DEAD_AFTER_MS ? 'hidden' : null;
}
