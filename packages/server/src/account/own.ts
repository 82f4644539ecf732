import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../base/errors.ts';
import { stateOf } from '../clients/index.ts';
import { isOwner } from '../identifiers/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type HeldTable, isHeld } from '../registry/index.ts';
import type { AccountContext } from './context.ts';
import type { Actor } from './proofs/prove.ts';
import { sessionOf } from './sign-in/guard.ts';
import { toNpub } from './sign-in/npub.ts';

/** Returns the signed-in user, with the fields that the audit log needs. */
export async function actorOf(request: FastifyRequest, { clock }: Pick<AccountContext, 'clock'>): Promise<Actor> {
  const { pubkey, isOperator } = sessionOf(request);
  return { pubkey, by: { actor: await toNpub(pubkey), now: clock.now(), isOwner: !isOperator } };
}

/**
 * Checks that the user owns a client. For clients that the user does not own, the error is the same as for unknown ids.
 * @throws ServiceError `not_found`
 */
export async function requireOwn(db: Database, pubkey: string, clientId: string): Promise<void> {
  if (await isOwner(db, clientId, pubkey)) return;
  throw new ServiceError('not_found', `You have no client with the id ${clientId.slice(0, 100)}`);
}

/**
 * Checks that the user owns a client and can change it. An owner must not be able to evade a suspension by deleting the
 * client or by moving its origins.
 * @throws ServiceError `not_found`, or `conflict` if the client is suspended
 */
export async function requireChangeable(db: Database, pubkey: string, clientId: string): Promise<void> {
  await requireOwn(db, pubkey, clientId);
  if ((await stateOf(db, clientId)) !== 'suspended') return;
  throw new ServiceError('conflict', 'This client is suspended, so it cannot be changed or deleted; ask the operator');
}

/** Checks that an item belongs to a client. Items never move between clients. @throws ServiceError `not_found` */
export async function requireHeld(
  db: Database,
  table: HeldTable,
  { clientId, id }: { clientId: string; id: string },
): Promise<void> {
  if (await isHeld(db, table, { clientId, id })) return;
  throw new ServiceError('not_found', `Nothing that belongs to this client has the id ${id.slice(0, 100)}`);
}
