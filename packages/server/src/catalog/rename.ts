import { sql } from 'kysely';
import { mergeWithKnown, rowsOf, writeRecords } from '../claims/index.ts';
import { SAYERS, type SaidRating } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  fromRow,
  type GifRecord,
  type GifTable,
  HIDDEN_AS_BLOCKED,
  HIDDEN_BY_OPERATOR,
  tables,
} from '../records/index.ts';
import { noteShared } from '../uploads/index.ts';

/** Changes the id of a GIF in all its data. If the new id already belongs to a GIF, the two GIFs are merged. */
export async function renameGif(db: Database, from: string, to: string): Promise<void> {
  const rows = await rowsOf(db, [from, to]);
  const row = rows.get(from);
  if (row === undefined || from === to) return;
  const target = rows.get(to);
  await tables(db).deleteFrom('aliases').where('id', '=', to).execute();
  if (target === undefined) await tables(db).updateTable('gifs').set({ id: to }).where('id', '=', from).execute();
  else await mergeInto(db, row, target);
  await moveRatings(db, from, to);
  for (const table of ['links', 'edits', 'seenPictures', 'awaited'] as const) await moveRow(db, table, from, to);
  for (const table of ['reports', 'moves'] as const) {
    await tables(db).updateTable(table).set({ gif: to }).where('gif', '=', from).execute();
  }
  await movePictureRating(db, `preview of ${from}`, `preview of ${to}`);
  await tables(db).updateTable('aliases').set({ gif: to }).where('gif', '=', from).execute();
  await tables(db).insertInto('aliases').values({ id: from, gif: to, url: row.url }).execute();
}

/**
 * Returns the new record of a known file, with the URL that is already shown. The URL in the record becomes an
 * additional URL.
 */
export function atAddressOf(known: GifRecord, record: GifRecord): GifRecord {
  const { url, fallback } = record;
  if (known.url === null || url === null || url === known.url) return record;
  return {
    ...record,
    url: known.url,
    fallback: [...new Set([...fallback, url])].filter((other) => other !== known.url),
  };
}

/** Merges a GIF into another GIF. If operators have hidden one of the two, the merged GIF stays hidden. */
async function mergeInto(db: Database, row: GifTable, target: GifTable): Promise<void> {
  const { id } = target;
  const rows = new Map([[id, target]]);
  const record = atAddressOf(fromRow(target), { ...fromRow(row), id });
  await writeRecords(db, await mergeWithKnown(db, [record], rows), rows);
  await noteShared(db, [record]);
  const hidden = row.hidden & (HIDDEN_BY_OPERATOR | HIDDEN_AS_BLOCKED);
  await tables(db)
    .updateTable('gifs')
    .set({ hidden: sql`hidden | ${hidden}` })
    .where('id', '=', id)
    .execute();
  await tables(db).deleteFrom('gifs').where('id', '=', row.id).execute();
}

/** Moves a rating. If both GIFs have a rating, the rating with the higher authority is kept. */
async function moveRatings(db: Database, from: string, to: string): Promise<void> {
  const rows = await tables(db).selectFrom('ratings').selectAll().where('id', 'in', [from, to]).execute();
  const rank = ({ saidBy }: SaidRating) => SAYERS.indexOf(saidBy);
  const [best] = rows.toSorted((a, b) => rank(b) - rank(a) || (a.id === to ? -1 : 1));
  await tables(db).deleteFrom('ratings').where('id', 'in', [from, to]).execute();
  if (best !== undefined)
    await tables(db)
      .insertInto('ratings')
      .values({ ...best, id: to })
      .execute();
}

async function moveRow(
  db: Database,
  table: 'links' | 'edits' | 'seenPictures' | 'awaited',
  from: string,
  to: string,
): Promise<void> {
  const known = await tables(db).selectFrom(table).select('id').where('id', '=', to).executeTakeFirst();
  if (known === undefined) await tables(db).updateTable(table).set({ id: to }).where('id', '=', from).execute();
  else await tables(db).deleteFrom(table).where('id', '=', from).execute();
}

/**
 * Moves the models' results for a GIF's preview. Vectors are not moved. They are made again, because few vectors exist
 * before the file has been read.
 */
async function movePictureRating(db: Database, from: string, to: string): Promise<void> {
  const known = tables(db).selectFrom('sights').select('source').where('source', '=', to);
  const moved = tables(db).updateTable('sights').set({ source: to }).where('source', '=', from);
  await moved.where(({ not, exists }) => not(exists(known))).execute();
  await tables(db).deleteFrom('sights').where('source', '=', from).execute();
}
