import { sql } from 'kysely';
import { keptReason } from '../base/plain-text.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { type AuditTable, tables } from './tables.ts';

/** The person who changes the registry, and the time. */
export interface By {
  actor: string;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Whether the person is an owner, and not an operator or the service itself. */
  isOwner?: boolean;
  /** The reason for the change, for the audit log. */
  reason?: string;
}

/** Maximum number of entries per client that are kept for changes by owners. */
const KEPT_OF_OWNERS = 500;

/** Action of the entry that contains the client's name. This entry is always kept. */
const FIRST = 'client create';

/** The result of a change, with its audit entry. */
export interface Changed<Result> extends Pick<AuditTable, 'action' | 'clientId' | 'subject'> {
  result: Result;
}

/**
 * Changes the registry in a separate transaction and adds an audit entry. Changes run one after another, even those of
 * several processes, so `act` can safely count a client's items and add another item. The first statement takes the
 * lock: in SQLite it locks the file, and in PostgreSQL it locks the row. Only the latest entries of owners are kept, so
 * that owners cannot fill the disk. All entries of operators are kept.
 */
export function change<Result>(
  db: Database,
  { actor, now, isOwner = false, reason = '' }: By,
  act: (trx: Database) => Promise<Changed<Result>>,
): Promise<Result> {
  return inTransaction(db, async (trx) => {
    const raise = tables(trx).updateTable('registryState').set({ revision: sql<number>`revision + 1` });
    const { revision } = await raise.returning('revision').executeTakeFirstOrThrow();
    const { result, ...what } = await act(trx);
    const kept = keptReason(reason);
    const subject = kept === '' ? what.subject : `${what.subject}: ${kept}`;
    await tables(trx)
      .insertInto('audit')
      .values({ revision, at: now, actor, byOwner: isOwner ? 1 : 0, ...what, subject })
      .execute();
    if (isOwner) await forgetOldest(trx, what.clientId);
    return result;
  });
}

/** Adds an audit entry for a change outside the registry that concerns no client. */
export function recordAct(db: Database, by: By, act: Pick<AuditTable, 'action' | 'subject'>): Promise<void> {
  return change(db, by, async () => ({ result: undefined, clientId: '', ...act }));
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

/** Returns a number that increases with every change of the registry. */
export async function registryRevision(db: Database): Promise<number> {
  return (await tables(db).selectFrom('registryState').select('revision').executeTakeFirstOrThrow()).revision;
}

/** Returns the audit entries of a client, oldest first. Also works after the client was deleted. */
export function listAudit(db: Database, clientId: string): Promise<Omit<AuditTable, 'byOwner'>[]> {
  const columns = ['revision', 'at', 'actor', 'action', 'clientId', 'subject'] as const;
  return tables(db).selectFrom('audit').select(columns).where('clientId', '=', clientId).orderBy('revision').execute();
}
