import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { type By, change } from './audit.ts';
import { type ReviewedTable, requireClient, requireRoom, requireRoomFor } from './bounds.ts';
import { canonicalOrigin } from './identifiers/origin.ts';
import { insertOrigin, requireOriginAllowed } from './identifiers/origins.ts';
import { canonicalPattern } from './identifiers/pattern.ts';
import { newId } from './identifiers/random-text.ts';
import { insertUserAgent, requirePatternFree } from './identifiers/user-agents.ts';
import { canonicalPubkey, insertOwner, requireOwnerNew } from './owners.ts';
import type { ReviewedKind } from './tables.ts';

/** Something a client asks for, which somebody else must agree to. */
export interface Request {
  id: string;
  kind: ReviewedKind;
  value: string;
  createdAt: number;
  /** Why its domain did not prove it, and when that was asked; null when it was not. */
  proofReason: string | null;
  proofAt: number | null;
}

export interface Rejection {
  kind: ReviewedKind;
  value: string;
  reason: string;
  at: number;
}

/** How long a client sees what was refused. */
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
    requireNew: requireOwnerNew,
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
 * Asks for an owner, an origin or a User-Agent of a client; it has no effect until it is approved.
 * @throws ServiceError `not_found` for the client; `validation` for the value, `conflict` for one that is there or asked for
 *   already, `limit_reached` for one more than the client may have, or the 11th request
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
    const same = trx.selectFrom('requests').select('id').where('clientId', '=', clientId).where('kind', '=', kind);
    if (await same.where('value', '=', value).executeTakeFirst()) {
      throw new ServiceError('conflict', `${kind} ${value} waits for a review already`);
    }
    await requireRoom(trx, table, clientId);
    await requireRoomFor(trx, 'requests', clientId);
    const row = { id: newId(), kind, value, createdAt: by.now, proofReason: null, proofAt: null };
    await trx
      .insertInto('requests')
      .values({ ...row, clientId })
      .execute();
    return { action: `${kind} request`, clientId, subject: value, result: row };
  });
}

/** Everything that waits for a review, the oldest first. */
export function listRequests(db: Database): Promise<(Request & { clientId: string })[]> {
  return db.selectFrom('requests').selectAll().orderBy('createdAt').orderBy('id').execute();
}

/** What waits for an operator, with the client it is for; the oldest first. */
export function listReviews(
  db: Database,
): Promise<(Request & { clientId: string; clientName: string; homePage: string })[]> {
  return db
    .selectFrom('requests')
    .innerJoin('clients', 'clients.id', 'requests.clientId')
    .selectAll('requests')
    .select(['clients.name as clientName', 'clients.homePage'])
    .where('requests.kind', '!=', 'owner')
    .orderBy('requests.createdAt')
    .orderBy('requests.id')
    .execute();
}

/** The clients that want a person as an owner, and what the person would agree to; the oldest first. */
export function listInvitations(
  db: Database,
  pubkey: string,
): Promise<{ id: string; clientId: string; clientName: string; createdAt: number }[]> {
  return db
    .selectFrom('requests')
    .innerJoin('clients', 'clients.id', 'requests.clientId')
    .select(['requests.id', 'requests.clientId', 'clients.name as clientName', 'requests.createdAt'])
    .where('requests.kind', '=', 'owner')
    .where('requests.value', '=', pubkey)
    .orderBy('requests.createdAt')
    .execute();
}

/** Gives a client what it asked for. @throws ServiceError `not_found`, or what adding it throws: then it still waits */
export function approveRequest(db: Database, by: By, kind: ReviewedKind, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, value } = await takeRequest(trx, kind, id);
    await KINDS[kind].insert(trx, clientId, value, by.now);
    return { action: `${kind} approve`, clientId, subject: value, result: undefined };
  });
}

/** Refuses what a client asked for; its owners see it, with the reason, for 30 days. @throws ServiceError `not_found` */
export function rejectRequest(
  db: Database,
  by: By,
  kind: ReviewedKind,
  { id, reason = '' }: { id: string; reason?: string },
): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, value } = await takeRequest(trx, kind, id);
    await trx
      .deleteFrom('rejections')
      .where('createdAt', '<=', by.now - REJECTION_MS)
      .execute();
    await trx.insertInto('rejections').values({ id, clientId, kind, value, reason, createdAt: by.now }).execute();
    const subject = reason === '' ? value : `${value}: ${reason}`;
    return { action: `${kind} reject`, clientId, subject, result: undefined };
  });
}

/** Takes back what was asked for. @throws ServiceError `not_found` */
export function withdrawRequest(db: Database, by: By, kind: ReviewedKind, id: string): Promise<void> {
  return change(db, by, async (trx) => {
    const { clientId, value } = await takeRequest(trx, kind, id);
    return { action: `${kind} withdraw`, clientId, subject: value, result: undefined };
  });
}

/** One thing that waits. @throws ServiceError `not_found` */
export async function findRequest(db: Database, id: string): Promise<Request & { clientId: string }> {
  const row = await db.selectFrom('requests').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) return row;
  throw new ServiceError('not_found', `Nothing with the id ${id.slice(0, 100)} waits for a review`);
}

/** Notes why the domain of an origin that is asked for did not prove it. It is no change of the registry. */
export async function noteProof(db: Database, { now }: By, id: string, reason: string): Promise<void> {
  await db.updateTable('requests').set({ proofReason: reason, proofAt: now }).where('id', '=', id).execute();
}

/** What a client was refused in the last 30 days, the latest first. */
export function listRejections(db: Database, clientId: string, now: number): Promise<Rejection[]> {
  return db
    .selectFrom('rejections')
    .select(['kind', 'value', 'reason', 'createdAt as at'])
    .where('clientId', '=', clientId)
    .where('createdAt', '>', now - REJECTION_MS)
    .orderBy('createdAt', 'desc')
    .execute();
}

async function takeRequest(trx: Database, kind: ReviewedKind, id: string) {
  const taken = trx.deleteFrom('requests').where('id', '=', id).where('kind', '=', kind);
  const row = await taken.returningAll().executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `No ${kind} with the id ${id.slice(0, 100)} waits for a review`);
  return row;
}
