import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { viewOf } from '../platform/db/index.ts';

export interface AccountTables {
  /** One row per signed-in browser, with the hash of the session's secret. */
  sessions: {
    id: string;
    hash: string;
    pubkey: string;
    userAgent: string;
    /** Milliseconds since the Unix epoch, here and below. */
    createdAt: number;
    lastSeenAt: number;
    expiresAt: number;
  };
  /** A single row with the key that authenticates challenges. */
  challengeKeys: { id: number; key: string };
  /** Events and challenges that were used to sign in. */
  seenEvents: { id: string; expiresAt: number };
  /** Each version of the terms that somebody has accepted. `shown` is the text as JSON. */
  terms: { version: string; shown: string };
  /** Operators in addition to those in ZOETROPE_ADMINS. */
  operators: { pubkey: string; createdAt: number };
}

/** Returns a view of a database with only the tables of this module. */
export const tables = viewOf<AccountTables>();

/**
 * Tables for signing in. They are in the registry's database, so that all processes that use that database share
 * sessions.
 */
const accountMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sessions_pubkey').on('sessions').column('pubkey').execute();
    await db.schema
      .createTable('challenges')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('browser', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('seen_events')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    for (const table of ['sessions', 'challenges', 'seen_events']) {
      await db.schema.createIndex(`${table}_expiry`).on(table).column('expires_at').execute();
    }
  },
};

/** Creates the table of terms. Accepted terms are kept even if all clients for which they were accepted are deleted. */
const termsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('terms')
      .addColumn('version', 'text', (column) => column.primaryKey())
      .addColumn('shown', 'text', (column) => column.notNull())
      .execute();
  },
};

/**
 * Challenges are no longer stored, but authenticated with a key. The table of challenges stays, because machines with
 * the previous version of the service use the table until they are updated.
 */
const challengeKeyMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('challenge_keys')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('key', 'text', (column) => column.notNull())
      .execute();
    await sql`insert into challenge_keys (id, key) values (1, ${randomBytes(32).toString('base64url')})`.execute(db);
  },
};

const operatorsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('operators')
      .addColumn('pubkey', 'text', (column) => column.primaryKey())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};

/** Migrations that create the room's tables. */
export const accountMigrations = {
  account: accountMigration,
  terms: termsMigration,
  challengeKey: challengeKeyMigration,
  operators: operatorsMigration,
};
