import { type SqlBool, sql } from 'kysely';
import type { Rating, SaidRating } from '../moderation/index.ts';
import { containing, type Database } from '../platform/db/index.ts';
import {
  currentIds,
  fromRow,
  type GifRecord,
  HIDDEN_AS_BLOCKED,
  HIDDEN_AS_DEAD,
  HIDDEN_AS_WITHDRAWN,
  HIDDEN_BY_OPERATOR,
  HIDDEN_UNTIL_REVIEW,
  tables,
  withEdits,
} from '../records/index.ts';

/*
 * The catalogue as operators see it: all GIFs, including those that are not shown. A page reads a bounded number of
 * rows, however rare the matching GIFs are, because the thread that reads the page also serves searches.
 */

/** Maximum number of rows that one page reads. SQLite reads them within some 20 ms. */
const WINDOW = 5_000;

/** Reasons for hiding a GIF. */
const HIDDEN_BECAUSE = {
  operator: HIDDEN_BY_OPERATOR,
  dead: HIDDEN_AS_DEAD,
  blocked: HIDDEN_AS_BLOCKED,
  withdrawn: HIDDEN_AS_WITHDRAWN,
  review: HIDDEN_UNTIL_REVIEW,
} as const;
export type HiddenBecause = keyof typeof HIDDEN_BECAUSE;

/** Which GIFs to list. An empty value does not filter. */
export interface BrowseFilter {
  /** Words that the title, tags, alt text and text in the picture must contain, all together. */
  words: readonly string[];
  /** Name of a source, as GIFs have it. */
  source: string;
  /** waiting: linked GIFs whose file has not been checked yet. */
  state: '' | 'shown' | 'hidden' | 'waiting' | HiddenBecause;
  /** none: GIFs that nobody has rated. */
  rating: '' | 'none' | Rating;
  format: '' | GifRecord['format'];
  /** Whether to list only GIFs without title, tags and alt text. */
  isWordless: boolean;
}

/** A GIF with everything that decides whether it is shown. */
export interface BrowsedGif extends GifRecord {
  /** When the GIF was added, in milliseconds since the Unix epoch; 0 if unknown. */
  addedAt: number;
  hiddenBecause: HiddenBecause[];
  said: SaidRating | null;
  /** Whether an operator edited its words. */
  edited: boolean;
}

/**
 * Returns a page of GIFs, newest first. Hidden GIFs are sorted by the reason.
 * @param after `next` of the previous page, or an empty string for the first page
 * @returns at most `limit` GIFs, and `next`, which is empty on the last page. A page can have few or no GIFs although
 * more GIFs match, because the number of rows that it reads is bounded.
 */
export async function browseGifs(
  db: Database,
  filter: BrowseFilter,
  { after, limit }: { after: string; limit: number },
): Promise<{ gifs: BrowsedGif[]; next: string }> {
  const isOfHidden = filter.state === 'hidden' || filter.state in HIDDEN_BECAUSE;
  const column = isOfHidden ? ('gifs.hidden' as const) : ('gifs.addedAt' as const);
  const place = sql`(${sql.ref(column)}, gifs.id)`;
  const from = readPlace(after);
  const start = from === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${place} < (${from.key}, ${from.id})`;
  const all = tables(db).selectFrom('gifs').where(start);
  const some = isOfHidden ? all.where('gifs.hidden', '>', 0) : all;
  const [edge] = await some
    .select([`${column} as key`, 'gifs.id'])
    .orderBy(column, 'desc')
    .orderBy('gifs.id', 'desc')
    .offset(WINDOW - 1)
    .limit(1)
    .execute();
  const rows = await chosen(db, filter)
    .where(start)
    .where(edge === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${place} >= (${edge.key}, ${edge.id})`)
    .where(isOfHidden ? sql<SqlBool>`gifs.hidden > 0` : sql<SqlBool>`1 = 1`)
    .orderBy(column, 'desc')
    .orderBy('gifs.id', 'desc')
    .limit(limit)
    .execute();
  const last = rows.length === limit ? rows.at(-1) : undefined;
  const next = last ? { key: isOfHidden ? last.hidden : last.addedAt, id: last.id } : edge;
  return { gifs: await toBrowsed(db, rows), next: next === undefined ? '' : `${next.key}:${next.id}` };
}

function readPlace(after: string): { key: number; id: string } | undefined {
  const [, key, id] = /^(\d{1,15}):(.+)$/s.exec(after) ?? [];
  return id === undefined ? undefined : { key: Number(key), id };
}

/** Returns the GIFs with these ids that match the filter, in the order of the ids. Accepts former ids. */
export async function pickGifs(db: Database, filter: BrowseFilter, given: readonly string[]): Promise<BrowsedGif[]> {
  const current = await currentIds(db, given);
  const ids = [...new Set(given.map((id) => current.get(id)?.gif ?? id))];
  const rows = await chosen(db, filter).where('gifs.id', 'in', ids).execute();
  const byId = new Map((await toBrowsed(db, rows)).map((gif) => [gif.id, gif]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** A filter that all GIFs match. */
export const ANY_GIF: BrowseFilter = { words: [], source: '', state: '', rating: '', format: '', isWordless: false };

const TEXT = sql<string>`lower(gifs.title || ' ' || gifs.tags || ' ' || gifs.alt || ' ' || gifs.text || ' ' ||
  coalesce(edits.title, '') || ' ' || coalesce(edits.tags, '') || ' ' || coalesce(edits.alt, ''))`;

function chosen(db: Database, { words, source, state, rating, format, isWordless }: BrowseFilter) {
  let gifs = tables(db)
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .leftJoin('edits', 'edits.id', 'gifs.id')
    .selectAll('gifs')
    .select(['ratings.rating', 'ratings.saidBy', 'edits.id as edit']);
  for (const word of words) gifs = gifs.where(TEXT, 'like', containing(word));
  if (source !== '') gifs = gifs.where('gifs.source', '=', source);
  if (state === 'shown') gifs = gifs.where('gifs.hidden', '=', 0);
  else if (state === 'waiting') gifs = gifs.where('gifs.url', 'is not', null).where('gifs.verified', '=', 0);
  else if (state !== '' && state !== 'hidden') {
    gifs = gifs.where(sql<SqlBool>`gifs.hidden & ${sql.lit(HIDDEN_BECAUSE[state])} <> 0`);
  }
  if (rating === 'none') gifs = gifs.where('ratings.rating', 'is', null);
  else if (rating !== '') gifs = gifs.where('ratings.rating', '=', rating);
  if (format !== '') gifs = gifs.where('gifs.format', '=', format);
  if (!isWordless) return gifs;
  return gifs
    .where('gifs.title', '=', '')
    .where('gifs.tags', '=', '[]')
    .where('gifs.alt', '=', '')
    .where('edits.id', 'is', null);
}

type Chosen = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number];

async function toBrowsed(db: Database, rows: readonly Chosen[]): Promise<BrowsedGif[]> {
  const records = await withEdits(
    db,
    rows.map(({ rating: _, saidBy: __, edit: ___, ...row }) => fromRow(row)),
  );
  return records.map((record, n) => {
    const { hidden, addedAt, rating, saidBy, edit } = rows[n]!;
    const reasons = Object.entries(HIDDEN_BECAUSE) as [HiddenBecause, number][];
    return {
      ...record,
      addedAt,
      hiddenBecause: reasons.filter(([, flag]) => (hidden & flag) !== 0).map(([reason]) => reason),
      said: rating === null || saidBy === null ? null : { rating, saidBy },
      edited: edit !== null,
    };
  });
}
