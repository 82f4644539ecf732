import type { FoundClients, ReviewQueue } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import { sumUsage } from '../admission/index.ts';
import { listDoubtful, listReviews, searchClients } from '../clients/index.ts';
import type { Database } from '../platform/db/index.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';
import { showRequest, summarise } from './views.ts';

/** Number of clients per page. */
const PAGE = 50;

/** Returns the pending requests, oldest first, and origins that are no longer verified. */
export async function showQueue(db: Database): Promise<Static<typeof ReviewQueue>> {
  const items = (await listReviews(db)).map(async ({ clientId, clientName, homePage, ...request }) => {
    return { ...(await showRequest(request)), clientId, clientName, homePage };
  });
  return { items: await Promise.all(items), doubtful: await listDoubtful(db) };
}

/**
 * Returns a page of the clients whose name contains the text, or whose id, origin or owner equals the text. The latest
 * clients come first. An empty text finds all clients.
 * @param after `next` of the previous page, or an empty string for the first page
 */
export async function findClients(
  db: Database,
  { wanted, after, now }: { wanted: string; after: string; now: number },
): Promise<Static<typeof FoundClients>> {
  const text = wanted.trim();
  const pubkey = (await readPubkey(text)) ?? '';
  const found = await searchClients(db, { text, pubkey, after, limit: PAGE + 1 });
  const shown = found.slice(0, PAGE);
  const ids = shown.map(({ id }) => id);
  const requests = await sumUsage(db, ids, now);
  const clients = shown.map(async ({ owners, origins, keys, ...client }) => ({
    ...summarise(client),
    ...{ owners: await Promise.all(owners.map(toNpub)), origins, keys, requests: requests.get(client.id) ?? 0 },
  }));
  return { clients: await Promise.all(clients), next: found.length > PAGE ? found[PAGE - 1]!.id : '' };
}
