import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/db/index.ts';

/** Rises with every change; a build of the same revision shows all there is. */
export async function revision(db: Database): Promise<number> {
  return (await db.selectFrom('catalogState').select('revision').executeTakeFirstOrThrow()).revision;
}

export async function bumpRevision(db: Database): Promise<void> {
  await db.updateTable('catalogState').set({ revision: sql`revision + 1` }).execute();
}

/**
 * Lets the next build show GIFs otherwise, without a change of what vectors are made from: those that were complete stay
 * so, but for the spaces that are named as stale.
 */
export async function bumpShown(db: Database, stale: readonly string[] = []): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = await revision(trx);
    await trx
      .updateTable('vectorStates')
      .set({ revision: now + 1 })
      .where('revision', '=', now)
      .where('space', 'not in', stale)
      .execute();
    await bumpRevision(trx);
  });
}
