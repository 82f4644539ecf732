import { ServiceError } from '../base/errors.ts';
import { canonicalOrigin, insertOwner, isOwner, newId, ownersOf } from '../identifiers/index.ts';
import { notify, notifyOwners } from '../notices/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type By, change, tables } from '../registry/index.ts';

/** A request of a person to take over a client whose domain names them as its owner. */
export interface Handover {
  id: string;
  clientId: string;
  clientName: string;
  pubkey: string;
  /** The origin of the client whose domain names the person. */
  origin: string;
  createdAt: number;
}

/**
 * Requests to take over the client of an origin. The caller must have checked that the origin's domain names the person.
 * Replaces an earlier request for the client, and notifies the owners, once a day at most.
 * @throws ServiceError `validation` for the origin, `not_found` if no client has it, `conflict` if the person already owns
 *   the client
 */
export function requestHandover(
  db: Database,
  by: By,
  { pubkey, ...wanted }: { pubkey: string; origin: string },
): Promise<void> {
  const origin = canonicalOrigin(wanted.origin);
  return change(db, by, async (trx) => {
    const row = await tables(trx)
      .selectFrom('origins')
      .select('clientId')
      .where('origin', '=', origin)
      .executeTakeFirst();
    if (row === undefined) throw new ServiceError('not_found', `No client has the origin ${origin}`);
    const { clientId } = row;
    if (await isOwner(trx, clientId, pubkey)) throw new ServiceError('conflict', 'You already own this client');
    await tables(trx).deleteFrom('handovers').where('clientId', '=', clientId).execute();
    await tables(trx)
      .insertInto('handovers')
      .values({ id: newId(), clientId, pubkey, origin, createdAt: by.now })
      .execute();
    const text = (name: string) =>
      `Somebody whom ${origin} names as its owner asks to take over ${name}. An operator decides. If you do not know this person, tell the operator.`;
    const about = `handover of ${clientId} on ${new Date(by.now).toISOString().slice(0, 10)}`;
    await notifyOwners(trx, { clientId, text, about, now: by.now });
    return { action: 'handover request', clientId, subject: `${pubkey} by ${origin}`, result: undefined };
  });
}

/** Returns all requests to take over a client, or only those of one person, oldest first. */
export function listHandovers(db: Database, pubkey?: string): Promise<Handover[]> {
  const ordered = selectHandovers(db).orderBy('handovers.createdAt').orderBy('handovers.id');
  return (pubkey === undefined ? ordered : ordered.where('pubkey', '=', pubkey)).execute();
}

/** Returns one request to take over a client. @throws ServiceError `not_found` */
export async function findHandover(db: Database, id: string): Promise<Handover> {
  const found = await selectHandovers(db).where('handovers.id', '=', id).executeTakeFirst();
  return found ?? unknown(id);
}

function selectHandovers(db: Database) {
  return tables(db)
    .selectFrom('handovers')
    .innerJoin('clients', 'clients.id', 'handovers.clientId')
    .selectAll('handovers')
    .select('clients.name as clientName');
}

/**
 * Makes a person the only owner of a client. Withdraws the invitations of the former owners, and notifies everybody.
 * @param by with the reason
 * @throws ServiceError `not_found`, `limit_reached` if the person already has the maximum number of clients, or
 * `conflict` if the person already owns the client
 */
export function approveHandover(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, pubkey, origin } = await takeHandover(trx, id);
    const { now, reason } = by;
    const former = await ownersOf(trx, clientId);
    if (former.includes(pubkey)) throw new ServiceError('conflict', 'This person already owns the client');
    await tables(trx).deleteFrom('owners').where('clientId', '=', clientId).execute();
    await tables(trx).deleteFrom('requests').where('clientId', '=', clientId).where('kind', '=', 'owner').execute();
    await insertOwner(trx, { clientId, pubkey }, now);
    await notify(trx, former, {
      clientId,
      text: (name) =>
        `An operator handed ${name} over to somebody whom ${origin} names as its owner: ${reason}. You no longer own it. If this is wrong, tell the operator.`,
      now,
    });
    await notify(trx, [pubkey], {
      clientId,
      text: (name) => `You now own ${name}. Revoke the keys that you do not know.`,
      now,
    });
    return {
      action: 'handover approve',
      clientId,
      subject: `${former.join(' ')} to ${pubkey} by ${origin}`,
      result: undefined,
    };
  });
}

/** Rejects a request to take over a client, with a reason for the person. @throws ServiceError `not_found` */
export function rejectHandover(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, pubkey, origin } = await takeHandover(trx, id);
    const text = () => `An operator rejected your request to take over the client of ${origin}: ${by.reason}`;
    await notify(trx, [pubkey], { clientId, text, now: by.now });
    return { action: 'handover reject', clientId, subject: `${pubkey} by ${origin}`, result: undefined };
  });
}

/** Withdraws a request to take over a client. @throws ServiceError `not_found` */
export function withdrawHandover(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, pubkey, origin } = await takeHandover(trx, id);
    return { action: 'handover withdraw', clientId, subject: `${pubkey} by ${origin}`, result: undefined };
  });
}

async function takeHandover(trx: Database, id: string) {
  return (
    (await tables(trx).deleteFrom('handovers').where('id', '=', id).returningAll().executeTakeFirst()) ?? unknown(id)
  );
}

function unknown(id: string): never {
  throw new ServiceError('not_found', `No request to take over a client has the id ${id.slice(0, 100)}`);
}
