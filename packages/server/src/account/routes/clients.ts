import { AcceptTerms, ClientChange, DeleteClient, NewClient } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import { listUsage, listUsageByWay } from '../../admission/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { acceptTerms, changeClient, createClient, deleteClient, findClient } from '../../clients/index.ts';
import { suspendedClientOf } from '../../identifiers/index.ts';
import type { AccountContext } from '../context.ts';
import { actorOf, requireChangeable, requireOwn } from '../own.ts';
import { readBody } from '../read-body.ts';
import { sessionOf } from '../sign-in/guard.ts';
import { storeTerms } from '../terms.ts';
import { showClient, showClientsOf } from '../views.ts';

/** Path parameters of routes for a client. */
export interface OfClient {
  Params: { clientId: string };
}

/** Registers the routes for the user's clients. */
export function registerClients(app: FastifyInstance, context: AccountContext): void {
  const { registry, clock } = context;
  app.get('/clients', async (request) => showClientsOf(await registry(), sessionOf(request).pubkey));

  app.post('/clients', async (request) => {
    const { termsVersion, ...details } = readBody(request, NewClient);
    const { pubkey, by } = await actorOf(request, context);
    const { sats } = context.payments.fee();
    const db = await registry();
    const suspended = await suspendedClientOf(db, pubkey);
    if (suspended !== undefined) {
      const message = `Your client "${suspended}" is suspended, so you cannot register another one; ask the operator`;
      throw new ServiceError('conflict', message);
    }
    await storeTerms(db, context.operator, sats, termsVersion);
    const { id } = await createClient(db, by, {
      ...details,
      state: sats === 0 ? 'approved' : 'unpaid',
      pubkeys: [pubkey],
      origins: [],
      terms: { version: termsVersion, pubkey },
    });
    return showClient(db, id, by.now);
  });

  app.get<OfClient>('/clients/:clientId', async (request) => {
    const { clientId } = request.params;
    const db = await registry();
    await requireOwn(db, sessionOf(request).pubkey, clientId);
    return showClient(db, clientId, clock.now());
  });

  app.patch<OfClient>('/clients/:clientId', async (request) => {
    const { clientId } = request.params;
    const changes = readBody(request, ClientChange);
    const db = await registry();
    const { pubkey, by } = await actorOf(request, context);
    await requireChangeable(db, pubkey, clientId);
    await changeClient(db, by, clientId, changes);
    return showClient(db, clientId, by.now);
  });

  app.post<OfClient>('/clients/:clientId/terms', async (request) => {
    const { clientId } = request.params;
    const { termsVersion } = readBody(request, AcceptTerms);
    const db = await registry();
    const { pubkey, by } = await actorOf(request, context);
    await requireChangeable(db, pubkey, clientId);
    await storeTerms(db, context.operator, context.payments.fee().sats, termsVersion);
    await acceptTerms(db, by, clientId, { version: termsVersion, pubkey });
    return showClient(db, clientId, by.now);
  });

  app.delete<OfClient>('/clients/:clientId', async (request) => {
    const { clientId } = request.params;
    const { name } = readBody(request, DeleteClient);
    const db = await registry();
    const { pubkey, by } = await actorOf(request, context);
    await requireChangeable(db, pubkey, clientId);
    if (name !== (await findClient(db, clientId)).name) {
      throw new ServiceError('validation', 'name must be the name of the client to delete');
    }
    await deleteClient(db, by, clientId);
    return {};
  });

  app.get<OfClient>('/clients/:clientId/usage', async (request) => {
    const { clientId } = request.params;
    const db = await registry();
    await requireOwn(db, sessionOf(request).pubkey, clientId);
    const days = await listUsage(db, clientId, clock.now());
    const ways = await listUsageByWay(db, clientId, clock.now());
    return { days: days.map(({ clientId: _, ...day }) => day), ways: ways.map(({ clientId: _, ...way }) => way) };
  });
}
