import type { Database } from '../platform/db/index.ts';

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
  /** Milliseconds since the Unix epoch. */
  at: number;
}

interface ReportTable extends Report {
  state: 'open' | 'done';
}

declare module '../platform/db/tables.ts' {
  interface Tables {
    reports: ReportTable;
  }
}

/** More than people can read are no reports any more; a flood must not fill the disk. */
const MAX_OPEN = 10_000;

/**
 * Writes a report down for operators.
 * @returns `unknown` when the catalogue has no such GIF, `full` when too many wait already
 */
export async function recordReport(db: Database, report: Report): Promise<'taken' | 'unknown' | 'full'> {
  const gif = await db.selectFrom('gifs').select('id').where('id', '=', report.gif).executeTakeFirst();
  if (gif === undefined) return 'unknown';
  if ((await countOpenReports(db)) >= MAX_OPEN) return 'full';
  await db
    .insertInto('reports')
    .values({ ...report, state: 'open' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return 'taken';
}

/** A report as an event tells it: of files by their hashes, or of other events that tell of files. */
export interface ToldReport {
  eventId: string;
  author: string;
  /** Seconds since the Unix epoch. */
  createdAt: number;
  hashes: readonly string[];
  events: readonly string[];
  reason: ReportReason;
  message: string;
}

/** The same for what was said on relays; of GIFs that are not here nothing is kept. */
export async function recordToldReport(db: Database, told: ToldReport): Promise<void> {
  const { eventId, author, createdAt, hashes, events, reason, message } = told;
  const claims = db
    .selectFrom('claims')
    .select('gif')
    .where('eventId', 'in', [...events]);
  const claimed = events.length === 0 ? [] : await claims.where('gif', 'is not', null).execute();
  const wanted = [...hashes, ...claimed.map(({ gif }) => gif!)];
  if (wanted.length === 0) return;
  const of = db.selectFrom('gifs').select('id').where('sha256', 'in', wanted);
  for (const { id: gif } of await of.execute()) {
    const report = { gif, reason, message, contact: '', reporter: `nostr:${author}`, at: createdAt * 1_000 };
    await recordReport(db, { id: `${eventId} ${gif}`, ...report });
  }
}

async function countOpenReports(db: Database): Promise<number> {
  const open = db.selectFrom('reports').where('state', '=', 'open');
  return (await open.select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n;
}

/** Reports of one GIF, or of all, the oldest first. */
export async function listReports(
  db: Database,
  { gif, state }: { gif?: string; state?: 'open' | 'done' },
): Promise<(Report & { state: 'open' | 'done' })[]> {
  let reports = db.selectFrom('reports').selectAll();
  if (gif !== undefined) reports = reports.where('gif', '=', gif);
  if (state !== undefined) reports = reports.where('state', '=', state);
  return reports.orderBy('at').orderBy('id').limit(MAX_OPEN).execute();
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
