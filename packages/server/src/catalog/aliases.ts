import type { Database } from '../platform/db/index.ts';

/*
 * A linked GIF is named by what its manifest says until somebody reads its whole file; from then on it is named by the
 * hash of its bytes, like every other GIF, and equal bytes are one GIF. The ids it had before lead to it for ever.
 */

/** The id that a GIF has now; the id itself when it never changed, or is unknown. */
export async function currentId(db: Database, id: string): Promise<string> {
  const alias = await db.selectFrom('aliases').select('gif').where('id', '=', id).executeTakeFirst();
  return alias?.gif ?? id;
}

/** The current ids of several GIFs by former ids, and the address that the GIF of that id had. */
export async function currentIds(
  db: Database,
  ids: readonly string[],
): Promise<Map<string, { gif: string; url: string | null }>> {
  const rows = await db.selectFrom('aliases').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map(({ id, ...alias }) => [id, alias]));
}

/** The former ids of these GIFs, by their ids now. */
export async function aliasesOf(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom('aliases').selectAll().where('gif', 'in', ids).orderBy('id').execute();
  const grouped = Map.groupBy(rows, ({ gif }) => gif);
  return new Map([...grouped].map(([gif, some]) => [gif, some.map(({ id }) => id)]));
}
