import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { recordReport } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { tables } from '../records/index.ts';
import type { StoredClaim } from './claims.ts';

/*
 * Marks are claims that call a GIF adult. Keys cost nothing, so a mark hides a GIF only if its author is trusted:
 *
 *   the operator added the GIF                           no mark counts
 *   its author was the first to claim the GIF            the mark counts immediately
 *   its author is listed, or followed by listed authors  the mark counts when enough such authors agree
 *
 * Any other mark is a report. Operators can ignore all marks of a GIF or of an author.
 */

export interface MarkOptions {
  /**
   * Minimum number of trusted authors who must mark a GIF that another author claimed first. With 0, their marks never
   * count.
   */
  readonly needed: number;
  /** Returns whether marks made by this author count. */
  counts(author: string): boolean;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    /** GIF ids and public keys of authors whose marks the operator ignores. */
    ignoredMarks: { subject: string };
  }
}

export const marksMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('ignored_marks')
      .addColumn('subject', 'text', (column) => column.primaryKey())
      .execute();
  },
};

/** Returns whether a GIF from relays is hidden because of its marks. Withdrawn marks still count. */
export function isMarked(claims: readonly StoredClaim[], { needed, counts }: MarkOptions): boolean {
  const marks = claims.filter(({ adult }) => adult);
  const first = firstAuthors(claims);
  if (marks.some(({ author }) => first.has(author))) return true;
  const authors = new Set(marks.map(({ author }) => author).filter(counts));
  return needed > 0 && authors.size >= needed;
}

/**
 * Returns two authors, who can be the same: the author of the first claim, and the author of the first claim that was
 * not withdrawn.
 */
function firstAuthors(claims: readonly StoredClaim[]): Set<string> {
  const sorted = claims.toSorted((a, b) => a.seq - b.seq);
  const first = [sorted[0], sorted.find(({ withdrawn }) => !withdrawn)];
  return new Set(first.flatMap((claim) => claim?.author ?? []));
}

/** Returns the ids of GIFs and the public keys of authors whose marks are ignored. */
export async function ignoredMarks(db: Database): Promise<Set<string>> {
  const rows = await tables(db).selectFrom('ignoredMarks').select('subject').orderBy('subject').execute();
  return new Set(rows.map(({ subject }) => subject));
}

/** Returns a GIF's claims without ignored marks. */
export function withoutIgnored(
  id: string,
  claims: readonly StoredClaim[],
  ignored: ReadonlySet<string>,
): StoredClaim[] {
  const isIgnored = ({ author }: StoredClaim) => ignored.has(id) || ignored.has(author);
  return claims.map((claim) => (isIgnored(claim) ? { ...claim, adult: false } : claim));
}

/** Turns a GIF's marks into reports to the operator. Each mark is reported only once. */
export async function reportMarks(db: Database, gif: string, claims: readonly StoredClaim[]): Promise<void> {
  for (const { eventId, author, seenAt, adult, withdrawn } of claims) {
    if (!adult || withdrawn) continue;
    const who = { id: `${eventId} ${gif}`, gif, reporter: `nostr:${author}`, contact: '', at: seenAt };
    await recordReport(db, { ...who, reason: 'adult', message: '' });
  }
}

/** An author of marks, with the number of the author's marks. */
export interface MarkingAuthor {
  readonly author: string;
  readonly gifs: number;
  readonly ignored: boolean;
}

/** Returns the authors of marks. Authors with the most marks come first. */
export async function markingAuthors(db: Database, limit: number): Promise<MarkingAuthor[]> {
  const rows = await tables(db)
    .selectFrom('claims')
    .leftJoin('ignoredMarks', 'ignoredMarks.subject', 'claims.author')
    .where('adult', '=', 1)
    .where('gif', 'is not', null)
    .groupBy(['author', 'ignoredMarks.subject'])
    .select(({ fn }) => ['author', fn.count<number>('gif').distinct().as('gifs'), 'ignoredMarks.subject'])
    .orderBy('gifs', 'desc')
    .orderBy('author')
    .limit(limit)
    .execute();
  return rows.map(({ author, gifs, subject }) => ({ author, gifs, ignored: subject !== null }));
}

/**
 * Ignores the marks of a GIF or an author, or stops ignoring them.
 * @param subject the id of a GIF, or a hexadecimal public key
 * @returns the hashes of the GIFs whose records must be derived again, or null if nothing changed
 */
export async function setMarksIgnored(db: Database, subject: string, ignored: boolean): Promise<Set<string> | null> {
  if ((await ignoredMarks(db)).has(subject) === ignored) return null;
  if (ignored) await tables(db).insertInto('ignoredMarks').values({ subject }).execute();
  else await tables(db).deleteFrom('ignoredMarks').where('subject', '=', subject).execute();
  if (ignored) await closeMarkReports(db, subject);
  const marks = tables(db)
    .selectFrom('claims')
    .select('gif')
    .distinct()
    .where('adult', '=', 1)
    .where('gif', 'is not', null);
  const own = subject.endsWith('.gif')
    ? marks.where('gif', '=', subject.slice(0, -4))
    : marks.where('author', '=', subject);
  return new Set((await own.execute()).map(({ gif }) => gif!));
}

/** Closes reports from marks that are now ignored. */
async function closeMarkReports(db: Database, subject: string): Promise<void> {
  await tables(db)
    .updateTable('reports')
    .set({ state: 'done' })
    .where('state', '=', 'open')
    .where((is) => is.or([is('gif', '=', subject), is('reporter', '=', `nostr:${subject}`)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('claims')
          .select('claims.seq')
          .where('claims.adult', '=', 1)
          .whereRef('reports.id', '=', sql`claims.event_id || ' ' || reports.gif`),
      ),
    )
    .execute();
}
