import type { Database } from '../platform/db/index.ts';
import { type By, change, removeItem, requireClient, requireRoomFor, tables } from '../registry/index.ts';
import { hashKey, makeKey } from './api-key.ts';
import { canonicalName } from './name.ts';
import { newId } from './random-text.ts';

export interface Key {
  id: string;
  name: string;
  createdAt: number;
  /** Time at which the key was last used, rounded to the hour. Null if it was never used. */
  lastUsedAt: number | null;
}

/** Resolution of the stored times of use. */
const USED_STEP_MS = 3_600_000;

/**
 * Creates an API key for a client. Only the key's hash is stored, so `key` is available only in this result.
 * @throws ServiceError `not_found` for the client, `validation` for the name, `limit_reached` for the 11th key
 */
export function createKey(
  db: Database,
  by: By,
  wanted: { clientId: string; name: string },
): Promise<Key & { key: string }> {
  const name = canonicalName(wanted.name);
  const { clientId } = wanted;
  return change(db, by, async (trx) => {
    await requireClient(trx, clientId);
    await requireRoomFor(trx, 'keys', clientId);
    const key = makeKey();
    const row = { id: newId(), name, createdAt: by.now, lastUsedAt: null };
    await tables(trx)
      .insertInto('keys')
      .values({ ...row, clientId, hash: hashKey(key) })
      .execute();
    return { action: 'key create', clientId, subject: row.id, result: { ...row, key } };
  });
}

/** Revokes a key. @throws ServiceError `not_found` */
export function revokeKey(db: Database, by: By, id: string): Promise<void> {
  return removeItem(db, by, { id, kind: 'key', action: 'key revoke' }, (trx) => {
    const rows = tables(trx).deleteFrom('keys').where('id', '=', id);
    return rows.returning(['clientId', 'id as subject']).executeTakeFirst();
  });
}

/**
 * Records that a key is in use. The record is updated at most once an hour. This does not count as a change of the
 * registry.
 */
export async function noteKeyUse(db: Database, key: string, now: number): Promise<void> {
  const hash = hashKey(key);
  const row = await tables(db)
    .selectFrom('keys')
    .select(['id', 'lastUsedAt'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (row === undefined || (row.lastUsedAt ?? 0) > now - USED_STEP_MS) return;
  await tables(db).updateTable('keys').set({ lastUsedAt: now }).where('id', '=', row.id).execute();
}
