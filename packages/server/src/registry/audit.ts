import { sql } from 'kysely';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { type AuditTable, tables } from './tables.ts';

/** Who changes the registry, and when. */
export interface By {
  actor: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Whether it is an owner, not an operator or the service itself. */
  isOwner?: boolean;
}

/** Number of entries kept per client for changes by owners. */
const KEPT_OF_OWNERS = 500;

/** The entry that names the client; it is always kept. */
const FIRST = 'client create';

/** The result of a change, with its audit entry. */
export interface Changed<Result> extends Pick<AuditTable, 'action' | 'clientId' | 'subject'> {
  result: Result;
}

/**
 * Changes the registry in a transaction of its own and adds an audit entry. Changes run one after another, even from
 * several processes, so that `act` can safely count a client's items and add another. The first statement takes the lock:
 * in SQLite on the file, in PostgreSQL on the row. Only the latest entries of owners are kept, so that they cannot fill
 * the disk; all entries of operators are kept.
 */
export function change<Result>(
  db: Database,
  { actor, now, isOwner = false }: By,
  act: (trx: Database) => Promise<Changed<Result>>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const raise = tables(trx).updateTable('registryState').set({ revision: sql<number>`revision + 1` });
    const { revision } = await raise.returning('revision').executeTakeFirstOrThrow();
    const { result, ...what } = await act(trx);
    await tables(trx)
      .insertInto('audit')
      .values({ revision, at: now, actor, byOwner: isOwner ? 1 : 0, ...what })
      .execute();
    if (isOwner) await forgetOldest(trx, what.clientId);
    return result;
  });
}

async function forgetOldest(trx: Database, clientId: string): Promise<void> {
  const ofOwners = tables(trx).selectFrom('audit').where('clientId', '=', clientId).where('byOwner', '=', 1);
  const oldest = await ofOwners
    .select('revision')
    .orderBy('revision', 'desc')
    .offset(KEPT_OF_OWNERS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await tables(trx)
    .deleteFrom('audit')
    .where('clientId', '=', clientId)
    .where('byOwner', '=', 1)
    .where('action', '!=', FIRST)
    .where('revision', '<', oldest.revision)
    .execute();
}

/** A number that increases with every change of the registry. */
export async function registryRevision(db: Database): Promise<number> {
  return (await tables(db).selectFrom('registryState').select('revision').executeTakeFirstOrThrow()).revision;
}

/** The audit entries of a client, also after it was deleted; oldest first. */
export function listAudit(db: Database, clientId: string): Promise<Omit<AuditTable, 'byOwner'>[]> {
  const told = ['revision', 'at', 'actor', 'action', 'clientId', 'subject'] as const;
  return tables(db).selectFrom('audit').select(told).where('clientId', '=', clientId).orderBy('revision').execute();
}
