import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { addItem, type By, removeItem, requireRoom, requireRoomForOwner, tables } from '../registry/index.ts';
import { newId } from './random-text.ts';

export interface Owner {
  id: string;
  /** A Nostr public key: 64 lower-case hexadecimal digits. */
  pubkey: string;
  createdAt: number;
}

/**
 * Adds an owner to a client.
 * @throws ServiceError `not_found` for the client, `validation` for the pubkey, `conflict` for an existing owner,
 *   `limit_reached` for the client's 11th owner or the person's 6th client
 */
export function addOwner(db: Database, by: By, wanted: { clientId: string; pubkey: string }): Promise<Owner> {
  const pubkey = canonicalPubkey(wanted.pubkey);
  const { clientId } = wanted;
  const entry = { action: 'owner add', clientId, subject: pubkey };
  return addItem(db, by, entry, (trx) => insertOwner(trx, { clientId, pubkey }, by.now));
}

/** Removes an owner. @throws ServiceError `not_found`, or `conflict` for the last owner */
export function removeOwner(db: Database, by: By, id: string): Promise<void> {
  return removeItem(db, by, { id, kind: 'owner', action: 'owner remove' }, async (trx) => {
    const rows = tables(trx).deleteFrom('owners').where('id', '=', id);
    const removed = await rows.returning(['clientId', 'pubkey as subject']).executeTakeFirst();
    if (removed !== undefined && (await ownersOf(trx, removed.clientId)).length === 0)
      throw new ServiceError('conflict', 'the last owner cannot be removed; add another one first');
    return removed;
  });
}

/** Returns the public keys of the owners of a client. */
export async function ownersOf(db: Database, clientId: string): Promise<string[]> {
  const rows = await tables(db).selectFrom('owners').select('pubkey').where('clientId', '=', clientId).execute();
  return rows.map(({ pubkey }) => pubkey);
}

/** Returns whether a person owns a client. @param pubkey in canonical form */
export async function isOwner(db: Database, clientId: string, pubkey: string): Promise<boolean> {
  const owners = tables(db).selectFrom('owners').select('id').where('clientId', '=', clientId);
  return (await owners.where('pubkey', '=', pubkey).executeTakeFirst()) !== undefined;
}

/** Returns the name of a suspended client of a person, or undefined. @param pubkey in canonical form */
export async function suspendedClientOf(db: Database, pubkey: string): Promise<string | undefined> {
  const owned = tables(db).selectFrom('owners').select('clientId').where('pubkey', '=', pubkey);
  const suspended = tables(db).selectFrom('clients').select('name').where('state', '=', 'suspended');
  return (await suspended.where('id', 'in', owned).orderBy('createdAt').executeTakeFirst())?.name;
}

/** @throws ServiceError `validation` */
export function canonicalPubkey(text: string): string {
  const pubkey = text.trim().toLowerCase();
  if (/^[\da-f]{64}$/.test(pubkey)) return pubkey;
  throw new ServiceError('validation', `pubkey must be 64 hexadecimal digits, not ${text.slice(0, 100)}`);
}

/** Inserts an owner. Must run within a change. `pubkey` must be in canonical form. */
export async function insertOwner(
  trx: Database,
  { clientId, pubkey }: { clientId: string; pubkey: string },
  now: number,
): Promise<Owner> {
  await requireOwnerNew(trx, clientId, pubkey);
  await requireRoomForOwner(trx, pubkey);
  await requireRoom(trx, 'owners', clientId);
  const row = { id: newId(), pubkey, createdAt: now };
  await tables(trx)
    .insertInto('owners')
    .values({ ...row, clientId })
    .execute();
  return row;
}

/** @throws ServiceError `conflict` */
export async function requireOwnerNew(trx: Database, clientId: string, pubkey: string): Promise<void> {
  if (await isOwner(trx, clientId, pubkey))
    throw new ServiceError('conflict', `pubkey ${pubkey} is already an owner of this client`);
}
