import { containing, type Database } from '../platform/db/index.ts';
import { type AuditTable, type ClientTable, tables } from '../registry/index.ts';

/** A client, with the public keys of its owners, its origins and the number of its keys. */
type FoundClient = ClientTable & { owners: string[]; origins: string[]; keys: number };

/**
 * Returns the clients whose name contains the text, and the clients with this id, origin or owner. The latest clients
 * come first. `after` is the id of the last client of the previous page, or an empty string. Returns at most `limit`
 * clients, each with the public keys of its owners, its origins and the number of its keys.
 */
export async function searchClients(
  db: Database,
  { text, pubkey, after, limit }: { text: string; pubkey: string; after: string; limit: number },
): Promise<FoundClient[]> {
  const origins = tables(db).selectFrom('origins').select('clientId').where('origin', '=', text.toLowerCase());
  const owners = tables(db).selectFrom('owners').select('clientId').where('pubkey', '=', pubkey);
  const last = await tables(db).selectFrom('clients').select('createdAt').where('id', '=', after).executeTakeFirst();
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
    .where((is) =>
      last === undefined
        ? is.lit(true)
        : is.or([
            is('createdAt', '<', last.createdAt),
            is.and([is('createdAt', '=', last.createdAt), is('id', '<', after)]),
          ]),
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return withHeld(db, rows);
}

/** Reads the owners, origins and keys of all clients, with one query for each table. */
async function withHeld(db: Database, rows: readonly ClientTable[]): Promise<FoundClient[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const owners = tables(db).selectFrom('owners').select(['clientId', 'pubkey']).where('clientId', 'in', ids);
  const origins = tables(db).selectFrom('origins').select(['clientId', 'origin']).where('clientId', 'in', ids);
  const keys = tables(db).selectFrom('keys').select('clientId').where('clientId', 'in', ids);
  const [ownerRows, originRows, keyRows] = await Promise.all([
    owners.orderBy('createdAt').orderBy('id').execute(),
    origins.orderBy('createdAt').orderBy('id').execute(),
    keys.execute(),
  ]);
  return rows.map((row) => {
    const isOwn = ({ clientId }: { clientId: string }) => clientId === row.id;
    return {
      ...row,
      owners: ownerRows.filter(isOwn).map(({ pubkey }) => pubkey),
      origins: originRows.filter(isOwn).map(({ origin }) => origin),
      keys: keyRows.filter(isOwn).length,
    };
  });
}

/** Filters of the audit log. An empty filter has no effect. */
export interface WantedAudit {
  /** A client's id, or part of the client's current or first name. */
  client: string;
  /** Part of the actor's name. */
  actor: string;
  /** Part of the action. */
  action: string;
  /** Only entries before this revision. 0 for the latest entries. */
  before: number;
  limit: number;
}

/** Returns the audit entries of one client or of all clients, latest first. Deleted clients have no name. */
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
