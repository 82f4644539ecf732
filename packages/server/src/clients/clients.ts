import { ServiceError } from '../base/errors.ts';
import {
  canonicalName,
  canonicalOrigin,
  canonicalPubkey,
  insertOrigin,
  insertOwner,
  type Key,
  newId,
  type Origin,
  type Owner,
  type UserAgent,
} from '../identifiers/index.ts';
import { notifyOwners } from '../notices/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  type By,
  type Changed,
  type ClientState,
  type ClientTable,
  change,
  requireClient,
  tables,
} from '../registry/index.ts';
import type { Request } from './requests.ts';

/** A client with all its items. */
export interface ClientRecord extends ClientTable {
  owners: Owner[];
  origins: Origin[];
  keys: Key[];
  userAgents: UserAgent[];
  requests: Request[];
  /** Null: the default of the service. */
  searchesPerMinute: number | null;
}

/** Details that owners enter. */
export type ClientDetails = Pick<ClientTable, 'description' | 'homePage' | 'contact'>;

export interface NewClient extends Partial<ClientDetails> {
  name: string;
  state: ClientState;
  pubkeys: readonly string[];
  /** Origins that are registered without review. */
  origins: readonly string[];
  /** The accepted version of the terms, and the person who accepted it. */
  terms?: { version: string; pubkey: string };
}

/** All allowed transitions between client states. */
const DECISIONS = {
  approve: { from: ['unpaid', 'rejected', 'suspended'], to: 'approved' },
  reject: { from: ['unpaid'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
} as const satisfies Record<string, { from: readonly ClientState[]; to: ClientState }>;

export type Decision = keyof typeof DECISIONS;

/**
 * Registers a client with its owners and origins, in one transaction.
 * @throws ServiceError `validation` for a field, `conflict` for an origin that another client has, `limit_reached` for
 * a person's 6th client or for too many items of one kind
 */
export function createClient(db: Database, by: By, wanted: NewClient): Promise<ClientTable> {
  const { state, description = '', homePage = '', contact = '', terms } = wanted;
  const client = {
    ...{ id: newId(), name: canonicalName(wanted.name), state, createdAt: by.now },
    ...{ description, homePage, contact, suspendedBecause: '' },
    termsVersion: terms?.version ?? null,
    termsAt: terms === undefined ? null : by.now,
    termsPubkey: terms?.pubkey ?? null,
  };
  const origins = new Set(wanted.origins.map(canonicalOrigin));
  const pubkeys = new Set(wanted.pubkeys.map(canonicalPubkey));
  return change(db, by, async (trx) => {
    await tables(trx).insertInto('clients').values(client).execute();
    for (const pubkey of pubkeys) await insertOwner(trx, { clientId: client.id, pubkey }, by.now);
    for (const origin of origins) await insertOrigin(trx, { clientId: client.id, origin }, by.now);
    const subject = [client.name, ...pubkeys, ...origins].join(' ');
    return { action: 'client create', clientId: client.id, subject, result: client };
  });
}

/** Returns all clients, oldest first. */
export function listClients(db: Database): Promise<ClientTable[]> {
  return tables(db).selectFrom('clients').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** Returns the number of clients that are approved, and of all others. */
export async function countClients(db: Database): Promise<{ approved: number; others: number }> {
  const clients = tables(db)
    .selectFrom('clients')
    .select((select) => ['state', select.fn.countAll<number>().as('n')]);
  const counted = { approved: 0, others: 0 };
  for (const { state, n } of await clients.groupBy('state').execute()) {
    counted[state === 'approved' ? 'approved' : 'others'] += n;
  }
  return counted;
}

/** Returns a client with all its items, oldest items first. @throws ServiceError `not_found` */
export async function findClient(db: Database, id: string): Promise<ClientRecord> {
  const client = await tables(db).selectFrom('clients').selectAll().where('id', '=', id).executeTakeFirst();
  if (!client) throw unknownClient(id);
  const [owners, origins, keys, userAgents, requests, searchesPerMinute] = await Promise.all([
    tables(db)
      .selectFrom('owners')
      .select(['id', 'pubkey', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    tables(db)
      .selectFrom('origins')
      .select(['id', 'origin', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    tables(db)
      .selectFrom('keys')
      .select(['id', 'name', 'createdAt', 'lastUsedAt', 'expiresAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    tables(db)
      .selectFrom('userAgents')
      .select(['id', 'pattern', 'createdAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    tables(db)
      .selectFrom('requests')
      .select(['id', 'kind', 'value', 'createdAt', 'proofReason', 'proofAt'])
      .where('clientId', '=', id)
      .orderBy('createdAt')
      .execute(),
    limitOf(db, id),
  ]);
  return { ...client, owners, origins, keys, userAgents, requests, searchesPerMinute };
}

/** Returns the state of a client, or undefined if there is no such client. */
export async function stateOf(db: Database, id: string): Promise<ClientState | undefined> {
  const client = await tables(db).selectFrom('clients').select('state').where('id', '=', id).executeTakeFirst();
  return client?.state;
}

/** Changes the details of a client. @throws ServiceError `not_found`, or `validation` for the name */
export function changeClient(
  db: Database,
  by: By,
  id: string,
  { name, ...details }: Partial<ClientDetails & { name: string }>,
): Promise<void> {
  const changes = { ...details, ...(name !== undefined && { name: canonicalName(name) }) };
  return change(db, by, async (trx) => {
    await requireClient(trx, id);
    // An update without changes is not valid SQL.
    if (Object.keys(changes).length > 0)
      await tables(trx).updateTable('clients').set(changes).where('id', '=', id).execute();
    return { action: 'client change', clientId: id, subject: Object.keys(changes).join(' '), result: undefined };
  });
}

/** Returns a client's own limit of searches per minute, or null if the default of the service applies. */
async function limitOf(db: Database, id: string): Promise<number | null> {
  const own = tables(db).selectFrom('clientLimits').select('searchesPerMinute').where('clientId', '=', id);
  return (await own.executeTakeFirst())?.searchesPerMinute ?? null;
}

/**
 * Sets a client's own limit of searches per minute. With null, the default of the service applies. Notifies the owners.
 * @param by with the reason
 * @throws ServiceError `not_found`
 */
export function setLimit(db: Database, by: By, id: string, searchesPerMinute: number | null): Promise<void> {
  return change(db, by, async (trx) => {
    await requireClient(trx, id);
    const before = await limitOf(trx, id);
    await tables(trx).deleteFrom('clientLimits').where('clientId', '=', id).execute();
    if (searchesPerMinute !== null)
      await tables(trx).insertInto('clientLimits').values({ clientId: id, searchesPerMinute }).execute();
    const limit = searchesPerMinute === null ? 'the default of the service' : `${searchesPerMinute} searches a minute`;
    const text = (name: string) => `An operator set the limit of ${name} to ${limit}: ${by.reason}`;
    await notifyOwners(trx, { clientId: id, text, now: by.now });
    const subject = `${before ?? 'default'} to ${searchesPerMinute ?? 'default'}`;
    return { action: 'client limit', clientId: id, subject, result: undefined };
  });
}

/**
 * Records that changed terms were accepted. The state of the client does not change.
 * @throws ServiceError `not_found`
 */
export function acceptTerms(
  db: Database,
  by: By,
  id: string,
  { version, pubkey }: { version: string; pubkey: string },
): Promise<void> {
  return change(db, by, async (trx) => {
    const client = await tables(trx)
      .selectFrom('clients')
      .select('termsVersion')
      .where('id', '=', id)
      .executeTakeFirst();
    if (!client) throw unknownClient(id);
    const terms = { termsVersion: version, termsAt: by.now, termsPubkey: pubkey };
    await tables(trx).updateTable('clients').set(terms).where('id', '=', id).execute();
    const subject = `${client.termsVersion ?? 'none'} to ${version}`;
    return { action: 'client terms', clientId: id, subject, result: undefined };
  });
}

/**
 * Approves, rejects or suspends a client.
 * @throws ServiceError `not_found`, or `conflict` if the client's state does not allow the decision
 */
export function decideClient(db: Database, by: By, id: string, decision: Decision): Promise<void> {
  return change(db, by, (trx) => move(trx, id, { decision, reason: '', now: by.now }));
}

/**
 * Suspends a client, with a reason for its owners.
 * @throws ServiceError `not_found`, or `conflict` unless the client is approved
 */
export function suspendClient(db: Database, by: By, id: string, reason: string): Promise<void> {
  return change(db, by, (trx) => move(trx, id, { decision: 'suspend', reason, now: by.now }));
}

const DECIDED: Record<Decision, string> = { approve: 'approved', reject: 'rejected', suspend: 'suspended' };

async function move(
  trx: Database,
  id: string,
  { decision, reason, now }: { decision: Decision; reason: string; now: number },
): Promise<Changed<void>> {
  const { from, to } = DECISIONS[decision];
  const client = await tables(trx).selectFrom('clients').select('state').where('id', '=', id).executeTakeFirst();
  if (!client) throw unknownClient(id);
  if (!(from as readonly ClientState[]).includes(client.state)) {
    throw new ServiceError('conflict', `state must be ${from.join(' or ')} to ${decision}; it is ${client.state}`);
  }
  await tables(trx).updateTable('clients').set({ state: to, suspendedBecause: reason }).where('id', '=', id).execute();
  const because = reason === '' ? '.' : `: ${reason}`;
  const text = (name: string) => `An operator ${DECIDED[decision]} ${name}${because}`;
  await notifyOwners(trx, { clientId: id, text, now });
  const subject = `${client.state} to ${to}${reason === '' ? '' : `: ${reason}`}`;
  return { action: `client ${decision}`, clientId: id, subject, result: undefined };
}

/**
 * Approves an unpaid client, within an ongoing change.
 * @returns the client's previous state, or undefined if there is no such client
 */
export async function admitPaid(trx: Database, id: string): Promise<ClientState | undefined> {
  const client = await tables(trx).selectFrom('clients').select('state').where('id', '=', id).executeTakeFirst();
  if (client?.state === 'unpaid') {
    await tables(trx).updateTable('clients').set({ state: 'approved' }).where('id', '=', id).execute();
  }
  return client?.state;
}

/**
 * Deletes a client with all its items. The client's audit entries stay.
 * @throws ServiceError `not_found`
 */
export function deleteClient(db: Database, by: By, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const client = await tables(trx).deleteFrom('clients').where('id', '=', id).returning('name').executeTakeFirst();
    if (!client) throw unknownClient(id);
    return { action: 'client delete', clientId: id, subject: client.name, result: undefined };
  });
}

function unknownClient(id: string): ServiceError {
  return new ServiceError('not_found', `No client has the id ${id.slice(0, 100)}`);
}

/** Returns the clients of an owner, oldest first. */
export function listClientsOf(db: Database, pubkey: string): Promise<ClientTable[]> {
  return tables(db)
    .selectFrom('clients')
    .innerJoin('owners', 'owners.clientId', 'clients.id')
    .selectAll('clients')
    .where('owners.pubkey', '=', pubkey)
    .orderBy('clients.createdAt')
    .orderBy('clients.id')
    .execute();
}
