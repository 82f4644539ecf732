import { sql } from 'kysely';
import type { Database } from '../../platform/db/index.ts';
import { HIDDEN_AS_DEAD, HIDDEN_AS_WITHDRAWN } from '../moderation/hidden-flags.ts';
import { type GifRecord, keepVerified, mergeRecords } from '../record.ts';
import { fromRow, type GifTable, toRow } from '../tables.ts';
import { joinClaims } from './derive.ts';

/* How records are written in the place of what was known, by whomever they are told. */

/** The rows of those that are known. */
export async function rowsOf(db: Database, ids: readonly string[]): Promise<Map<string, GifTable>> {
  const rows = await db.selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** What is to be shown of these GIFs now that this is told of them too. @param rows those that were known of them */
export async function mergeWithKnown(
  db: Database,
  told: readonly GifRecord[],
  rows: ReadonlyMap<string, GifTable>,
): Promise<GifRecord[]> {
  const apart = await findApart(db, [...rows.keys()]);
  const merged = new Map<string, GifRecord>();
  for (const record of told) {
    const { id } = record;
    const row = rows.get(id);
    const known = merged.get(id) ?? (apart.has(id) ? apart.get(id)!.others : row && fromRow(row));
    merged.set(id, known ? mergeRecords(known, record) : record);
  }
  const records: GifRecord[] = [];
  for (const record of merged.values()) {
    const claimed = apart.get(record.id)?.claimed;
    if (apart.has(record.id)) await saveOthers(db, record);
    records.push(claimed ? joinClaims(record, claimed) : record);
  }
  return records;
}

/** What is told of a GIF by sources, and what by its claims; null where that is nothing. */
export interface ToldApart {
  others: GifRecord | null;
  claimed: GifRecord | null;
}

/** Of GIFs that have or had claims, what is told by whom. */
export async function findApart(db: Database, ids: readonly string[]): Promise<Map<string, ToldApart>> {
  const rows = await db.selectFrom('claimedGifs').selectAll().where('id', 'in', ids).execute();
  const read = (text: string | null) => (text === null ? null : (JSON.parse(text) as GifRecord));
  return new Map(rows.map(({ id, others, claimed }) => [id, { others: read(others), claimed: read(claimed) }]));
}

async function saveOthers(db: Database, record: GifRecord): Promise<void> {
  await db
    .updateTable('claimedGifs')
    .set({ others: JSON.stringify(record) })
    .where('id', '=', record.id)
    .execute();
  await db
    .updateTable('gifs')
    .set({ hidden: sql`hidden & ~${HIDDEN_AS_WITHDRAWN}` })
    .where('id', '=', record.id)
    .execute();
}

/** Writes records in the place of what was known. @param rows those that were known of them */
export async function writeRecords(
  db: Database,
  written: readonly GifRecord[],
  rows: ReadonlyMap<string, GifTable>,
): Promise<void> {
  if (written.length === 0) return;
  const records = written.map((record) => {
    const row = rows.get(record.id);
    return row === undefined ? record : keepVerified(record, fromRow(row));
  });
  await db
    .insertInto('gifs')
    .values(records.map((record) => ({ ...toRow(record), hidden: 0 })))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((excluded) => {
        const columns = Object.keys(toRow(records[0]!)).filter((column) => column !== 'id');
        return Object.fromEntries(
          columns.map((column) => [column, excluded.ref(`excluded.${column}` as 'excluded.id')]),
        );
      }),
    )
    .execute();
  const moved = records.filter(({ id, url }) => rows.has(id) && rows.get(id)!.url !== url);
  await forgetLinks(
    db,
    moved.map(({ id }) => id),
  );
}

async function forgetLinks(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom('links').where('id', 'in', ids).execute();
  await db
    .updateTable('gifs')
    .set({ hidden: sql`hidden & ~${HIDDEN_AS_DEAD}` })
    .where('id', 'in', ids)
    .execute();
}
