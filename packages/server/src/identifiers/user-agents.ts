import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { addItem, type By, removeItem, requireRoom, tables } from '../registry/index.ts';
import { canonicalPattern } from './pattern.ts';
import { newId } from './random-text.ts';

export interface UserAgent {
  id: string;
  pattern: string;
  createdAt: number;
}

/**
 * Registers a reviewed User-Agent pattern of a client, in which `*` matches any characters.
 * @throws ServiceError `not_found` for the client, `validation` for the pattern, `conflict` if another client has the
 *   pattern, `limit_reached` for the client's 11th pattern
 */
export function addUserAgent(db: Database, by: By, wanted: { clientId: string; pattern: string }): Promise<UserAgent> {
  const pattern = canonicalPattern(wanted.pattern);
  const { clientId } = wanted;
  const entry = { action: 'user-agent add', clientId, subject: pattern };
  return addItem(db, by, entry, (trx) => insertUserAgent(trx, { clientId, pattern }, by.now));
}

/** @throws ServiceError `not_found` */
export function removeUserAgent(db: Database, by: By, id: string): Promise<void> {
  return removeItem(db, by, { id, kind: 'User-Agent', action: 'user-agent remove' }, (trx) => {
    const rows = tables(trx).deleteFrom('userAgents').where('id', '=', id);
    return rows.returning(['clientId', 'pattern as subject']).executeTakeFirst();
  });
}

/** Inserts a User-Agent pattern. Must run within a change. `pattern` must be in canonical form. */
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
