import type { Database } from '../platform/db/index.ts';
import { ownersOf } from './owners.ts';
import { type AuditTable, type ClientTable, tables } from './tables.ts';

/**
 * The clients that have a text in their name, are called so, or have this origin or owner; the latest first, at most
 * `limit` of them, with the public keys of their owners.
 */
export async function searchClients(
  db: Database,
  { text, pubkey, limit }: { text: string; pubkey: string; limit: number },
): Promise<(ClientTable & { owners: string[] })[]> {
  const origins = tables(db).selectFrom('origins').select('clientId').where('origin', '=', text.toLowerCase());
  const owners = tables(db).selectFrom('owners').select('clientId').where('pubkey', '=', pubkey);
  const rows = await tables(db)
    .selectFrom('clients')
    .selectAll()
    .where((is) =>
      is.or([
        is('id', '=', text),
        is('id', 'in', origins),
        is('id', 'in', owners),
        is(is.fn('lower', ['name']), 'like', containing(text)),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute();
  return Promise.all(rows.map(async (row) => ({ ...row, owners: await ownersOf(db, row.id) })));
}

/** What is looked for in the audit; what is empty is not. */
export interface WantedAudit {
  /** An id, or part of the client's current or first name. */
  client: string;
  /** A part of what an actor is called. */
  actor: string;
  /** Part of the action. */
  action: string;
  /** Entries before this revision; 0 for the latest. */
  before: number;
  limit: number;
}

/** What was done, with one client or with any, the latest first. Clients that are gone have no name. */
export function searchAudit(
  db: Database,
  { client, actor, action, before, limit }: WantedAudit,
): Promise<(Omit<AuditTable, 'byOwner'> & { clientName: string | null })[]> {
  let entries = tables(db)
    .selectFrom('audit')
    .leftJoin('clients', 'clients.id', 'audit.clientId')
    .select(['revision', 'at', 'actor', 'action', 'clientId', 'clients.name as clientName', 'subject']);
  if (client !== '') {
    const named = tables(db).selectFrom('clients').select('id');
    const registered = tables(db).selectFrom('audit').select('clientId').where('action', '=', 'client create');
    entries = entries.where((is) =>
      is.or([
        is('clientId', '=', client),
        is('clientId', 'in', named.where(is.fn('lower', ['name']), 'like', containing(client))),
        // The audit entry is the only record of a deleted client's name.
        is('clientId', 'in', registered.where(is.fn('lower', ['subject']), 'like', containing(client))),
      ]),
    );
  }
  if (actor !== '') entries = entries.where((is) => is(is.fn('lower', ['actor']), 'like', containing(actor)));
  if (action !== '') entries = entries.where((is) => is(is.fn('lower', ['action']), 'like', containing(action)));
  if (before > 0) entries = entries.where('revision', '<', before);
  return entries.orderBy('revision', 'desc').limit(limit).execute();
}

/** LIKE pattern for lower-case texts that contain this one. */
function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%]/g, '_')}%`;
}
