import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/db/index.ts';
import type { AuditTable } from './tables.ts';

/** Who changes the registry, and when. */
export interface By {
  actor: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Whether it is an owner, and neither the operator nor the service itself. */
  isOwner?: boolean;
}

/** Lines that are kept of what owners did with a client. */
const KEPT_OF_OWNERS = 500;

/** Says what a client was called, whatever becomes of it. */
const FIRST = 'client create';

/** What a change did, for the audit, and what it gives back. */
export interface Changed<Result> extends Pick<AuditTable, 'action' | 'clientId' | 'subject'> {
  result: Result;
}

/**
 * Changes the registry: in a transaction of its own, one change after another whatever process or connection they come
 * from, and with a line in the audit. Counting what a client has and adding to it is therefore safe inside `act`. The
 * first statement takes the lock: SQLite's on the file, PostgreSQL's on the row. Of what owners did the latest lines are
 * kept, so that they cannot fill the disk; of what the operator did, all.
 */
export function change<Result>(
  db: Database,
  { actor, now, isOwner = false }: By,
  act: (trx: Database) => Promise<Changed<Result>>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const raise = trx.updateTable('registryState').set({ revision: sql<number>`revision + 1` });
    const { revision } = await raise.returning('revision').executeTakeFirstOrThrow();
    const { result, ...what } = await act(trx);
    await trx
      .insertInto('audit')
      .values({ revision, at: now, actor, byOwner: isOwner ? 1 : 0, ...what })
      .execute();
    if (isOwner) await forgetOldest(trx, what.clientId);
    return result;
  });
}

async function forgetOldest(trx: Database, clientId: string): Promise<void> {
  const ofOwners = trx.selectFrom('audit').where('clientId', '=', clientId).where('byOwner', '=', 1);
  const oldest = await ofOwners
    .select('revision')
    .orderBy('revision', 'desc')
    .offset(KEPT_OF_OWNERS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await trx
    .deleteFrom('audit')
    .where('clientId', '=', clientId)
    .where('byOwner', '=', 1)
    .where('action', '!=', FIRST)
    .where('revision', '<', oldest.revision)
    .execute();
}

/** Rises with every change of the registry. */
export async function registryRevision(db: Database): Promise<number> {
  return (await db.selectFrom('registryState').select('revision').executeTakeFirstOrThrow()).revision;
}

/** What is kept of the changes that touched a client, also after it was deleted; the oldest first. */
export function listAudit(db: Database, clientId: string): Promise<Omit<AuditTable, 'byOwner'>[]> {
  const told = ['revision', 'at', 'actor', 'action', 'clientId', 'subject'] as const;
  return db.selectFrom('audit').select(told).where('clientId', '=', clientId).orderBy('revision').execute();
}
