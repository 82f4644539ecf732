import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/db/index.ts';
import type { AuditTable } from './tables.ts';

/** Who changes the registry, and when. */
export interface By {
  actor: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** What a change did, for the audit, and what it gives back. */
export interface Changed<Result> extends Pick<AuditTable, 'action' | 'clientId' | 'subject'> {
  result: Result;
}

/**
 * Changes the registry: in a transaction of its own, one change after another whatever process or connection they come
 * from, and with a line in the audit. Counting what a client has and adding to it is therefore safe inside `act`. The
 * first statement takes the lock: SQLite's on the file, PostgreSQL's on the row.
 */
export function change<Result>(
  db: Database,
  { actor, now }: By,
  act: (trx: Database) => Promise<Changed<Result>>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const raise = trx.updateTable('registryState').set({ revision: sql<number>`revision + 1` });
    const { revision } = await raise.returning('revision').executeTakeFirstOrThrow();
    const { result, ...what } = await act(trx);
    await trx
      .insertInto('audit')
      .values({ revision, at: now, actor, ...what })
      .execute();
    return result;
  });
}

/** Rises with every change of the registry. */
export async function registryRevision(db: Database): Promise<number> {
  return (await db.selectFrom('registryState').select('revision').executeTakeFirstOrThrow()).revision;
}

/** Every change that touched a client, also after it was deleted; the oldest first. */
export function listAudit(db: Database, clientId: string): Promise<AuditTable[]> {
  return db.selectFrom('audit').selectAll().where('clientId', '=', clientId).orderBy('revision').execute();
}
