import type { AuditTrail } from '@zoetrope/contract/account';
import type { Static } from 'typebox';
import type { Database } from '../platform/db/index.ts';
import { containing } from './review.ts';
import { readPubkey, toNpub } from './sign-in/npub.ts';

/** Entries shown at once. */
const PAGE = 50;

/** What is asked for; what is empty is not. */
export interface WantedAudit {
  /** An id, or a part of the name that a client has or was registered with. */
  client: string;
  /** A public key in either form, or a part of what an actor is called. */
  actor: string;
  /** A part of it. */
  action: string;
  /** Entries before this one; 0 for the latest. */
  before: number;
}

/** What was done, with one client or with any, the latest first. */
export async function searchAudit(
  db: Database,
  { client, actor, action, before }: WantedAudit,
): Promise<Static<typeof AuditTrail>> {
  let entries = db
    .selectFrom('audit')
    .leftJoin('clients', 'clients.id', 'audit.clientId')
    .select(['revision as id', 'at', 'actor', 'action', 'clientId', 'clients.name as clientName', 'subject']);
  if (client !== '') {
    const named = db.selectFrom('clients').select('id');
    const registered = db.selectFrom('audit').select('clientId').where('action', '=', 'client create');
    entries = entries.where((is) =>
      is.or([
        is('clientId', '=', client),
        is('clientId', 'in', named.where(is.fn('lower', ['name']), 'like', containing(client))),
        // What it was called is all that is left of a client that is gone.
        is('clientId', 'in', registered.where(is.fn('lower', ['subject']), 'like', containing(client))),
      ]),
    );
  }
  if (actor !== '') {
    const pubkey = await readPubkey(actor);
    const called = containing(pubkey === null ? actor : await toNpub(pubkey));
    entries = entries.where((is) => is(is.fn('lower', ['actor']), 'like', called));
  }
  if (action !== '') entries = entries.where((is) => is(is.fn('lower', ['action']), 'like', containing(action)));
  if (before > 0) entries = entries.where('revision', '<', before);
  const found = await entries
    .orderBy('revision', 'desc')
    .limit(PAGE + 1)
    .execute();
  return {
    entries: found.slice(0, PAGE).map((entry) => ({ ...entry, clientName: entry.clientName ?? '' })),
    hasMore: found.length > PAGE,
  };
}
