import { mergeWithKnown, rowsOf, writeRecords } from '../claims/index.ts';
import { type HeldBack, isUnfit } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  aliasesOf,
  bumpRevision,
  chunks,
  currentId,
  currentIds,
  fromRow,
  type GifRecord,
  tables,
  withEdits,
} from '../records/index.ts';
import { noteShared, unreadUploads } from '../uploads/index.ts';
import { withCaptions } from '../vectors/index.ts';
import { isLinkShown, type LinkPolicy } from './links.ts';
import { atAddressOf, renameGif } from './rename.ts';

/** Maximum number of rows per statement. SQLite allows 32,766 parameters per statement, and a row has 26. */
const ROWS_PER_STATEMENT = 500;

/**
 * Inserts new GIFs and merges known GIFs. A GIF is known if its id exists. For own files, the id is the hash. A hidden
 * GIF stays hidden. The state of a GIF's link is dropped if its URL changes.
 */
export async function recordGifs(db: Database, records: readonly GifRecord[]): Promise<void> {
  for (let from = 0; from < records.length; from += ROWS_PER_STATEMENT) {
    const some = await byCurrentId(db, records.slice(from, from + ROWS_PER_STATEMENT));
    const rows = await rowsOf(
      db,
      some.map(({ id }) => id),
    );
    await writeRecords(db, await mergeWithKnown(db, some, rows), rows);
    await noteShared(db, some);
  }
  if (records.length > 0) await bumpRevision(db);
}

/**
 * Returns the records under the current ids of their GIFs. A record with a new URL no longer describes the file that
 * was read, so it keeps the id from its source.
 */
async function byCurrentId(db: Database, reported: readonly GifRecord[]): Promise<GifRecord[]> {
  const current = await currentIds(
    db,
    reported.map(({ id }) => id),
  );
  const records: GifRecord[] = [];
  for (const record of reported) {
    const alias = current.get(record.id);
    const known = alias && (await findGif(db, alias.gif));
    if (known === undefined) records.push(record);
    else if (known.url === null || record.url === alias!.url)
      records.push(atAddressOf(known, { ...record, id: known.id }));
    else records.push(await apart(db, record, known));
  }
  return records;
}

async function apart(db: Database, record: GifRecord, known: GifRecord): Promise<GifRecord> {
  await tables(db).deleteFrom('aliases').where('id', '=', record.id).execute();
  if (known.toldBy === record.toldBy) await renameGif(db, known.id, record.id);
  return record;
}

/** Returns a GIF's record, even if the GIF is hidden, or undefined if the id is unknown. */
export async function findGif(db: Database, id: string): Promise<GifRecord | undefined> {
  const row = await tables(db)
    .selectFrom('gifs')
    .selectAll()
    .where('id', '=', await currentId(db, id))
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Returns the number of GIFs that can be found. */
export async function countGifs(db: Database): Promise<number> {
  const count = tables(db)
    .selectFrom('gifs')
    .select((fn) => fn.fn.countAll<number>().as('n'));
  return (await count.where('hidden', '=', 0).executeTakeFirstOrThrow()).n;
}

/** Returns the number of GIFs that a build shows. */
export async function countShown(db: Database, { links }: ShownPolicy): Promise<number> {
  const count = tables(db).selectFrom('gifs').leftJoin('links', 'links.id', 'gifs.id').where('hidden', '=', 0);
  const shown = count.where(isLinkShown(links)).select((fn) => fn.fn.countAll<number>().as('n'));
  return (await shown.executeTakeFirstOrThrow()).n;
}

/**
 * Returns the ids of GIFs that are hidden or that an operator rated adult, and of members' uploads that have not been
 * read yet. They get tombstones if the served build still contains them.
 */
export async function hiddenIds(db: Database): Promise<string[]> {
  // The queries are separate, because SQLite would read the whole table for a combined query.
  const hidden = await tables(db).selectFrom('gifs').select('id').where('hidden', '>', 0).execute();
  const adult = tables(db).selectFrom('ratings').select('id').where('saidBy', '=', 'operator');
  const rated = await adult.where('rating', 'in', ['adult', 'review', 'unrated']).execute();
  const unread = (await unreadUploads(db)).map((sha256) => ({ id: `${sha256}.gif` }));
  const ids = [...hidden, ...rated, ...unread].map(({ id }) => id);
  // A build may still contain the GIFs under former ids.
  const former: string[] = [];
  for (const some of chunks(ids)) former.push(...[...(await aliasesOf(db, some)).values()].flat());
  return [...new Set([...ids, ...former])];
}

/**
 * Returns a page of the GIFs that can be found, with their captions, by ascending id. The page has at most `limit` GIFs
 * whose ids come after the id `after`.
 */
export async function pageOfGifs(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const visible = tables(db).selectFrom('gifs').selectAll().where('hidden', '=', 0);
  const rows = await visible.where('id', '>', after).orderBy('id').limit(limit).execute();
  return withCaptions(db, await withEdits(db, rows.map(fromRow)));
}

/** Returns the GIFs with these ids that are not hidden, with their captions. */
export async function visibleGifs(db: Database, ids: readonly string[]): Promise<GifRecord[]> {
  const rows = await tables(db).selectFrom('gifs').selectAll().where('hidden', '=', 0).where('id', 'in', ids).execute();
  return withCaptions(db, await withEdits(db, rows.map(fromRow)));
}

/** Returns a page of all GIFs, including hidden ones. The parameters are those of `pageOfGifs`. */
export async function pageOfCatalogue(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const rows = await tables(db)
    .selectFrom('gifs')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(fromRow);
}

/** The settings that decide which GIFs the service shows. */
export interface ShownPolicy {
  heldBack: HeldBack;
  links: LinkPolicy;
}

/** A GIF as it goes into a build, with its former ids. */
export interface SnapshotGif extends GifRecord {
  aliases: string[];
  /** Whether the GIF is linked, and its original is stored here under its id. */
  isKept: boolean;
}

/**
 * Yields all GIFs of a build, in batches of at most `size`. They are in the order of a build: safe GIFs before adult
 * GIFs, then popular GIFs first, then by id. GIFs that must not be shown (see `isUnfit`) are yielded as adult. A linked
 * GIF has the URL that works. It is left out if the policy does not show it yet. The whole function runs in one
 * transaction, so that the build is consistent. Other code can use that transaction between two batches.
 * @param only ids of the GIFs to yield, for a delta. If missing, all GIFs are yielded.
 */
export async function* snapshot(
  db: Database,
  size: number,
  policy: ShownPolicy,
  only?: readonly string[],
): AsyncGenerator<SnapshotGif[]> {
  const order = only === undefined ? await orderOfAll(db, policy) : await orderOf(db, policy, only);
  for (let from = 0; from < order.length; from += size) {
    const chosen = order.slice(from, from + size);
    const ids = chosen.map(({ id }) => id);
    const rows = await tables(db).selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const links = await knownLinks(db, ids);
    const records = chosen.map(({ id, unfit }) => ({ ...fromRow(byId.get(id)!), adult: unfit === 1 }));
    const aliases = await aliasesOf(db, ids);
    const captioned = await withCaptions(db, await withEdits(db, records));
    yield captioned.map((record) => ({
      ...record,
      url: links.get(record.id)?.url ?? record.url,
      isKept: record.url !== null && links.get(record.id)?.kept === record.id.slice(0, 64),
      aliases: aliases.get(record.id) ?? [],
    }));
  }
}

interface Ordered {
  id: string;
  popularity: number;
  unfit: number;
}

function orderOfAll(db: Database, policy: ShownPolicy): Promise<Ordered[]> {
  return shownGifs(db, policy).orderBy('unfit').orderBy('popularity', 'desc').orderBy('gifs.id').execute();
}

async function orderOf(db: Database, policy: ShownPolicy, only: readonly string[]): Promise<Ordered[]> {
  const order: Ordered[] = [];
  for (const ids of chunks(only)) order.push(...(await shownGifs(db, policy).where('gifs.id', 'in', ids).execute()));
  return order.sort((a, b) => a.unfit - b.unfit || b.popularity - a.popularity || (a.id < b.id ? -1 : 1));
}

function shownGifs(db: Database, { heldBack, links }: ShownPolicy) {
  return tables(db)
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .leftJoin('links', 'links.id', 'gifs.id')
    .select(['gifs.id', 'gifs.popularity', isUnfit(heldBack).as('unfit')])
    .where('hidden', '=', 0)
    .where(isLinkShown(links));
}

async function knownLinks(db: Database, ids: readonly string[]) {
  const links = tables(db).selectFrom('links').select(['id', 'url', 'kept']).where('id', 'in', ids);
  return new Map((await links.execute()).map((link) => [link.id, link]));
}
