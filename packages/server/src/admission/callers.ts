import { type Clock, systemClock } from '../base/clock.ts';
import { hashKey, matchesPattern, matchingOrigins } from '../identifiers/index.ts';
import type { Database } from '../platform/db/index.ts';
import { type ClientState, type ClientTable, registryRevision, tables } from '../registry/index.ts';

/** A request's identifier, in the form for queries to the registry. */
export interface Identifier {
  kind: 'origin' | 'key' | 'user-agent';
  value: string;
}

/** The facts about a client that admission, limits and logs need. */
export interface Client {
  id: string;
  name: string;
  /** Whether this is the built-in client that all developers share. */
  isDevelopment: boolean;
  /** Id of the registered origin, key or User-Agent that identified the caller. Undefined if it is not known. */
  wayId?: string;
  /** The client's own limit. If undefined, the default of the service applies. */
  searchesPerMinute?: number;
}

/** A client that was found by an identifier. */
export interface Caller {
  client: Client;
  /** Whether the identifier matched exactly, not by a wildcard. */
  isExact: boolean;
  /** When the identifier expires, in milliseconds since the Unix epoch. Undefined if it does not expire. */
  expiresAt?: number;
}

/**
 * Finds the client of an identifier. Returns `suspended` if the client is suspended, and null if no approved client has
 * this identifier or the identifier has expired. Rejects if the registry is down.
 */
export type LookUp = (identifier: Identifier) => Promise<Caller | 'suspended' | null>;

/** States in which a client's identifiers are looked up. */
const KNOWN: ClientState[] = ['approved', 'suspended'];

type KnownClient = Pick<ClientTable, 'id' | 'name' | 'state'> & { searchesPerMinute: number | null };

interface Pattern {
  id: string;
  pattern: string;
  client: KnownClient;
}

/** Creates a look-up in the registry. */
export function createLookUp(db: Database, clock: Clock = systemClock): LookUp {
  // Matching needs all patterns, so they are cached for each revision of the registry.
  let patterns: { revision: number; all: Pattern[] } = { revision: -1, all: [] };
  return async ({ kind, value }) => {
    if (kind === 'origin') return findByOrigin(db, value);
    if (kind === 'key') return findByKey(db, value, clock.now());
    const revision = await registryRevision(db);
    if (patterns.revision !== revision) patterns = { revision, all: await readPatterns(db) };
    const found = patterns.all.find(({ pattern }) => matchesPattern(pattern, value));
    return toCaller(found?.client, { id: found?.id, isExact: found?.pattern === value });
  };
}

async function findByOrigin(db: Database, origin: string): Promise<Caller | 'suspended' | null> {
  const wanted = matchingOrigins(origin);
  const rows = await tables(db)
    .selectFrom('origins')
    .innerJoin('clients', 'clients.id', 'origins.clientId')
    .leftJoin('clientLimits', 'clientLimits.clientId', 'clients.id')
    .select([
      'origins.id as originId',
      'origins.origin',
      'clients.id',
      'clients.name',
      'clients.state',
      'clientLimits.searchesPerMinute',
    ])
    .where('clients.state', 'in', KNOWN)
    .where('origins.origin', 'in', wanted)
    .execute();
  // An approved client with a wider origin takes precedence over a suspended client with a narrower origin.
  const ordered = wanted.flatMap((candidate) => rows.filter((row) => row.origin === candidate));
  const row = ordered.find(({ state }) => state === 'approved') ?? ordered[0];
  return toCaller(row, { id: row?.originId, isExact: row?.origin === origin });
}

async function findByKey(db: Database, key: string, now: number): Promise<Caller | 'suspended' | null> {
  const row = await tables(db)
    .selectFrom('keys')
    .innerJoin('clients', 'clients.id', 'keys.clientId')
    .leftJoin('clientLimits', 'clientLimits.clientId', 'clients.id')
    .select([
      'keys.id as keyId',
      'clients.id',
      'clients.name',
      'clients.state',
      'clientLimits.searchesPerMinute',
      'keys.expiresAt',
    ])
    .where('clients.state', 'in', KNOWN)
    .where('keys.hash', '=', hashKey(key))
    .executeTakeFirst();
  const caller = toCaller(row, { id: row?.keyId, isExact: true });
  if (row === undefined || row.expiresAt === null) return caller;
  if (row.expiresAt <= now) return null;
  return caller === null || caller === 'suspended' ? caller : { ...caller, expiresAt: row.expiresAt };
}

/**
 * Reads all patterns. Patterns of approved clients come first. Of patterns with the same state, longer patterns come
 * first, because they are more specific.
 */
async function readPatterns(db: Database): Promise<Pattern[]> {
  const rows = await tables(db)
    .selectFrom('userAgents')
    .innerJoin('clients', 'clients.id', 'userAgents.clientId')
    .leftJoin('clientLimits', 'clientLimits.clientId', 'clients.id')
    .select([
      'userAgents.id as userAgentId',
      'userAgents.pattern',
      'clients.id',
      'clients.name',
      'clients.state',
      'clientLimits.searchesPerMinute',
    ])
    .where('clients.state', 'in', KNOWN)
    .execute();
  const patterns = rows.map(({ userAgentId: id, pattern, ...client }) => ({ id, pattern, client }));
  const order = ({ client }: Pattern) => (client.state === 'approved' ? 0 : 1);
  return patterns.toSorted(
    (a, b) => order(a) - order(b) || b.pattern.length - a.pattern.length || (a.pattern < b.pattern ? -1 : 1),
  );
}

function toCaller(
  found: KnownClient | undefined,
  way: { id: string | undefined; isExact: boolean },
): Caller | 'suspended' | null {
  if (found === undefined) return null;
  if (found.state === 'suspended') return 'suspended';
  const own = found.searchesPerMinute === null ? {} : { searchesPerMinute: found.searchesPerMinute };
  const client = { id: found.id, name: found.name, isDevelopment: false, wayId: way.id!, ...own };
  return { client, isExact: way.isExact };
}
