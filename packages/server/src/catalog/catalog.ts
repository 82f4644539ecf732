import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { aliasesOf, currentId, currentIds } from './aliases.ts';
import { withCaptions } from './captions.ts';
import { mergeWithKnown, rowsOf, writeRecords } from './claims/merge.ts';
import { withEdits } from './edits.ts';
import { isLinkShown, type LinkPolicy } from './links.ts';
import { HIDDEN_BY_OPERATOR } from './moderation/hidden-flags.ts';
import { type HeldBack, isUnfit } from './moderation/ratings.ts';
import type { GifRecord } from './record.ts';
import { atAddressOf, renameGif } from './rename.ts';
import { bumpRevision } from './revision.ts';
import { fromRow } from './tables.ts';

/** SQLite takes 32,766 parameters a statement and a row has 22. */
const ROWS_PER_STATEMENT = 500;

/**
 * Records GIFs: new ones go in, known ones (by id, which for our own bytes is their hash) are merged with what is
 * known. A hidden GIF stays hidden, but what was found out about an address goes when another is told.
 */
export async function recordGifs(db: Database, told: readonly GifRecord[]): Promise<void> {
  for (let from = 0; from < told.length; from += ROWS_PER_STATEMENT) {
    const some = await byCurrentId(db, told.slice(from, from + ROWS_PER_STATEMENT));
    const rows = await rowsOf(
      db,
      some.map(({ id }) => id),
    );
    await writeRecords(db, await mergeWithKnown(db, some, rows), rows);
  }
  if (told.length > 0) await bumpRevision(db);
}

/**
 * The records under the ids that their GIFs have now. One that gives another address than before is no longer the file
 * that was read: its source's GIF goes back to the id that the source gives it.
 */
async function byCurrentId(db: Database, told: readonly GifRecord[]): Promise<GifRecord[]> {
  const current = await currentIds(
    db,
    told.map(({ id }) => id),
  );
  const records: GifRecord[] = [];
  for (const record of told) {
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
  await db.deleteFrom('aliases').where('id', '=', record.id).execute();
  if (known.toldBy === record.toldBy) await renameGif(db, known.id, record.id);
  return record;
}

/** The record of one GIF, hidden or not; undefined when the id is unknown. */
export async function findGif(db: Database, id: string): Promise<GifRecord | undefined> {
  const row = await db
    .selectFrom('gifs')
    .selectAll()
    .where('id', '=', await currentId(db, id))
    .executeTakeFirst();
  return row && fromRow(row);
}

/** How many GIFs can be found. */
export async function countGifs(db: Database): Promise<number> {
  const count = db.selectFrom('gifs').select((fn) => fn.fn.countAll<number>().as('n'));
  return (await count.where('hidden', '=', 0).executeTakeFirstOrThrow()).n;
}

/** How many of them a build shows. */
export async function countShown(db: Database, { links }: ShownPolicy): Promise<number> {
  const count = db.selectFrom('gifs').leftJoin('links', 'links.id', 'gifs.id').where('hidden', '=', 0);
  const shown = count.where(sql<boolean>`${isLinkShown(links)}`).select((fn) => fn.fn.countAll<number>().as('n'));
  return (await shown.executeTakeFirstOrThrow()).n;
}

/** Takes a GIF out of every answer as the operator's wish, or ends that. @returns false when the id is unknown */
export async function setHidden(db: Database, id: string, hidden: boolean): Promise<boolean> {
  const result = await db
    .updateTable('gifs')
    .set({ hidden: hidden ? sql`hidden | ${HIDDEN_BY_OPERATOR}` : sql`hidden & ~${HIDDEN_BY_OPERATOR}` })
    .where('id', '=', id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await bumpRevision(db);
  return true;
}

/** Ids taken out of answers, or called adult by an operator: the tombstones of a build that still holds them. */
export async function hiddenIds(db: Database): Promise<string[]> {
  const adult = db.selectFrom('ratings').select('id').where('saidBy', '=', 'operator').where('rating', '<>', 'safe');
  const hidden = db.selectFrom('gifs').select('id').where('hidden', '>', 0).union(adult);
  // A build may still hold them by the ids they had.
  const former = db.selectFrom('aliases').select('id').where('gif', 'in', hidden);
  const rows = await hidden.union(former).execute();
  return rows.map((row) => row.id);
}

/**
 * The GIFs that can be found, with the words that were read in them, in pages by ascending id: after `after`, at most
 * `limit` of them.
 */
export async function pageOfGifs(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const visible = db.selectFrom('gifs').selectAll().where('hidden', '=', 0);
  const rows = await visible.where('id', '>', after).orderBy('id').limit(limit).execute();
  return withCaptions(db, await withEdits(db, rows.map(fromRow)));
}

/** All GIFs, the hidden ones too, in pages like those of `pageOfGifs`. */
export async function pageOfCatalogue(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const rows = await db.selectFrom('gifs').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(fromRow);
}

/** What is shown of all there is. */
export interface ShownPolicy {
  heldBack: HeldBack;
  links: LinkPolicy;
}

/** A GIF as a build shows it, with the ids it had before. */
export interface SnapshotGif extends GifRecord {
  aliases: string[];
}

/**
 * Everything a build shows, in the order a build wants it, safe before adult, popular first, id on ties; in batches of
 * at most `size`. What is unfit to be shown, see `isUnfit`, it gives as adult. Of linked GIFs it gives the address that
 * works, and leaves out those that the policy does not show yet. Runs in one transaction, so that a build shows one moment; between two batches others may use that.
 */
export async function* snapshot(
  db: Database,
  size: number,
  { heldBack, links }: ShownPolicy,
): AsyncGenerator<SnapshotGif[]> {
  const order = await db
    .selectFrom('gifs')
    .leftJoin('ratings', 'ratings.id', 'gifs.id')
    .leftJoin('links', 'links.id', 'gifs.id')
    .select(['gifs.id', isUnfit(heldBack).as('unfit')])
    .where('hidden', '=', 0)
    .where(sql<boolean>`${isLinkShown(links)}`)
    .orderBy('unfit')
    .orderBy('popularity', 'desc')
    .orderBy('gifs.id')
    .execute();
  for (let from = 0; from < order.length; from += size) {
    const chosen = order.slice(from, from + size);
    const ids = chosen.map(({ id }) => id);
    const rows = await db.selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    const shown = await shownAddresses(db, ids);
    const records = chosen.map(({ id, unfit }) => ({ ...fromRow(byId.get(id)!), adult: unfit === 1 }));
    const aliases = await aliasesOf(db, ids);
    const captioned = await withCaptions(db, await withEdits(db, records));
    yield captioned.map((record) => ({
      ...record,
      url: shown.get(record.id) ?? record.url,
      aliases: aliases.get(record.id) ?? [],
    }));
  }
}

async function shownAddresses(db: Database, ids: readonly string[]): Promise<Map<string, string | null>> {
  const links = db.selectFrom('links').select(['id', 'url']).where('id', 'in', ids);
  return new Map((await links.where('url', 'is not', null).execute()).map(({ id, url }) => [id, url]));
}
