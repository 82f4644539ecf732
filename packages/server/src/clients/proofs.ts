import type { ProofResult, ReviewQueue } from '@zoetrope/contract/account';
import type { Database } from '../platform/db/index.ts';
import { tables } from '../registry/index.ts';

const DAY_MS = 86_400_000;
/** After this number of failures within the following time, an operator reviews the domain. */
const FAILURES = 3;
const FAILURES_MS = 7 * DAY_MS;

/** An origin whose domain is due for a check. */
export interface DueProof {
  originId: string;
  origin: string;
  clientId: string;
}

/** Records that an origin was approved because its domain names one of the client's owners. */
export async function noteProven(db: Database, origin: string, now: number): Promise<void> {
  const row = await tables(db).selectFrom('origins').select('id').where('origin', '=', origin).executeTakeFirst();
  // Another owner may have removed the origin in the meantime.
  if (row === undefined) return;
  await tables(db)
    .insertInto('originProofs')
    .values({ originId: row.id, checkedAt: now, reason: '', failures: '' })
    .execute();
}

/**
 * Claims an origin whose last check was more than a day ago, so that no other process checks the origin. Returns
 * undefined if no origin is due.
 */
export async function takeDueProof(db: Database, now: number): Promise<DueProof | undefined> {
  for (;;) {
    const due = await tables(db)
      .selectFrom('originProofs')
      .innerJoin('origins', 'origins.id', 'originProofs.originId')
      .select(['originId', 'origin', 'clientId', 'checkedAt'])
      .where('checkedAt', '<=', now - DAY_MS)
      .orderBy('checkedAt')
      .executeTakeFirst();
    if (due === undefined) return undefined;
    const take = tables(db).updateTable('originProofs').set({ checkedAt: now }).where('originId', '=', due.originId);
    const { numUpdatedRows } = await take.where('checkedAt', '=', due.checkedAt).executeTakeFirstOrThrow();
    // Another process may have claimed the origin first.
    if (numUpdatedRows === 1n) return due;
  }
}

/** Saves the result of a check. @returns whether an operator must now review the origin */
export async function noteAnswer(db: Database, originId: string, reason: string, now: number): Promise<boolean> {
  const row = await tables(db)
    .selectFrom('originProofs')
    .select('failures')
    .where('originId', '=', originId)
    .executeTakeFirst();
  const before = readFailures(row?.failures ?? '');
  const recent = [...before, ...(reason === '' ? [] : [now])].filter((at) => at > now - FAILURES_MS).slice(-FAILURES);
  const change = { checkedAt: now, reason, failures: recent.join(' ') };
  await tables(db).updateTable('originProofs').set(change).where('originId', '=', originId).execute();
  return recent.length === FAILURES && before.length < FAILURES;
}

/** Returns the results of the last domain checks of a client, keyed by origin id. */
export async function findProofs(db: Database, clientId: string): Promise<Map<string, ProofResult>> {
  const rows = await tables(db)
    .selectFrom('originProofs')
    .innerJoin('origins', 'origins.id', 'originProofs.originId')
    .select(['originId', 'checkedAt', 'reason'])
    .where('clientId', '=', clientId)
    .execute();
  return new Map(
    rows.map(({ originId, checkedAt, reason }) => [originId, { proven: reason === '', reason, checkedAt }]),
  );
}

/** Returns the origins that an operator must review, because their domain is no longer verified. */
export async function listDoubtful(db: Database): Promise<ReviewQueue['doubtful']> {
  const rows = await tables(db)
    .selectFrom('originProofs')
    .innerJoin('origins', 'origins.id', 'originProofs.originId')
    .innerJoin('clients', 'clients.id', 'origins.clientId')
    .select(['origin', 'clientId', 'name as clientName', 'reason', 'checkedAt', 'failures'])
    .where('reason', '!=', '')
    .orderBy('origin')
    .execute();
  return rows
    .filter(({ failures }) => readFailures(failures).length === FAILURES)
    .map(({ failures: _, ...doubtful }) => doubtful);
}

function readFailures(failures: string): number[] {
  return failures.split(' ').filter(Boolean).map(Number);
}
