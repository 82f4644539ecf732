import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { acceptRequest, findRequest, rejectRequest } from '../../clients/index.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { showClientsOf } from '../views.ts';

interface OfRequest {
  Params: { requestId: string };
}

/**
 * Registers the routes for accepting or declining an invitation to own a client. Only the invited person can use these
 * routes.
 */
export function registerInvitations(app: FastifyInstance, context: AccountContext): void {
  app.post<OfRequest>('/invitations/:requestId/accept', async (request) => {
    const { db, by, pubkey, id } = await invited(context, request);
    await acceptRequest(db, by, 'owner', id);
    return showClientsOf(db, pubkey);
  });

  app.post<OfRequest>('/invitations/:requestId/decline', async (request) => {
    const { db, by, pubkey, id } = await invited(context, request);
    await rejectRequest(db, by, 'owner', { id, reason: 'Declined by the invited person' });
    return showClientsOf(db, pubkey);
  });
}

async function invited(context: AccountContext, request: FastifyRequest<OfRequest>) {
  const db = await context.registry();
  const actor = await actorOf(request, context);
  const { id, kind, value } = await findRequest(db, request.params.requestId);
  if (kind !== 'owner' || value !== actor.pubkey)
    throw new ServiceError('forbidden', 'This invitation is for somebody else');
  return { ...actor, db, id };
}
