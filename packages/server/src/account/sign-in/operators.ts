import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../platform/db/index.ts';
import { type By, change } from '../../registry/index.ts';
import type { AccountContext } from '../context.ts';
import { tables } from '../tables.ts';
import { toNpub } from './npub.ts';

/** Whether a user is an operator now, by ZOETROPE_ADMINS or by the registry. */
export async function isOperator(
  { admins, registry }: Pick<AccountContext, 'admins' | 'registry'>,
  pubkey: string,
): Promise<boolean> {
  if (admins.has(pubkey)) return true;
  const found = tables(await registry())
    .selectFrom('operators')
    .select('pubkey')
    .where('pubkey', '=', pubkey);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Returns the operators that the registry stores, oldest first. Public keys are hexadecimal, times in milliseconds. */
export function listOperators(db: Database): Promise<{ pubkey: string; createdAt: number }[]> {
  return tables(db).selectFrom('operators').select(['pubkey', 'createdAt']).orderBy('createdAt').execute();
}

/** Whether the registry stores an operator. */
export async function hasOperators(db: Database): Promise<boolean> {
  return (await tables(db).selectFrom('operators').select('pubkey').limit(1).executeTakeFirst()) !== undefined;
}

/** Stores an operator. @throws ServiceError `conflict` if the registry stores this operator already */
export function addOperator(db: Database, by: By, pubkey: string): Promise<void> {
  return change(db, by, async (trx) => {
    if (!(await insert(trx, pubkey, by.now))) throw new ServiceError('conflict', 'This person is an operator already');
    return { result: undefined, action: 'operator add', clientId: '', subject: await toNpub(pubkey) };
  });
}

/** Stores the first operator. @throws ServiceError `conflict` if the registry stores any operator */
export async function addFirstOperator(db: Database, pubkey: string, now: number): Promise<void> {
  const npub = await toNpub(pubkey);
  await change(db, { actor: npub, now }, async (trx) => {
    if (await hasOperators(trx)) throw hasOperatorAlready();
    await insert(trx, pubkey, now);
    return { result: undefined, action: 'operator claim', clientId: '', subject: npub };
  });
}

/** Returns the error for somebody who wants to become the first operator of a service that already has an operator. */
export function hasOperatorAlready(): ServiceError {
  return new ServiceError(
    'conflict',
    'This service has an operator, who can add others with zoetrope operator add NPUB',
  );
}

/** Removes a stored operator. The person's sessions lose the right immediately. @throws ServiceError `not_found` */
export function removeOperator(db: Database, by: By, pubkey: string): Promise<void> {
  return change(db, by, async (trx) => {
    const removed = await tables(trx).deleteFrom('operators').where('pubkey', '=', pubkey).executeTakeFirst();
    if (removed.numDeletedRows !== 1n) {
      const message =
        'The registry has no operator with this public key. Operators in ZOETROPE_ADMINS are removed there';
      throw new ServiceError('not_found', message);
    }
    return { result: undefined, action: 'operator remove', clientId: '', subject: await toNpub(pubkey) };
  });
}

/** @returns whether the operator is new */
async function insert(trx: Database, pubkey: string, createdAt: number): Promise<boolean> {
  const added = await tables(trx)
    .insertInto('operators')
    .values({ pubkey, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return added.numInsertedOrUpdatedRows === 1n;
}
