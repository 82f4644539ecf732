import { ServiceError } from '../base/errors.ts';
import {
  canonicalOrigin,
  canonicalPattern,
  canonicalPubkey,
  insertOrigin,
  insertOwner,
  insertUserAgent,
  newId,
  requireOriginAllowed,
  requireOwnerNew,
  requirePatternFree,
} from '../identifiers/index.ts';
import { notifyOwners } from '../notices/index.ts';
import type { Database } from '../platform/db/index.ts';
import {
  type By,
  type Changed,
  change,
  type ReviewedKind,
  type ReviewedTable,
  requireClient,
  requireRoom,
  requireRoomFor,
  requireRoomForInvitation,
  tables,
} from '../registry/index.ts';

/** A request of a client that an operator or an invited person must approve. */
export interface Request {
  id: string;
  kind: ReviewedKind;
  value: string;
  createdAt: number;
  /** Reason why the origin's domain was not verified, and the time of the check. Null if the domain was not checked. */
  proofReason: string | null;
  proofAt: number | null;
}

export interface Rejection {
  kind: ReviewedKind;
  value: string;
  reason: string;
  at: number;
}

/** Time for which owners see a rejection. */
const REJECTION_MS = 30 * 86_400_000;

interface Kind {
  table: ReviewedTable;
  canonical(value: string): string;
  requireNew(trx: Database, clientId: string, value: string): Promise<void>;
  insert(trx: Database, clientId: string, value: string, now: number): Promise<unknown>;
}

const KINDS: Record<ReviewedKind, Kind> = {
  owner: {
    table: 'owners',
    canonical: canonicalPubkey,
    async requireNew(trx, clientId, pubkey) {
      await requireOwnerNew(trx, clientId, pubkey);
      await requireRoomForInvitation(trx, pubkey);
    },
    insert: (trx, clientId, pubkey, now) => insertOwner(trx, { clientId, pubkey }, now),
  },
  origin: {
    table: 'origins',
    canonical: canonicalOrigin,
    requireNew: (trx, _, origin) => requireOriginAllowed(trx, origin),
    insert: (trx, clientId, origin, now) => insertOrigin(trx, { clientId, origin }, now),
  },
  'user-agent': {
    table: 'userAgents',
    canonical: canonicalPattern,
    requireNew: (trx, _, pattern) => requirePatternFree(trx, pattern),
    insert: (trx, clientId, pattern, now) => insertUserAgent(trx, { clientId, pattern }, now),
  },
};

/**
 * Requests an owner, an origin or a User-Agent for a client. The request has no effect until it is approved.
 * @throws ServiceError `not_found` for the client, `validation` for the value, `conflict` if the value exists or has
 * already been requested, `limit_reached` above the client's limit, for the client's 11th request, or for a person's
 * 21st invitation
 */
export function createRequest(
  db: Database,
  by: By,
  { clientId, kind, ...wanted }: { clientId: string; kind: ReviewedKind; value: string },
): Promise<Request> {
  const { table, canonical, requireNew } = KINDS[kind];
  const value = canonical(wanted.value);
  return change(db, by, async (trx) => {
    await requireClient(trx, clientId);
    await requireNew(trx, clientId, value);
    const same = tables(trx)
      .selectFrom('requests')
      .select('id')
      .where('clientId', '=', clientId)
      .where('kind', '=', kind);
    if (await same.where('value', '=', value).executeTakeFirst()) {
      throw new ServiceError('conflict', `${kind} ${value} is already waiting for review`);
    }
    await requireRoom(trx, table, clientId);
    await requireRoomFor(trx, 'requests', clientId);
    const row = { id: newId(), kind, value, createdAt: by.now, proofReason: null, proofAt: null };
    await tables(trx)
      .insertInto('requests')
      .values({ ...row, clientId })
      .execute();
    return { action: `${kind} request`, clientId, subject: value, result: row };
  });
}

/** Returns all pending requests, oldest first. */
export function listRequests(db: Database): Promise<(Request & { clientId: string })[]> {
  return tables(db).selectFrom('requests').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** Returns the requests that wait for an operator, with their clients, oldest first. */
export function listReviews(
  db: Database,
): Promise<(Request & { clientId: string; clientName: string; homePage: string })[]> {
  return tables(db)
    .selectFrom('requests')
    .innerJoin('clients', 'clients.id', 'requests.clientId')
    .selectAll('requests')
    .select(['clients.name as clientName', 'clients.homePage'])
    .where('requests.kind', '!=', 'owner')
    .orderBy('requests.createdAt')
    .orderBy('requests.id')
    .execute();
}

/**
 * Returns the invitations for a person, oldest first. An invitation is a request that the person can accept. Each
 * invitation is returned with its client.
 */
export function listInvitations(
  db: Database,
  pubkey: string,
): Promise<{ id: string; clientId: string; clientName: string; createdAt: number }[]> {
  return tables(db)
    .selectFrom('requests')
    .innerJoin('clients', 'clients.id', 'requests.clientId')
    .select(['requests.id', 'requests.clientId', 'clients.name as clientName', 'requests.createdAt'])
    .where('requests.kind', '=', 'owner')
    .where('requests.value', '=', pubkey)
    .orderBy('requests.createdAt')
    .execute();
}

/**
 * Approves a request on an operator's decision, and notifies the owners.
 * @throws ServiceError `not_found`, or the error of adding the item. If adding the item fails, the request is kept.
 */
export function approveRequest(db: Database, by: By, kind: ReviewedKind, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const approved = await grant(trx, by, kind, id);
    const { clientId, subject } = approved;
    await notifyOwners(trx, { clientId, text: (name) => `An operator approved ${subject} for ${name}.`, now: by.now });
    return approved;
  });
}

/**
 * Approves a request because a domain proves it or the invited person accepts it. Throws like `approveRequest`.
 */
export function acceptRequest(db: Database, by: By, kind: ReviewedKind, id: string): Promise<void> {
  return change(db, by, (trx) => grant(trx, by, kind, id));
}

async function grant(trx: Database, { now }: By, kind: ReviewedKind, id: string): Promise<Changed<void>> {
  const { clientId, value } = await takeRequest(trx, kind, id);
  await KINDS[kind].insert(trx, clientId, value, now);
  return { action: `${kind} approve`, clientId, subject: value, result: undefined };
}

/** Rejects a request. Owners see the reason for 30 days. @throws ServiceError `not_found` */
export function rejectRequest(
  db: Database,
  by: By,
  kind: ReviewedKind,
  { id, reason = '' }: { id: string; reason?: string },
): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, value } = await takeRequest(trx, kind, id);
    await tables(trx)
      .deleteFrom('rejections')
      .where('createdAt', '<=', by.now - REJECTION_MS)
      .execute();
    await tables(trx)
      .insertInto('rejections')
      .values({ id, clientId, kind, value, reason, createdAt: by.now })
      .execute();
    const because = reason === '' ? '.' : `: ${reason}`;
    const text = (name: string) => `An operator rejected ${value} for ${name}${because}`;
    // The invited person, not an operator, has declined, so no notice is sent.
    if (kind !== 'owner') await notifyOwners(trx, { clientId, text, now: by.now });
    const subject = reason === '' ? value : `${value}: ${reason}`;
    return { action: `${kind} reject`, clientId, subject, result: undefined };
  });
}

/** Withdraws a request. @throws ServiceError `not_found` */
export function withdrawRequest(db: Database, by: By, kind: ReviewedKind, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, value } = await takeRequest(trx, kind, id);
    return { action: `${kind} withdraw`, clientId, subject: value, result: undefined };
  });
}

/** Returns one pending request. @throws ServiceError `not_found` */
export async function findRequest(db: Database, id: string): Promise<Request & { clientId: string }> {
  const row = await tables(db).selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', `No pending request has the id ${id.slice(0, 100)}`);
}

/**
 * Saves the reason why the domain of a requested origin was not verified. This does not count as a change of the
 * registry.
 */
export async function noteProof(db: Database, { now }: By, id: string, reason: string): Promise<void> {
  await tables(db).updateTable('requests').set({ proofReason: reason, proofAt: now }).where('id', '=', id).execute();
}

/** Returns the rejections of the last 30 days, latest first. */
export function listRejections(db: Database, clientId: string, now: number): Promise<Rejection[]> {
  return tables(db)
    .selectFrom('rejections')
    .select(['kind', 'value', 'reason', 'createdAt as at'])
    .where('clientId', '=', clientId)
    .where('createdAt', '>', now - REJECTION_MS)
    .orderBy('createdAt', 'desc')
    .execute();
}

async function takeRequest(trx: Database, kind: ReviewedKind, id: string) {
  const taken = tables(trx).deleteFrom('requests').where('id', '=', id).where('kind', '=', kind);
  const row = await taken.returningAll().executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `No pending ${kind} has the id ${id.slice(0, 100)}`);
  return row;
}
