import type { FoundClients, ReviewQueue } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import { listDoubtful, listReviews, searchClients } from '../clients/index.ts';
import type { Database } from '../platform/db/index.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';
import { showRequest, summarise } from './views.ts';

/** Maximum number of clients that a search returns. */
const FOUND = 50;

/** Returns the pending requests, oldest first, and origins that are no longer verified. */
export async function showQueue(db: Database): Promise<Static<typeof ReviewQueue>> {
  const items = (await listReviews(db)).map(async ({ clientId, clientName, homePage, ...request }) => {
    return { ...(await showRequest(request)), clientId, clientName, homePage };
  });
  return { items: await Promise.all(items), doubtful: await listDoubtful(db) };
}

/** Returns the clients whose name contains the text, and those whose id, origin or owner is the text. */
export async function findClients(db: Database, wanted: string): Promise<Static<typeof FoundClients>> {
  const text = wanted.trim();
  const pubkey = (await readPubkey(text)) ?? '';
  const clients = (await searchClients(db, { text, pubkey, limit: FOUND })).map(async ({ owners, ...client }) => {
    return { ...summarise(client), owners: await Promise.all(owners.map(toNpub)) };
  });
  return { clients: await Promise.all(clients) };
}
