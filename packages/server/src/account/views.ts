import type { Client, ClientList, ClientSummary, PendingRequest, Rejection } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import {
  findClient,
  findProofs,
  listClientsOf,
  listHandovers,
  listInvitations,
  listRejections,
  type Request as Waiting,
} from '../clients/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { ReviewedKind } from '../registry/index.ts';
import { toNpub } from './sign-in/npub.ts';

/** Returns a client as owners and operators see it. @throws ServiceError `not_found` */
export async function showClient(db: Database, id: string, now: number): Promise<Static<typeof Client>> {
  const { description, homePage, contact, suspendedBecause, searchesPerMinute, termsVersion, termsAt, ...client } =
    await findClient(db, id);
  const rejections = await listRejections(db, id, now);
  const proofs = await findProofs(db, id);
  return {
    ...summarise(client),
    ...{ description, homePage, contact, suspendedBecause, searchesPerMinute },
    terms: termsVersion === null || termsAt === null ? null : { version: termsVersion, acceptedAt: termsAt },
    owners: await Promise.all(client.owners.map(async (owner) => ({ ...owner, npub: await toNpub(owner.pubkey) }))),
    origins: client.origins.map((origin) => ({ ...origin, proof: proofs.get(origin.id) ?? null })),
    keys: client.keys,
    userAgents: client.userAgents,
    requests: await Promise.all(client.requests.map(showRequest)),
    rejections: await Promise.all(rejections.map(showRejection)),
  };
}

export function summarise({ id, name, state, createdAt }: ClientSummary): ClientSummary {
  return { id, name, state, createdAt };
}

export async function showRequest({
  id,
  kind,
  value,
  createdAt,
  proofReason,
  proofAt,
}: Waiting): Promise<PendingRequest> {
  const proof = proofAt === null ? null : { proven: proofReason === '', reason: proofReason ?? '', checkedAt: proofAt };
  return { id, kind, value: await showValue(kind, value), createdAt, proof };
}

async function showRejection({ value, ...rejection }: Rejection): Promise<Rejection> {
  return { ...rejection, value: await showValue(rejection.kind, value) };
}

/** Returns a value as users see it. Public keys are shown as npubs. */
async function showValue(kind: ReviewedKind, value: string): Promise<string> {
  return kind === 'owner' ? toNpub(value) : value;
}

/** Returns a user's clients, their invitations, and their requests to take over a client. */
export async function showClientsOf(db: Database, pubkey: string): Promise<Static<typeof ClientList>> {
  const invitations = await listInvitations(db, pubkey);
  const handovers = (await listHandovers(db, pubkey)).map(({ id, origin, createdAt }) => ({ id, origin, createdAt }));
  return { clients: (await listClientsOf(db, pubkey)).map(summarise), invitations, handovers };
}
