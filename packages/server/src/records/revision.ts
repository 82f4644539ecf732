import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/**
 * Returns the catalogue's revision, a number that increases with every change. A build with the same number is up to
 * date.
 */
export async function revision(db: Database): Promise<number> {
  return (await tables(db).selectFrom('catalogState').select('revision').executeTakeFirstOrThrow()).revision;
}

export async function bumpRevision(db: Database): Promise<void> {
  await tables(db).updateTable('catalogState').set({ revision: sql`revision + 1` }).execute();
}

/** Requests a new build without new vectors. Complete vectors stay complete, except in the spaces listed as stale. */
export async function bumpShown(db: Database, stale: readonly string[] = []): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = await revision(trx);
    await tables(trx)
      .updateTable('vectorStates')
      .set({ revision: now + 1 })
      .where('revision', '=', now)
      .where('space', 'not in', stale)
      .execute();
    await bumpRevision(trx);
  });
}
