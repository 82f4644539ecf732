import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../../platform/db/index.ts';
import { currentId } from '../aliases.ts';

/* What people say is wrong with a GIF, by the form of the service's own page or in public (NIP-56). */

export type ReportReason = 'illegal' | 'adult' | 'copyright' | 'other';

export interface Report {
  /** Of an event its own; the same report told twice is one. */
  id: string;
  gif: string;
  reason: ReportReason;
  message: string;
  /** How to answer whoever reports; empty where nobody wants an answer. */
  contact: string;
  /** `form`, or `nostr:` and the public key in hexadecimal. */
  reporter: string;
  /** When it came to us, in milliseconds since the Unix epoch. */
  at: number;
}

interface ReportTable extends Report {
  state: 'open' | 'done';
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    reports: ReportTable;
  }
}

export const reportChannelMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.createIndex('reports_reporter').on('reports').columns(['state', 'reporter']).execute();
  },
};

const FORM = 'form';
/** Public keys begin with it; ';' is the next character. */
const RELAYS = { from: 'nostr:', to: 'nostr;' };

/**
 * More than people can read are no reports any more, and a flood must not fill the disk. What comes from relays has places of
 * its own, so that the form always has room.
 */
const MAX_OPEN = { form: 10_000, relays: 5_000 };
const MAX_OPEN_OF_AUTHOR = 50;

/**
 * Writes a report down for operators.
 * @returns `unknown` when the catalogue has no such GIF, `full` when too many of its channel, or of its author, wait already
 */
export async function recordReport(db: Database, report: Report): Promise<'taken' | 'unknown' | 'full'> {
  const id = await currentId(db, report.gif);
  const gif = await db.selectFrom('gifs').select('id').where('id', '=', id).executeTakeFirst();
  if (gif === undefined) return 'unknown';
  if (await isFull(db, report.reporter)) return 'full';
  await db
    .insertInto('reports')
    .values({ ...report, gif: gif.id, state: 'open' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return 'taken';
}

async function isFull(db: Database, reporter: string): Promise<boolean> {
  const open = db.selectFrom('reports').where('state', '=', 'open');
  const counted = open.select((count) => count.fn.countAll<number>().as('n'));
  const own = await counted.where('reporter', '=', reporter).executeTakeFirstOrThrow();
  if (reporter === FORM) return own.n >= MAX_OPEN.form;
  if (own.n >= MAX_OPEN_OF_AUTHOR) return true;
  const all = counted.where('reporter', '>=', RELAYS.from).where('reporter', '<', RELAYS.to);
  return (await all.executeTakeFirstOrThrow()).n >= MAX_OPEN.relays;
}

/** A report as an event tells it: of files by their hashes, or of other events that tell of files. */
export interface ToldReport {
  eventId: string;
  author: string;
  /** Milliseconds since the Unix epoch: when we saw it. Its author may give any time. */
  seenAt: number;
  hashes: readonly string[];
  events: readonly string[];
  reason: ReportReason;
  message: string;
}

/** The same for what was said on relays; of GIFs that are not here nothing is kept. */
export async function recordToldReport(db: Database, told: ToldReport): Promise<void> {
  const { eventId, author, seenAt, hashes, events, reason, message } = told;
  const claims = db
    .selectFrom('claims')
    .select('gif')
    .where('eventId', 'in', [...events]);
  const claimed = events.length === 0 ? [] : await claims.where('gif', 'is not', null).execute();
  const wanted = [...hashes, ...claimed.map(({ gif }) => gif!)];
  if (wanted.length === 0) return;
  const of = db.selectFrom('gifs').select('id').where('sha256', 'in', wanted);
  for (const { id: gif } of await of.execute()) {
    const report = { gif, reason, message, contact: '', reporter: `nostr:${author}`, at: seenAt };
    await recordReport(db, { id: `${eventId} ${gif}`, ...report });
  }
}

/** Reports of one GIF, or of all, in the order in which they came. */
export async function listReports(
  db: Database,
  { gif, state }: { gif?: string; state?: 'open' | 'done' },
): Promise<(Report & { state: 'open' | 'done' })[]> {
  let reports = db.selectFrom('reports').selectAll();
  if (gif !== undefined) reports = reports.where('gif', '=', gif);
  if (state !== undefined) reports = reports.where('state', '=', state);
  return reports
    .orderBy('at')
    .orderBy(sql`rowid`)
    .limit(MAX_OPEN.form + MAX_OPEN.relays)
    .execute();
}

/** Ids of those of a GIF that nobody has dealt with, ascending. */
export async function openReportsOf(db: Database, gif: string): Promise<string[]> {
  const open = db.selectFrom('reports').select('id').where('gif', '=', gif).where('state', '=', 'open');
  return (await open.orderBy('id').execute()).map(({ id }) => id);
}

/** Leaves these reports of a GIF open, and all others done. */
export async function setOpenReports(db: Database, gif: string, open: readonly string[]): Promise<void> {
  await db.updateTable('reports').set({ state: 'done' }).where('gif', '=', gif).execute();
  if (open.length === 0) return;
  await db.updateTable('reports').set({ state: 'open' }).where('gif', '=', gif).where('id', 'in', open).execute();
}
