import { type HandoverList, NewOrigin, Reason } from '@zoetrope/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { ServiceError } from '../../base/errors.ts';
import {
  approveHandover,
  findHandover,
  listHandovers,
  rejectHandover,
  requestHandover,
  withdrawHandover,
} from '../../clients/index.ts';
import { canonicalOrigin, ownersOf } from '../../identifiers/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import { actorOf } from '../own.ts';
import { domainOf, whyNotProven } from '../proofs/prove.ts';
import { readBody } from '../read-body.ts';
import { toNpub } from '../sign-in/npub.ts';
import { showClientsOf } from '../views.ts';

interface OfHandover {
  Params: { handoverId: string };
}

/** Registers the routes with which a person requests a client whose owners have lost their keys. */
export function registerHandovers(app: FastifyInstance, context: AccountContext): void {
  const { registry } = context;
  app.post('/handovers', async (request) => {
    const origin = canonicalOrigin(readBody(request, NewOrigin).origin);
    const { pubkey, by } = await actorOf(request, context);
    // The domain is asked first, so that strangers do not learn which client has an origin.
    await requireProven(context, pubkey, origin);
    const db = await registry();
    await requestHandover(db, by, { pubkey, origin });
    return showClientsOf(db, pubkey);
  });

  app.delete<OfHandover>('/handovers/:handoverId', async (request) => {
    const db = await registry();
    const { pubkey, by } = await actorOf(request, context);
    const handover = await findHandover(db, request.params.handoverId);
    if (handover.pubkey !== pubkey) throw new ServiceError('forbidden', 'This request is from somebody else');
    await withdrawHandover(db, by, handover.id);
    return showClientsOf(db, pubkey);
  });
}

/** Registers the routes with which operators decide who takes over a client. */
export function registerHandoverReview(app: FastifyInstance, context: AccountContext): void {
  const { registry } = context;
  app.get('/review/handovers', async () => showHandovers(await registry()));

  app.post<OfHandover>('/review/handovers/:handoverId/approve', async (request) => {
    const { reason } = readBody(request, Reason);
    const db = await registry();
    const { by } = await actorOf(request, context);
    const { id, pubkey, origin } = await findHandover(db, request.params.handoverId);
    await requireProven(context, pubkey, origin);
    await approveHandover(db, { ...by, reason }, id);
    return showHandovers(db);
  });

  app.post<OfHandover>('/review/handovers/:handoverId/reject', async (request) => {
    const { reason } = readBody(request, Reason);
    const db = await registry();
    const { by } = await actorOf(request, context);
    await rejectHandover(db, { ...by, reason }, request.params.handoverId);
    return showHandovers(db);
  });
}

/** @throws ServiceError `conflict` unless the domain of the origin names the person */
async function requireProven(context: AccountContext, pubkey: string, origin: string): Promise<void> {
  const reason = await whyNotProven(context, pubkey, domainOf(origin));
  if (reason !== '') throw new ServiceError('conflict', `The domain does not prove the ownership: ${reason}`);
}

async function showHandovers(db: Database): Promise<Static<typeof HandoverList>> {
  const handovers = (await listHandovers(db)).map(async ({ pubkey, ...handover }) => ({
    ...handover,
    npub: await toNpub(pubkey),
    owners: await Promise.all((await ownersOf(db, handover.clientId)).map(toNpub)),
  }));
  return { handovers: await Promise.all(handovers) };
}
