import { ServiceError } from '../../base/errors.ts';
import type { Database } from '../../platform/db/index.ts';
import { type By, change } from '../audit.ts';
import { requireClient, requireRoom } from '../bounds.ts';
import { tables } from '../tables.ts';
import { canonicalPattern } from './pattern.ts';
import { newId } from './random-text.ts';

export interface UserAgent {
  id: string;
  pattern: string;
  createdAt: number;
}

/**
 * Registers a reviewed User-Agent pattern of a client, in which `*` matches any characters.
 * @throws ServiceError `not_found` for the client, `validation` for the pattern, `conflict` if it is taken,
 *   `limit_reached` for the 11th
 */
export function addUserAgent(db: Database, by: By, wanted: { clientId: string; pattern: string }): Promise<UserAgent> {
  const pattern = canonicalPattern(wanted.pattern);
  const { clientId } = wanted;
  return change(db, by, async (trx) => {
    await requireClient(trx, clientId);
    const result = await insertUserAgent(trx, { clientId, pattern }, by.now);
    return { action: 'user-agent add', clientId, subject: pattern, result };
  });
}

/** @throws ServiceError `not_found` */
export function removeUserAgent(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const row = await tables(trx).deleteFrom('userAgents').where('id', '=', id).returningAll().executeTakeFirst();
    if (!row) throw new ServiceError('not_found', `No User-Agent has the id ${id.slice(0, 100)}`);
    return { action: 'user-agent remove', clientId: row.clientId, subject: row.pattern, result: undefined };
  });
}

/** Must run within a change; `pattern` in canonical form. */
export async function insertUserAgent(
  trx: Database,
  { clientId, pattern }: { clientId: string; pattern: string },
  now: number,
): Promise<UserAgent> {
  await requirePatternFree(trx, pattern);
  await requireRoom(trx, 'userAgents', clientId);
  const row = { id: newId(), pattern, createdAt: now };
  await tables(trx)
    .insertInto('userAgents')
    .values({ ...row, clientId })
    .execute();
  return row;
}

/** @throws ServiceError `conflict` */
export async function requirePatternFree(trx: Database, pattern: string): Promise<void> {
  const taken = await tables(trx)
    .selectFrom('userAgents')
    .select('id')
    .where('pattern', '=', pattern)
    .executeTakeFirst();
  if (taken) throw new ServiceError('conflict', `User-Agent ${pattern} is already registered`);
}
