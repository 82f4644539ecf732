import type { FoundClients, ReviewQueue } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import type { Database } from '../platform/db/index.ts';
import { listDoubtful } from './proofs/proofs.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';
import { showRequest, summarise } from './views.ts';

/** The most that an operator is shown at once. */
const FOUND = 50;

/** What waits for an operator, the oldest first; and what should be looked at again. */
export async function showQueue(db: Database): Promise<Static<typeof ReviewQueue>> {
  const rows = await db
    .selectFrom('requests')
    .innerJoin('clients', 'clients.id', 'requests.clientId')
    .selectAll('requests')
    .select(['clients.name as clientName', 'clients.homePage'])
    .where('requests.kind', '!=', 'owner')
    .orderBy('requests.createdAt')
    .orderBy('requests.id')
    .execute();
  const items = rows.map(async ({ clientId, clientName, homePage, ...request }) => {
    return { ...(await showRequest(request)), clientId, clientName, homePage };
  });
  return { items: await Promise.all(items), doubtful: await listDoubtful(db) };
}

/** The clients that have something of this in their name, are called so, or have this origin or owner. */
export async function findClients(db: Database, text: string): Promise<Static<typeof FoundClients>> {
  const wanted = text.trim();
  const pubkey = (await readPubkey(wanted)) ?? '';
  const origins = db.selectFrom('origins').select('clientId').where('origin', '=', wanted.toLowerCase());
  const owners = db.selectFrom('owners').select('clientId').where('pubkey', '=', pubkey);
  const rows = await db
    .selectFrom('clients')
    .selectAll()
    .where((is) =>
      is.or([
        is('id', '=', wanted),
        is('id', 'in', origins),
        is('id', 'in', owners),
        is(is.fn('lower', ['name']), 'like', containing(wanted)),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .limit(FOUND)
    .execute();
  const clients = rows.map(async (row) => {
    const keys = await db.selectFrom('owners').select('pubkey').where('clientId', '=', row.id).execute();
    return { ...summarise(row), owners: await Promise.all(keys.map((key) => toNpub(key.pubkey))) };
  });
  return { clients: await Promise.all(clients) };
}

/** The pattern of texts in small letters that have this in them. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%]/g, '_')}%`;
}
