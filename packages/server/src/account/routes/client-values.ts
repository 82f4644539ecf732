import {
  type CreatedKey,
  KEY_DAYS,
  NewKey,
  NewOrigin,
  NewOwner,
  NewUserAgent,
  RotateKey,
} from '@zoetrope/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../../base/errors.ts';
import { createRequest, findRequest, withdrawRequest } from '../../clients/index.ts';
import {
  createKey,
  isOwner,
  removeOrigin,
  removeOwner,
  removeUserAgent,
  revokeKey,
  rotateKey,
} from '../../identifiers/index.ts';
import type { Database } from '../../platform/db/index.ts';
import type { AccountContext } from '../context.ts';
import { actorOf, requireChangeable, requireHeld } from '../own.ts';
import { type Actor, proveOrigin, readPerson } from '../proofs/prove.ts';
import { readBody } from '../read-body.ts';
import { showClient } from '../views.ts';
import type { OfClient } from './clients.ts';

/** A user who acts on one of their clients. */
interface AtClient extends Actor {
  db: Database;
  clientId: string;
}

/** Registers the routes for a client's origins, keys, User-Agents and owners. */
export function registerClientValues(app: FastifyInstance, context: AccountContext): void {
  const at = (request: FastifyRequest<OfClient>) => atClient(context, request);

  app.post<OfClient>('/clients/:clientId/origins', async (request) => {
    const { origin } = readBody(request, NewOrigin);
    const here = await at(request);
    const asked = await createRequest(here.db, here.by, { clientId: here.clientId, kind: 'origin', value: origin });
    await proveOrigin(context, here.db, here, asked);
    return show(here);
  });

  app.post<OfClient>('/clients/:clientId/keys', async (request) => {
    const { name, days = null } = readBody(request, NewKey);
    const { db, by, clientId } = await at(request);
    return showNew(await createKey(db, by, { clientId, name, days }));
  });

  app.post<OfThing>('/clients/:clientId/keys/:id/rotation', async (request) => {
    const { days = null, overlapDays = KEY_DAYS.overlap } = readBody(request, RotateKey);
    const { db, by } = await at(request);
    await requireHeld(db, 'keys', request.params);
    return showNew(await rotateKey(db, by, { id: request.params.id, days, overlapDays }));
  });

  app.post<OfClient>('/clients/:clientId/user-agents', async (request) => {
    const { pattern } = readBody(request, NewUserAgent);
    const here = await at(request);
    await createRequest(here.db, here.by, { clientId: here.clientId, kind: 'user-agent', value: pattern });
    return show(here);
  });

  app.post<OfClient>('/clients/:clientId/owners', async (request) => {
    const { who } = readBody(request, NewOwner);
    const here = await at(request);
    const value = await readPerson(context, here, who);
    await createRequest(here.db, here.by, { clientId: here.clientId, kind: 'owner', value });
    return show(here);
  });

  const removals = [
    { path: 'origins', table: 'origins', remove: removeOrigin },
    { path: 'keys', table: 'keys', remove: revokeKey },
    { path: 'user-agents', table: 'userAgents', remove: removeUserAgent },
    { path: 'owners', table: 'owners', remove: removeOwner },
  ] as const;
  for (const { path, table, remove } of removals) {
    app.delete<OfThing>(`/clients/:clientId/${path}/:id`, async (request) => {
      const here = await at(request);
      await requireHeld(here.db, table, request.params);
      await remove(here.db, here.by, request.params.id);
      return showIfOwn(here);
    });
  }
  registerRequests(app, context);
}

interface OfThing {
  Params: { clientId: string; id: string };
}

/** Registers the routes for a client's pending requests. */
function registerRequests(app: FastifyInstance, context: AccountContext): void {
  app.post<OfThing>('/clients/:clientId/requests/:id/proof', async (request) => {
    const here = await atClient(context, request);
    await requireHeld(here.db, 'requests', request.params);
    const asked = await findRequest(here.db, request.params.id);
    if (asked.kind !== 'origin') throw new ServiceError('validation', 'Only origins have a domain to verify');
    await proveOrigin(context, here.db, here, asked);
    return show(here);
  });

  app.delete<OfThing>('/clients/:clientId/requests/:id', async (request) => {
    const here = await atClient(context, request);
    await requireHeld(here.db, 'requests', request.params);
    const { kind } = await findRequest(here.db, request.params.id);
    await withdrawRequest(here.db, here.by, kind, request.params.id);
    return show(here);
  });
}

/** @throws ServiceError `not_found` unless the user owns the client, `conflict` if it is suspended */
export async function atClient(context: AccountContext, request: FastifyRequest<OfClient>): Promise<AtClient> {
  const { clientId } = request.params;
  const db = await context.registry();
  const actor = await actorOf(request, context);
  await requireChangeable(db, actor.pubkey, clientId);
  return { ...actor, db, clientId };
}

function showNew({ id, name, key }: CreatedKey): CreatedKey {
  return { id, name, key };
}

function show({ db, clientId, by }: AtClient) {
  return showClient(db, clientId, by.now);
}

/** Users who have just removed themselves as owners no longer see the client. */
async function showIfOwn(here: AtClient) {
  return (await isOwner(here.db, here.clientId, here.pubkey)) ? show(here) : {};
}
