import type { FoundClients, ReviewQueue } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import type { Database } from '../platform/db/index.ts';
import { listDoubtful, listReviews, searchClients } from '../registry/index.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';
import { showRequest, summarise } from './views.ts';

/** The most that an operator is shown at once. */
const FOUND = 50;

/** What waits for an operator, the oldest first; and what should be looked at again. */
export async function showQueue(db: Database): Promise<Static<typeof ReviewQueue>> {
  const items = (await listReviews(db)).map(async ({ clientId, clientName, homePage, ...request }) => {
    return { ...(await showRequest(request)), clientId, clientName, homePage };
  });
  return { items: await Promise.all(items), doubtful: await listDoubtful(db) };
}

/** The clients that have something of this in their name, are called so, or have this origin or owner. */
export async function findClients(db: Database, wanted: string): Promise<Static<typeof FoundClients>> {
  const text = wanted.trim();
  const pubkey = (await readPubkey(text)) ?? '';
  const clients = (await searchClients(db, { text, pubkey, limit: FOUND })).map(async ({ owners, ...client }) => {
    return { ...summarise(client), owners: await Promise.all(owners.map(toNpub)) };
  });
  return { clients: await Promise.all(clients) };
}
