import { type Generated, type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, isPostgres } from '../platform/db/index.ts';
import { currentId, tables } from '../records/index.ts';

/* Reports about GIFs, from the form on the service's page or from Nostr events (NIP-56). */

export type ReportReason = 'illegal' | 'adult' | 'copyright' | 'other';

/** Number of reasons. */
const REASONS = 4;

export interface Report {
  /** Id of the report. A report from an event has the event's id, so the report is counted only once. */
  id: string;
  gif: string;
  reason: ReportReason;
  message: string;
  /** The reporter's contact details. Empty if no reply is wanted. */
  contact: string;
  /** `form`, or `nostr:` and the hexadecimal public key. */
  reporter: string;
  /** Time of arrival, in milliseconds since the Unix epoch. */
  at: number;
}

interface ReportTable extends Report {
  state: 'open' | 'done';
  /** Number of later reports for the same reason that were only counted. */
  more: Generated<number>;
  /** Order of arrival. */
  seq: Generated<number>;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    reports: ReportTable;
  }
}

export const reportChannelMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('reports_reporter').on('reports').columns(['state', 'reporter']).execute();
  },
};

export const reportOrderMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('reports')
      .addColumn('seq', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    if (!isPostgres(db)) await sql`update reports set seq = rowid`.execute(db);
    await db.schema.createIndex('reports_seq').on('reports').column('seq').execute();
  },
};

export const reportCountMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('reports')
      .addColumn('more', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex('reports_gif_reason').on('reports').columns(['gif', 'reason', 'state']).execute();
  },
};

/** Indexes of the open reports, for the pages of the queue and for its count. */
export const openReportsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index reports_open_at on reports (at, gif, id) where state <> 'done'`.execute(db);
    await sql`create index reports_open_gif on reports (gif, at, id, more) where state <> 'done'`.execute(db);
  },
};

/**
 * Must be equal to the condition of these indexes. With `state = 'open'`, SQLite would read an older index that begins
 * with the state, and then sort the rows.
 */
const IS_OPEN = sql<boolean>`state <> 'done'`;

const FORM = 'form';
/** Range of all values of `reporter` that start with `nostr:`. The character after ':' is ';'. */
const RELAYS = { from: 'nostr:', to: 'nostr;' };

/**
 * Maximum number of open reports: from the form for each reason, and from relays. Nobody can read more reports, and a
 * flood must not fill the disk. With separate maxima, a flood for one reason leaves room for other reasons, and a flood
 * from relays leaves room for the form.
 */
const MAX_OPEN = { form: 10_000, relays: 5_000 };
const MAX_OPEN_OF_AUTHOR = 50;
/** Maximum number of open reports from the form about one GIF for one reason. Further reports are only counted. */
const MAX_OPEN_OF_GIF = 5;

/**
 * Saves a report for operators.
 * @returns `unknown` if the catalogue has no such GIF, or `full` if there are too many open reports from the same
 * channel or author, or for the same reason
 */
export async function recordReport(db: Database, report: Report): Promise<'taken' | 'unknown' | 'full'> {
  const id = await currentId(db, report.gif);
  const gif = await tables(db).selectFrom('gifs').select('id').where('id', '=', id).executeTakeFirst();
  if (gif === undefined) return 'unknown';
  if (report.reporter === FORM && (await isCounted(db, { ...report, gif: gif.id }))) return 'taken';
  if (await isFull(db, report)) return 'full';
  await tables(db)
    .insertInto('reports')
    .values({ ...report, gif: gif.id, state: 'open', seq: sql`(select coalesce(max(seq), 0) + 1 from reports)` })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return 'taken';
}

/**
 * Counts a report without storing it, if there are enough reports from the form about the same GIF for the same reason.
 * @returns whether the report was counted
 */
async function isCounted(db: Database, { gif, reason }: Report): Promise<boolean> {
  const same = tables(db).selectFrom('reports').select('id').where('gif', '=', gif).where('reason', '=', reason);
  const stored = await same
    .where('state', '=', 'open')
    .where('reporter', '=', FORM)
    .orderBy('seq')
    .limit(MAX_OPEN_OF_GIF)
    .execute();
  if (stored.length < MAX_OPEN_OF_GIF) return false;
  const { id } = stored.at(-1)!;
  await tables(db).updateTable('reports').set({ more: sql`more + 1` }).where('id', '=', id).execute();
  return true;
}

async function isFull(db: Database, { reporter, reason }: Report): Promise<boolean> {
  const open = tables(db).selectFrom('reports').where('state', '=', 'open');
  const counted = open.select((count) => count.fn.countAll<number>().as('n'));
  const ofReporter = counted.where('reporter', '=', reporter);
  if (reporter === FORM)
    return (await ofReporter.where('reason', '=', reason).executeTakeFirstOrThrow()).n >= MAX_OPEN.form;
  const own = await ofReporter.executeTakeFirstOrThrow();
  if (own.n >= MAX_OPEN_OF_AUTHOR) return true;
  const all = counted.where('reporter', '>=', RELAYS.from).where('reporter', '<', RELAYS.to);
  return (await all.executeTakeFirstOrThrow()).n >= MAX_OPEN.relays;
}

/** A report from an event. It refers to files by their hash, or to events with claims. */
export interface ReportEvent {
  eventId: string;
  author: string;
  /**
   * Time at which we received the report, in milliseconds since the Unix epoch. The time in the event is not used,
   * because authors choose it.
   */
  seenAt: number;
  hashes: readonly string[];
  events: readonly string[];
  reason: ReportReason;
  message: string;
}

/** Saves a report from a relay. Reports about unknown GIFs are dropped. */
export async function recordReportEvent(db: Database, event: ReportEvent): Promise<void> {
  const { eventId, author, seenAt, hashes, events, reason, message } = event;
  const claims = tables(db)
    .selectFrom('claims')
    .select('gif')
    .where('eventId', 'in', [...events]);
  const claimed = events.length === 0 ? [] : await claims.where('gif', 'is not', null).execute();
  const wanted = [...hashes, ...claimed.map(({ gif }) => gif!)];
  if (wanted.length === 0) return;
  const of = tables(db).selectFrom('gifs').select('id').where('sha256', 'in', wanted);
  for (const { id: gif } of await of.execute()) {
    const report = { gif, reason, message, contact: '', reporter: `nostr:${author}`, at: seenAt };
    await recordReport(db, { id: `${eventId} ${gif}`, ...report });
  }
}

/**
 * Returns the reports about one GIF or about all GIFs, oldest first. `more` is the number of later reports for the same
 * reason that were only counted.
 */
export async function listReports(
  db: Database,
  { gif, state }: { gif?: string; state?: 'open' | 'done' },
): Promise<(Report & { state: 'open' | 'done'; more: number })[]> {
  let reports = tables(db).selectFrom('reports').selectAll();
  if (gif !== undefined) reports = reports.where('gif', '=', gif);
  if (state !== undefined) reports = reports.where('state', '=', state);
  // With the plus, SQLite finds the reports of the GIF and sorts them. Without the plus, SQLite reads all reports in
  // order.
  const rows = await reports
    .orderBy(gif === undefined ? 'at' : sql`+at`)
    .orderBy('seq')
    .limit(REASONS * MAX_OPEN.form + MAX_OPEN.relays)
    .execute();
  return rows.map(({ seq: _, ...report }) => report);
}

/** oldest: the GIF whose open report has waited longest comes first. most: the GIF with the most open reports. */
export type ReportOrder = 'oldest' | 'most';

/**
 * Returns a page of the GIFs with open reports.
 * @param after `next` of the previous page, or an empty string for the first page
 * @returns at most `limit` ids, and `next`, which is empty on the last page
 */
export async function pageOfReported(
  db: Database,
  { order, after, limit }: { order: ReportOrder; after: string; limit: number },
): Promise<{ ids: string[]; next: string }> {
  const [, number, gif] = /^(\d{1,15}):(.+)$/s.exec(after) ?? [];
  const from = gif === undefined ? undefined : { key: Number(number), gif };
  const rows = await (order === 'oldest' ? oldestReported(db, from, limit) : mostReported(db, from, limit));
  const last = rows.length === limit ? rows.at(-1) : undefined;
  return { ids: rows.map((row) => row.gif), next: last === undefined ? '' : `${last.key}:${last.gif}` };
}

/** The place of a GIF in the queue: its time or its number of reports, and its id. */
interface Place {
  key: number;
  gif: string;
}

/**
 * Reads the reports in the order of time, and skips a report if its GIF has an older open report. The query can stop as
 * soon as the page is full.
 */
function oldestReported(db: Database, from: Place | undefined, limit: number): Promise<Place[]> {
  const reports = tables(db).selectFrom('reports').select(['at as key', 'gif']).where(IS_OPEN);
  return (from === undefined ? reports : reports.where(sql<boolean>`(at, gif) > (${from.key}, ${from.gif})`))
    .where(
      sql<boolean>`not exists (select 1 from reports as older where older.gif = reports.gif and older.state <> 'done'
        and (older.at, older.id) < (reports.at, reports.id))`,
    )
    .orderBy('at')
    .orderBy('gif')
    .limit(limit)
    .execute();
}

/** Counts the open reports of all GIFs. The index already groups the reports by GIF. */
function mostReported(db: Database, from: Place | undefined, limit: number): Promise<Place[]> {
  const number = sql<number>`sum(1 + more)`;
  const reports = tables(db)
    .selectFrom('reports')
    .select(['gif', sql<number>`cast(sum(1 + more) as integer)`.as('key')])
    .where(IS_OPEN)
    .groupBy('gif');
  return (
    from === undefined
      ? reports
      : reports.having(sql<boolean>`${number} < ${from.key} or (${number} = ${from.key} and gif > ${from.gif})`)
  )
    .orderBy('key', 'desc')
    .orderBy('gif')
    .limit(limit)
    .execute();
}

/** Returns the number of GIFs with open reports. */
export async function countReported(db: Database): Promise<number> {
  const gifs = tables(db).selectFrom('reports').select('gif').where(IS_OPEN).groupBy('gif').as('reported');
  const { n } = await tables(db)
    .selectFrom(gifs)
    .select((select) => select.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  return n;
}

/** Returns the ids of the open reports about a GIF, ascending. */
export async function openReportsOf(db: Database, gif: string): Promise<string[]> {
  const open = tables(db).selectFrom('reports').select('id').where('gif', '=', gif).where('state', '=', 'open');
  return (await open.orderBy('id').execute()).map(({ id }) => id);
}

/** Opens these reports about a GIF and closes its other reports. */
export async function setOpenReports(db: Database, gif: string, open: readonly string[]): Promise<void> {
  await tables(db).updateTable('reports').set({ state: 'done' }).where('gif', '=', gif).execute();
  if (open.length === 0) return;
  await tables(db)
    .updateTable('reports')
    .set({ state: 'open' })
    .where('gif', '=', gif)
    .where('id', 'in', open)
    .execute();
}
