import { LIMITS } from '@zoetrope/contract';
import { ServiceError } from '../base/errors.ts';
import type { Database } from '../platform/db/index.ts';
import { tables } from './tables.ts';

/** Limits from the specification. */
const BOUNDS = {
  clientsOfPubkey: LIMITS.clientsPerPubkey,
  owners: LIMITS.ownersPerClient,
  origins: LIMITS.originsPerClient,
  keys: LIMITS.apiKeysPerClient,
  userAgents: LIMITS.userAgentsPerClient,
  requests: LIMITS.pendingRequestsPerClient,
} as const;

/** Names for error messages. Pending requests count towards the limits. */
const HELD = {
  owners: { kind: 'owner', label: 'owners' },
  origins: { kind: 'origin', label: 'origins' },
  userAgents: { kind: 'user-agent', label: 'User-Agents' },
} as const;

export type ReviewedTable = keyof typeof HELD;

/** @throws ServiceError `not_found` */
export async function requireClient(trx: Database, id: string): Promise<void> {
  const row = await tables(trx).selectFrom('clients').select('id').where('id', '=', id).executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `No client has the id ${id.slice(0, 100)}`);
}

/** Checks, within a change, that the client is below its limit. @throws ServiceError `limit_reached` */
export async function requireRoom(trx: Database, table: ReviewedTable, clientId: string): Promise<void> {
  const { kind, label } = HELD[table];
  // The three tables have this column in common, but Kysely cannot infer this for a union.
  const held = await count(trx, table as 'owners', clientId);
  const waiting = await tables(trx)
    .selectFrom('requests')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('clientId', '=', clientId)
    .where('kind', '=', kind)
    .executeTakeFirstOrThrow();
  requireBelow(held + waiting.n, BOUNDS[table], `${label} of a client, including pending ones,`);
}

/** Checks, within a change, the limit of items that need no review. @throws ServiceError `limit_reached` */
export async function requireRoomFor(trx: Database, table: 'keys' | 'requests', clientId: string): Promise<void> {
  const label = table === 'keys' ? 'API keys of a client' : 'Pending requests of a client';
  requireBelow(await count(trx, table as 'keys', clientId), BOUNDS[table], label);
}

/** @throws ServiceError `limit_reached` if the person has reached the limit of clients */
export async function requireRoomForOwner(trx: Database, pubkey: string): Promise<void> {
  const { n } = await tables(trx)
    .selectFrom('owners')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('pubkey', '=', pubkey)
    .executeTakeFirstOrThrow();
  requireBelow(n, BOUNDS.clientsOfPubkey, `Clients of the pubkey ${pubkey}`);
}

/**
 * Maximum number of invitations that wait for one person. Everybody can invite everybody, and a person who does not
 * know this service would never decline.
 */
const MAX_INVITATIONS = 20;

/** @throws ServiceError `limit_reached` if too many invitations already wait for the person */
export async function requireRoomForInvitation(trx: Database, pubkey: string): Promise<void> {
  const { n } = await tables(trx)
    .selectFrom('requests')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('kind', '=', 'owner')
    .where('value', '=', pubkey)
    .executeTakeFirstOrThrow();
  requireBelow(n, MAX_INVITATIONS, 'Invitations that wait for this person');
}

/** The kinds of items that a client can have. An item's id never moves to another client. */
export type HeldTable = 'owners' | 'origins' | 'keys' | 'userAgents' | 'requests';

/** Returns whether an item belongs to a client. */
export async function isHeld(
  db: Database,
  table: HeldTable,
  { clientId, id }: { clientId: string; id: string },
): Promise<boolean> {
  // The tables have these columns in common, but Kysely cannot infer this for a union.
  const held = tables(db)
    .selectFrom(table as 'owners')
    .select('id')
    .where('id', '=', id);
  return (await held.where('clientId', '=', clientId).executeTakeFirst()) !== undefined;
}

async function count(trx: Database, table: 'owners' | 'keys', clientId: string): Promise<number> {
  const rows = tables(trx)
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('n'));
  return (await rows.where('clientId', '=', clientId).executeTakeFirstOrThrow()).n;
}

function requireBelow(n: number, most: number, label: string): void {
  if (n >= most) throw new ServiceError('limit_reached', `${label} must be at most ${most}; there are already ${n}`);
}
