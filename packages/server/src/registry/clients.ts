import { ServiceError } from '../errors.ts';
import type { Database } from '../platform/db/index.ts';
import { type By, change } from './audit.ts';
import type { Key } from './keys.ts';
import { canonicalName } from './name.ts';
import { canonicalOrigin } from './origin.ts';
import { insertOrigin, type Origin } from './origins.ts';
import { canonicalPubkey, insertOwner, type Owner } from './owners.ts';
import { newId } from './random-text.ts';
import type { Request } from './requests.ts';
import type { ClientState, ClientTable } from './tables.ts';
import type { UserAgent } from './user-agents.ts';

/** A client with all it has. */
export interface ClientRecord extends ClientTable {
  owners: Owner[];
  origins: Origin[];
  keys: Key[];
  userAgents: UserAgent[];
  requests: Request[];
}

export interface NewClient {
  name: string;
  state: ClientState;
  pubkeys: readonly string[];
  /** Registered without a review. */
  origins: readonly string[];
}

/** What can be decided about a client: from which states, and what it comes to. */
const DECISIONS = {
  approve: { from: ['unpaid', 'pending', 'rejected', 'suspended'], to: 'approved' },
  reject: { from: ['unpaid', 'pending'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
} as const satisfies Record<string, { from: readonly ClientState[]; to: ClientState }>;

export type Decision = keyof typeof DECISIONS;

/**
 * Registers a client with its owners and origins: all of it, or nothing.
 * @throws ServiceError `validation` for a field, an origin that is taken, a pubkey's 6th client, or one too many
 */
export function createClient(db: Database, by: By, wanted: NewClient): Promise<ClientTable> {
  const client = { id: newId(), name: canonicalName(wanted.name), state: wanted.state, createdAt: by.now };
  const origins = new Set(wanted.origins.map(canonicalOrigin));
  const pubkeys = new Set(wanted.pubkeys.map(canonicalPubkey));
  return change(db, by, async (trx) => {
    await trx.insertInto('clients').values(client).execute();
    for (const pubkey of pubkeys) await insertOwner(trx, { clientId: client.id, pubkey }, by.now);
    for (const origin of origins) await insertOrigin(trx, { clientId: client.id, origin }, by.now);
    const subject = [client.name, ...pubkeys, ...origins].join(' ');
    return { action: 'client create', clientId: client.id, subject, result: client };
  });
}

/** Every client, the oldest first. */
export function listClients(db: Database): Promise<ClientTable[]> {
  return db.selectFrom('clients').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** A client with all it has, each the oldest first. @throws ServiceError `not_found` */
export async function findClient(db: Database, id: string): Promise<ClientRecord> {
  const client = await db.selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirst();
  if (!client) throw unknownClient(id);
  const [owners, origins, keys, userAgents, requests] = await Promise.all([
    db
      .selectFrom('owners')
      .select(['id', 'pubkey', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('origins')
      .select(['id', 'origin', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    db.selectFrom('keys').select(['id', 'name', 'createdAt']).where('clientId', '=', id).orderBy('createdAt').execute(),
    db
      .selectFrom('userAgents')
      .select(['id', 'pattern', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('requests')
      .select(['id', 'kind', 'value', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
  ]);
  return { ...client, owners, origins, keys, userAgents, requests };
}

/** Lets a client in, keeps it out, or for a time. @throws ServiceError `not_found`; `validation` from a state it cannot be done in */
export function decideClient(db: Database, by: By, id: string, decision: Decision): Promise<void> {
  const { from, to } = DECISIONS[decision];
  return change(db, by, async (trx) => {
    const client = await trx.selectFrom('clients').select('state').where('id', '=', id).executeTakeFirst();
    if (!client) throw unknownClient(id);
    if (!(from as readonly ClientState[]).includes(client.state)) {
      throw new ServiceError('validation', `state must be ${from.join(' or ')} to ${decision}; it is ${client.state}`);
    }
    await trx.updateTable('clients').set({ state: to }).where('id', '=', id).execute();
    return { action: `client ${decision}`, clientId: id, subject: client.state, result: undefined };
  });
}

/** Forgets a client and all it has; its audit stays. @throws ServiceError `not_found` */
export function deleteClient(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const client = await trx.deleteFrom('clients').where('id', '=', id).returning('name').executeTakeFirst();
    if (!client) throw unknownClient(id);
    return { action: 'client delete', clientId: id, subject: client.name, result: undefined };
  });
}

function unknownClient(id: string): ServiceError {
  return new ServiceError('not_found', `No client has the id ${id.slice(0, 100)}`);
}
