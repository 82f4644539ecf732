import { ServiceError } from '../base/errors.ts';
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
  /** Time from which the key is refused. Null if it does not expire. */
  expiresAt: number | null;
}

/** Resolution of the stored times of use. */
const USED_STEP_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface NewKey {
  clientId: string;
  name: string;
  /** Number of days after which the key expires. Null if it does not expire. */
  days?: number | null;
}

/**
 * Creates an API key for a client. Only the key's hash is stored, so `key` is available only in this result. Removes the
 * client's expired keys, so that they do not count against the limit.
 * @throws ServiceError `not_found` for the client, `validation` for the name, `limit_reached` for the 11th key
 */
export function createKey(db: Database, by: By, wanted: NewKey): Promise<Key & { key: string }> {
  const name = canonicalName(wanted.name);
  const { clientId } = wanted;
  return change(db, by, async (trx) => {
    await requireClient(trx, clientId);
    const made = await insertKey(trx, { ...wanted, name }, by.now);
    return { action: 'key create', clientId, subject: made.id, result: made };
  });
}

/**
 * Replaces a key by a new one with the same name. The old key still works for some days, so that apps can change to the
 * new key.
 * @param wanted the old key's id, the new key's lifetime as in `createKey`, and the number of days for which the old
 * key still works
 * @throws ServiceError `not_found` for the key, `limit_reached` if the client has 10 keys
 */
export function rotateKey(
  db: Database,
  by: By,
  { id, days, overlapDays }: { id: string; days?: number | null; overlapDays: number },
): Promise<Key & { key: string }> {
  return change(db, by, async (trx) => {
    const old = await tables(trx)
      .selectFrom('keys')
      .select(['clientId', 'name', 'expiresAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (old === undefined) throw new ServiceError('not_found', `No key has the id ${id.slice(0, 100)}`);
    const { clientId, name } = old;
    const made = await insertKey(trx, { clientId, name, days: days ?? null }, by.now);
    const expiresAt = Math.min(old.expiresAt ?? Infinity, by.now + overlapDays * DAY_MS);
    await tables(trx).updateTable('keys').set({ expiresAt }).where('id', '=', id).execute();
    return { action: 'key rotate', clientId, subject: `${id} to ${made.id}`, result: made };
  });
}

async function insertKey(
  trx: Database,
  { clientId, name, days = null }: NewKey,
  now: number,
): Promise<Key & { key: string }> {
  await tables(trx).deleteFrom('keys').where('clientId', '=', clientId).where('expiresAt', '<=', now).execute();
  await requireRoomFor(trx, 'keys', clientId);
  const key = makeKey();
  const expiresAt = days === null ? null : now + days * DAY_MS;
  const row = { id: newId(), name, createdAt: now, lastUsedAt: null, expiresAt };
  await tables(trx)
    .insertInto('keys')
    .values({ ...row, clientId, hash: hashKey(key) })
    .execute();
  return { ...row, key };
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
