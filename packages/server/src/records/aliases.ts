import type { Database } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/*
 * A linked GIF keeps the id of its manifest until its whole file has been read. After that, its id is the hash of its
 * bytes, as for every other GIF, so files with equal bytes are one GIF. Its former ids remain aliases forever.
 */

/** Returns a GIF's current id, or the given id if that id has never changed or is unknown. */
export async function currentId(db: Database, id: string): Promise<string> {
  const alias = await tables(db).selectFrom('aliases').select('gif').where('id', '=', id).executeTakeFirst();
  return alias?.gif ?? id;
}

/** Maps former ids to current ids, with the URL that each GIF had under the former id. */
export async function currentIds(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { gif: string; url: string | null }>> {
  const rows = await tables(db).selectFrom('aliases').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, ...alias }) => [id, alias]));
}

/** Returns the former ids of these GIFs, keyed by current id. */
export async function aliasesOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tables(db).selectFrom('aliases').selectAll().where('gif', 'in', ids).orderBy('id').execute();
  const grouped = Map.groupBy(rows, ({ gif }) => gif);
  return new Map([...grouped].map(([gif, some]) => [gif, some.map(({ id }) => id)]));
}
