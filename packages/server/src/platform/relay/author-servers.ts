import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../db/index.ts';
import { tables } from './tables.ts';

/* Stores the Blossom servers on which authors keep their files, from their lists (kind 10063, BUD-03). */

interface AuthorServersTable {
  pubkey: string;
  /** URLs as JSON, the preferred one first. An empty list if the relays have no list. */
  servers: string;
  /** Time of the list according to its author, in seconds since the Unix epoch. 0 without a list. */
  createdAt: number;
  /** Time at which the relays were last asked, in milliseconds since the Unix epoch. */
  askedAt: number;
}

declare module './tables.ts' {
  interface RelayTables {
    authorServers: AuthorServersTable;
  }
}

export const authorServersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('author_servers')
      .addColumn('pubkey', 'text', (column) => column.primaryKey())
      .addColumn('servers', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('asked_at', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('author_servers_asked_at').on('author_servers').column('asked_at').execute();
  },
};

/** The servers of one author. */
export interface AuthorServers {
  pubkey: string;
  servers: readonly string[];
  /** Seconds since the Unix epoch. 0 if the relays have no list. */
  createdAt: number;
}

/** Stores what relays said about authors. An older list does not replace a newer one. @param now in milliseconds */
export async function saveServers(db: Database, lists: readonly AuthorServers[], now: number): Promise<void> {
  for (const { pubkey, servers, createdAt } of lists) {
    const row = { pubkey, servers: JSON.stringify(servers), createdAt, askedAt: now };
    const known = tables(db).selectFrom('authorServers').select('createdAt').where('pubkey', '=', pubkey);
    const before = (await known.executeTakeFirst())?.createdAt ?? -1;
    await tables(db)
      .insertInto('authorServers')
      .values(row)
      .onConflict((conflict) => conflict.column('pubkey').doUpdateSet(createdAt > before ? row : { askedAt: now }))
      .execute();
  }
}

/** Removes the servers of authors about whom relays were last asked before a time, in milliseconds. */
export async function forgetServers(db: Database, before: number): Promise<void> {
  await tables(db).deleteFrom('authorServers').where('askedAt', '<', before).execute();
}

/** Returns the authors whose servers were looked up after a time, in milliseconds. */
export async function askedAbout(db: Database, pubkeys: readonly string[], after: number): Promise<Set<string>> {
  const rows = tables(db).selectFrom('authorServers').select('pubkey').where('askedAt', '>', after);
  return new Set((await rows.where('pubkey', 'in', [...pubkeys]).execute()).map(({ pubkey }) => pubkey));
}

/** Returns the servers of authors without duplicates. The servers of the first author come first. */
export async function serversOf(db: Database, pubkeys: readonly string[]): Promise<string[]> {
  if (pubkeys.length === 0) return [];
  const rows = tables(db).selectFrom('authorServers').select(['pubkey', 'servers']);
  const found = await rows.where('pubkey', 'in', [...pubkeys]).execute();
  const lists = new Map(found.map(({ pubkey, servers }) => [pubkey, JSON.parse(servers) as string[]]));
  return [...new Set(pubkeys.flatMap((pubkey) => lists.get(pubkey) ?? []))];
}
