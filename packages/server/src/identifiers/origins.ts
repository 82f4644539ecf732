import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { addItem, type By, removeItem, requireRoom, tables } from '../registry/index.ts';
import { canonicalOrigin } from './origin.ts';
import { requireOwnSubdomains } from './public-suffix.ts';
import { newId } from './random-text.ts';

export interface Origin {
  id: string;
  origin: string;
  createdAt: number;
}

/**
 * Registers an origin of a client without review: `https://host[:port]`, or `https://*.domain[:port]` for every
 * subdomain.
 * @throws ServiceError `not_found` for the client, `validation` for the origin, `conflict` if another client has the
 *   origin, `limit_reached` for the client's 21st origin
 */
export function addOrigin(db: Database, by: By, wanted: { clientId: string; origin: string }): Promise<Origin> {
  const origin = canonicalOrigin(wanted.origin);
  const { clientId } = wanted;
  const entry = { action: 'origin add', clientId, subject: origin };
  return addItem(db, by, entry, (trx) => insertOrigin(trx, { clientId, origin }, by.now));
}

/** @throws ServiceError `not_found` */
export function removeOrigin(db: Database, by: By, id: string): Promise<void> {
  return removeItem(db, by, { id, kind: 'origin', action: 'origin remove' }, (trx) => {
    const rows = tables(trx).deleteFrom('origins').where('id', '=', id);
    return rows.returning(['clientId', 'origin as subject']).executeTakeFirst();
  });
}

/** Inserts an origin. Must run within a change. `origin` must be in canonical form. */
export async function insertOrigin(
  trx: Database,
  { clientId, origin }: { clientId: string; origin: string },
  now: number,
): Promise<Origin> {
  await requireOriginAllowed(trx, origin);
  await requireRoom(trx, 'origins', clientId);
  const row = { id: newId(), origin, createdAt: now };
  await tables(trx)
    .insertInto('origins')
    .values({ ...row, clientId })
    .execute();
  return row;
}

/**
 * Checks that an origin belongs to no other client and is not a wildcard directly below a public suffix. Otherwise, the
 * service could not tell clients apart.
 * @throws ServiceError `conflict`, or `validation` for public suffixes
 */
export async function requireOriginAllowed(trx: Database, origin: string): Promise<void> {
  await requireOwnSubdomains(origin);
  const taken = await tables(trx)
    .selectFrom('origins')
    .select('clientId')
    .where('origin', '=', origin)
    .executeTakeFirst();
  if (taken) throw new ServiceError('conflict', `origin ${origin} is already registered`);
}
