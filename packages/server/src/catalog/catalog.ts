import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import { type GifRecord, mergeRecords } from './record.ts';
import { fromRow, toRow } from './tables.ts';

/** SQLite takes 32,766 parameters a statement and a row has 22. */
const ROWS_PER_STATEMENT = 500;

/**
 * Records GIFs: new ones go in, known ones (by id, which for our own bytes is their hash) are merged with what is
 * known. A hidden GIF stays hidden.
 */
export async function recordGifs(db: Database, told: readonly GifRecord[]): Promise<void> {
  for (let from = 0; from < told.length; from += ROWS_PER_STATEMENT) {
    const merged = await mergeWithKnown(db, told.slice(from, from + ROWS_PER_STATEMENT));
    await db
      .insertInto('gifs')
      .values(merged.map((record) => ({ ...toRow(record), hidden: 0 })))
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => {
          const columns = Object.keys(toRow(merged[0]!)).filter((column) => column !== 'id');
          return Object.fromEntries(
            columns.map((column) => [column, excluded.ref(`excluded.${column}` as 'excluded.id')]),
          );
        }),
      )
      .execute();
  }
  if (told.length > 0) await bumpRevision(db);
}

async function mergeWithKnown(db: Database, told: readonly GifRecord[]): Promise<GifRecord[]> {
  const ids = told.map((record) => record.id);
  const rows = await db.selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
  const known = new Map(rows.map((row) => [row.id, fromRow(row)]));
  for (const record of told) {
    const other = known.get(record.id);
    known.set(record.id, other ? mergeRecords(other, record) : record);
  }
  return [...known.values()];
}

/** The record of one GIF, hidden or not; undefined when the id is unknown. */
export async function findGif(db: Database, id: string): Promise<GifRecord | undefined> {
  const row = await db.selectFrom('gifs').selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

/** How many GIFs can be found. */
export async function countGifs(db: Database): Promise<number> {
  const count = db.selectFrom('gifs').select((fn) => fn.fn.countAll<number>().as('n'));
  return (await count.where('hidden', '=', 0).executeTakeFirstOrThrow()).n;
}

/** Takes a GIF out of every answer, or brings it back. @returns false when the id is unknown */
export async function setHidden(db: Database, id: string, hidden: boolean): Promise<boolean> {
  const result = await db
    .updateTable('gifs')
    .set({ hidden: hidden ? 1 : 0 })
    .where('id', '=', id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await bumpRevision(db);
  return true;
}

/** Ids taken out of answers: the tombstones of a build that still holds them. */
export async function hiddenIds(db: Database): Promise<string[]> {
  const rows = await db.selectFrom('gifs').select('id').where('hidden', '=', 1).execute();
  return rows.map((row) => row.id);
}

/** Rises with every change; a build of the same revision shows all there is. */
export async function revision(db: Database): Promise<number> {
  return (await db.selectFrom('catalogState').select('revision').executeTakeFirstOrThrow()).revision;
}

async function bumpRevision(db: Database): Promise<void> {
  await db.updateTable('catalogState').set({ revision: sql`revision + 1` }).execute();
}

/**
 * The GIFs that can be found, in pages by ascending id: after `after`, at most `limit` of them.
 */
export async function pageOfGifs(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const visible = db.selectFrom('gifs').selectAll().where('hidden', '=', 0);
  const rows = await visible.where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(fromRow);
}

/** All GIFs, the hidden ones too, in pages like those of `pageOfGifs`. */
export async function pageOfCatalogue(db: Database, after: string, limit: number): Promise<GifRecord[]> {
  const rows = await db.selectFrom('gifs').selectAll().where('id', '>', after).orderBy('id').limit(limit).execute();
  return rows.map(fromRow);
}

/**
 * Everything a build shows, in the order a build wants it, safe before adult, popular first, id on ties; in batches of
 * at most `size`. Runs in one transaction, so that a build shows one moment; between two batches others may use that.
 */
export async function* snapshot(db: Database, size: number): AsyncGenerator<GifRecord[]> {
  const visible = db.selectFrom('gifs').select('id').where('hidden', '=', 0);
  const order = await visible.orderBy('adult').orderBy('popularity', 'desc').orderBy('id').execute();
  for (let from = 0; from < order.length; from += size) {
    const ids = order.slice(from, from + size).map(({ id }) => id);
    const rows = await db.selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
    const byId = new Map(rows.map((row) => [row.id, row]));
    yield ids.map((id) => fromRow(byId.get(id)!));
  }
}
