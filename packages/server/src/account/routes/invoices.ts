import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { findClient } from '../../clients/index.ts';
import type { AccountContext } from '../context.ts';
import { requireOwn } from '../own.ts';
import { sessionOf } from '../sign-in/guard.ts';
import { atClient } from './client-values.ts';
import type { OfClient } from './clients.ts';

/** Registers the routes for paying a client's registration fee. */
export function registerInvoices(app: FastifyInstance, context: AccountContext): void {
  const { payments } = context;
  app.post<OfClient>('/clients/:clientId/invoice', async (request) => {
    const { db, clientId, pubkey } = await atClient(context, request);
    const { state } = await findClient(db, clientId);
    if (state !== 'unpaid')
      throw new ServiceError('conflict', `There is nothing to pay, because the client is ${state}`);
    return payments.createInvoice({ clientId, pubkey });
  });

  app.get<OfClient>('/clients/:clientId/invoice', async (request) => {
    const { clientId } = request.params;
    await requireOwn(await context.registry(), sessionOf(request).pubkey, clientId);
    const invoice = await payments.latestInvoice(clientId);
    if (invoice === undefined) throw new ServiceError('not_found', 'The client has no invoice');
    return invoice;
  });
}
