import type { Database } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/*
 * A linked GIF keeps the id of its manifest until its whole file has been read. From then on its id is the hash of its
 * bytes, as for every other GIF, and equal bytes are one GIF. Its former ids remain aliases forever.
 */

/** A GIF's current id; the given id if it never changed or is unknown. */
export async function currentId(db: Database, id: string): Promise<string> {
  const alias = await tables(db).selectFrom('aliases').select('gif').where('id', '=', id).executeTakeFirst();
  return alias?.gif ?? id;
}

/** The current ids of several GIFs by their former ids, with the URL that each GIF had under its former id. */
export async function currentIds(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { gif: string; url: string | null }>> {
  const rows = await tables(db).selectFrom('aliases').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, ...alias }) => [id, alias]));
}

/** The former ids of these GIFs, by current id. */
export async function aliasesOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await tables(db).selectFrom('aliases').selectAll().where('gif', 'in', ids).orderBy('id').execute();
  const grouped = Map.groupBy(rows, ({ gif }) => gif);
  return new Map([...grouped].map(([gif, some]) => [gif, some.map(({ id }) => id)]));
}
