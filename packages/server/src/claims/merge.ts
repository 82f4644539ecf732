import { systemClock } from '../base/clock.ts';
import type { Database } from '../platform/db/index.ts';
import {
  fromRow,
  type GifRecord,
  type GifTable,
  HIDDEN_AS_DEAD,
  HIDDEN_AS_WITHDRAWN,
  hiddenWithout,
  keepVerified,
  mergeRecords,
  tables,
  toRow,
} from '../records/index.ts';
import { joinClaims } from './derive.ts';

/* Merges records from any source with the known facts about their GIFs. */

/** Returns the rows of the GIFs that are known, keyed by id. */
export async function rowsOf(db: Database, ids: readonly string[]): Promise<Map<string, GifTable>> {
  const rows = await tables(db).selectFrom('gifs').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Merges new records with the known facts about their GIFs. @param rows the rows of known GIFs */
export async function mergeWithKnown(
  db: Database,
  reported: readonly GifRecord[],
  rows: ReadonlyMap<string, GifTable>,
): Promise<GifRecord[]> {
  const apart = await findApart(db, [...rows.keys()]);
  const merged = new Map<string, GifRecord>();
  for (const record of reported) {
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

/** A GIF's record from sources and its record from claims. A missing record is null. */
export interface RecordParts {
  others: GifRecord | null;
  claimed: GifRecord | null;
}

/** Splits the known facts about GIFs that have or had claims: facts from sources, and facts from claims. */
export async function findApart(db: Database, ids: readonly string[]): Promise<Map<string, RecordParts>> {
  const rows = await tables(db).selectFrom('claimedGifs').selectAll().where('id', 'in', ids).execute();
  const read = (text: string | null) => (text === null ? null : (JSON.parse(text) as GifRecord));
  return new Map(rows.map(({ id, others, claimed }) => [id, { others: read(others), claimed: read(claimed) }]));
}

async function saveOthers(db: Database, record: GifRecord): Promise<void> {
  await tables(db)
    .updateTable('claimedGifs')
    .set({ others: JSON.stringify(record) })
    .where('id', '=', record.id)
    .execute();
  await tables(db)
    .updateTable('gifs')
    .set({ hidden: hiddenWithout(HIDDEN_AS_WITHDRAWN) })
    .where('id', '=', record.id)
    .execute();
}

/** Replaces the known facts with records. @param rows the rows of known GIFs */
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
  const addedAt = systemClock.now();
  await tables(db)
    .insertInto('gifs')
    .values(records.map((record) => ({ ...toRow(record), hidden: 0, addedAt })))
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
  await tables(db).deleteFrom('links').where('id', 'in', ids).execute();
  await tables(db)
    .updateTable('gifs')
    .set({ hidden: hiddenWithout(HIDDEN_AS_DEAD) })
    .where('id', 'in', ids)
    .execute();
}
