import type { Database } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/*
 * The database records which revision of the catalogue a manifest shows. If the database or the folder was restored from
 * a copy, the manifest is unknown, and everything is published again.
 */

/** Returns the revision that a manifest shows, or undefined if it was not made from this database with these settings. */
export async function publishedRevision(
  db: Database,
  { manifest, settings }: { manifest: string; settings: string },
): Promise<number | undefined> {
  const rows = tables(db).selectFrom('publications').select('revision').where('manifest', '=', manifest);
  return (await rows.where('settings', '=', settings).executeTakeFirst())?.revision;
}

/** Records which revision a manifest shows. @param published.replaces id of the previous manifest */
export async function notePublication(
  db: Database,
  { replaces, ...row }: { manifest: string; revision: number; settings: string; replaces?: string | undefined },
): Promise<void> {
  const insert = tables(db).insertInto('publications').values(row);
  await insert.onConflict((conflict) => conflict.column('manifest').doUpdateSet(row)).execute();
  if (replaces !== undefined) await tables(db).deleteFrom('publications').where('manifest', '=', replaces).execute();
}
