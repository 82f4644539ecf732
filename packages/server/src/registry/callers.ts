import type { Database } from '../platform/db/index.ts';
import { hashKey } from './api-key.ts';
import { registryRevision } from './audit.ts';
import type { Identifier } from './identify.ts';
import { matchingOrigins } from './origin.ts';
import { matchesPattern } from './pattern.ts';

/** Who is calling, as far as admission, limits and the log need to know. */
export interface Client {
  id: string;
  name: string;
  /** The built-in one that everybody shares. */
  isDevelopment: boolean;
}

/** A client that was found. */
export interface Caller {
  client: Client;
  /** Whether it was named in full, and not by one of the many texts that a wildcard takes. */
  isExact: boolean;
}

/** Finds the client behind an identifier; null when there is none that is let in. Rejects when the registry is down. */
export type LookUp = (identifier: Identifier) => Promise<Caller | null>;

interface Pattern {
  pattern: string;
  client: Client;
}

/** Looks callers up in the registry. */
export function createLookUp(db: Database): LookUp {
  // Matching needs all of them, so they are read once for each state of the registry.
  let patterns: { revision: number; all: Pattern[] } = { revision: -1, all: [] };
  return async ({ kind, value }) => {
    if (kind === 'origin') return findByOrigin(db, value);
    if (kind === 'key') return findByKey(db, value);
    const revision = await registryRevision(db);
    if (patterns.revision !== revision) patterns = { revision, all: await readPatterns(db) };
    const found = patterns.all.find(({ pattern }) => matchesPattern(pattern, value));
    return found ? { client: found.client, isExact: found.pattern === value } : null;
  };
}

async function findByOrigin(db: Database, origin: string): Promise<Caller | null> {
  const wanted = matchingOrigins(origin);
  const rows = await db
    .selectFrom('origins')
    .innerJoin('clients', 'clients.id', 'origins.clientId')
    .select(['origins.origin', 'clients.id', 'clients.name'])
    .where('clients.state', '=', 'approved')
    .where('origins.origin', 'in', wanted)
    .execute();
  const narrowest = wanted.find((candidate) => rows.some((row) => row.origin === candidate));
  const row = rows.find((found) => found.origin === narrowest);
  return row ? { client: toClient(row), isExact: row.origin === origin } : null;
}

async function findByKey(db: Database, key: string): Promise<Caller | null> {
  const row = await db
    .selectFrom('keys')
    .innerJoin('clients', 'clients.id', 'keys.clientId')
    .select(['clients.id', 'clients.name'])
    .where('clients.state', '=', 'approved')
    .where('keys.hash', '=', hashKey(key))
    .executeTakeFirst();
  return row ? { client: toClient(row), isExact: true } : null;
}

/** The longest first: of two that match, it says more. */
async function readPatterns(db: Database): Promise<Pattern[]> {
  const rows = await db
    .selectFrom('userAgents')
    .innerJoin('clients', 'clients.id', 'userAgents.clientId')
    .select(['userAgents.pattern', 'clients.id', 'clients.name'])
    .where('clients.state', '=', 'approved')
    .execute();
  const patterns = rows.map(({ pattern, ...client }) => ({ pattern, client: toClient(client) }));
  return patterns.toSorted((a, b) => b.pattern.length - a.pattern.length || (a.pattern < b.pattern ? -1 : 1));
}

function toClient({ id, name }: { id: string; name: string }): Client {
  return { id, name, isDevelopment: false };
}
