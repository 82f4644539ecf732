import { ClientLimit, OrderNote, Reason } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import {
  approveRequest,
  decideClient,
  findRequest,
  rejectRequest,
  setLimit,
  suspendClient,
} from '../../clients/index.ts';
import type { Database } from '../../platform/db/index.ts';
import { showAudit } from '../audit.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { readBody } from '../read-body.ts';
import { findClients, showQueue } from '../review.ts';
import { sessionOf } from '../sign-in/guard.ts';
import { showClient } from '../views.ts';
import { registerCatalogue } from './catalogue.ts';
import type { OfClient } from './clients.ts';
import { registerConsole } from './console.ts';
import { registerHandoverReview } from './handovers.ts';
import { registerImports } from './imports.ts';
import { registerModeration } from './moderation.ts';
import { registerSources } from './sources.ts';

interface OfRequest {
  Params: { requestId: string };
}

/** Registers the routes with which operators review clients and requests. */
export function registerReview(app: FastifyInstance, context: AccountContext): void {
  const { registry, clock } = context;
  app.addHook('onRequest', async (request) => {
    if (sessionOf(request).isOperator) return;
    throw new ServiceError('forbidden', 'Only operators can review');
  });

  app.get('/review', async () => showQueue(await registry()));

  app.post<OfRequest>('/review/requests/:requestId/approve', async (request) => {
    const db = await registry();
    const { by } = await actorOf(request, context);
    const { id, kind } = await findReviewed(db, request.params.requestId);
    await approveRequest(db, by, kind, id);
    return showQueue(db);
  });

  app.post<OfRequest>('/review/requests/:requestId/reject', async (request) => {
    const { reason } = readBody(request, Reason);
    const db = await registry();
    const { by } = await actorOf(request, context);
    const { id, kind } = await findReviewed(db, request.params.requestId);
    await rejectRequest(db, by, kind, { id, reason });
    return showQueue(db);
  });

  app.get('/review/clients', async ({ url }) =>
    findClients(await registry(), { wanted: parameter(url, 'q'), after: parameter(url, 'after'), now: clock.now() }),
  );

  app.get<OfClient>('/review/clients/:clientId', async ({ params }) =>
    showClient(await registry(), params.clientId, clock.now()),
  );

  app.post<OfClient>('/review/clients/:clientId/suspend', async (request) => {
    const { clientId } = request.params;
    const { reason } = readBody(request, Reason);
    const db = await registry();
    const { by } = await actorOf(request, context);
    await suspendClient(db, by, clientId, reason);
    return showClient(db, clientId, by.now);
  });

  app.post<OfClient>('/review/clients/:clientId/approve', async (request) => {
    const { clientId } = request.params;
    const db = await registry();
    const { by } = await actorOf(request, context);
    await decideClient(db, by, clientId, 'approve');
    return showClient(db, clientId, by.now);
  });

  app.post<OfClient>('/review/clients/:clientId/limit', async (request) => {
    const { clientId } = request.params;
    const { searchesPerMinute, reason } = readBody(request, ClientLimit);
    const db = await registry();
    const { by } = await actorOf(request, context);
    await setLimit(db, { ...by, reason }, clientId, searchesPerMinute);
    return showClient(db, clientId, by.now);
  });

  app.get('/review/audit', async ({ url }) => {
    const [client, actor, action] = ['client', 'actor', 'action'].map((name) => parameter(url, name).trim());
    const before = Number(parameter(url, 'before'));
    if (!Number.isSafeInteger(before) || before < 0) {
      throw new ServiceError('validation', 'before must be the id of an entry');
    }
    return showAudit(await registry(), { client: client!, actor: actor!, action: action!, before });
  });
  registerHandoverReview(app, context);
  registerOrders(app, context);
  registerModeration(app, context);
  registerCatalogue(app, context);
  registerImports(app, context);
  registerConsole(app, context);
  registerSources(app, context);
}

interface OfOrder {
  Params: { orderId: string };
}

function registerOrders(app: FastifyInstance, context: AccountContext): void {
  const { payments } = context;
  app.get('/review/orders', () => payments.oddOrders());

  app.post<OfOrder>('/review/orders/:orderId/note', async (request) => {
    const { note } = readBody(request, OrderNote);
    await payments.noteOrder(request.params.orderId, note);
    return payments.oddOrders();
  });

  app.post<OfOrder>('/review/orders/:orderId/accept', async (request) => {
    const { by } = await actorOf(request, context);
    await payments.acceptOrder(request.params.orderId, by);
    return payments.oddOrders();
  });

  app.post<OfOrder>('/review/orders/:orderId/refuse', async (request) => {
    const { by } = await actorOf(request, context);
    await payments.refuseOrder(request.params.orderId, by);
    return payments.oddOrders();
  });
}

/**
 * Finds a request that an operator can review. Invitations are not reviewed, because the invited person decides.
 * @throws ServiceError `not_found`
 */
async function findReviewed(db: Database, id: string) {
  const found = await findRequest(db, id);
  if (found.kind !== 'owner') return found;
  throw new ServiceError('not_found', 'No pending request has this id');
}

function parameter(url: string, name: string): string {
  return new URL(url, 'http://here').searchParams.get(name)?.slice(0, 200) ?? '';
}
