import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

declare module '../platform/db/tables.ts' {
  interface Tables {
    /** One browser each that is signed in; of its secret there is the hash. */
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
    /** What somebody may sign to sign in: hashes of the challenge and of what its browser holds. */
    challenges: { hash: string; browser: string; expiresAt: number };
    /** Events that have signed somebody in. */
    seenEvents: { id: string; expiresAt: number };
    /** What was shown under each version that somebody accepted: JSON. */
    terms: { version: string; shown: string };
  }
}

/** The tables of signing in, in the registry's database: whoever shares that shares sessions too. */
export const accountMigration: Migration = {
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

/** The texts of terms; they outlive the clients whose makers accepted them. */
export const termsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('terms')
      .addColumn('version', 'text', (column) => column.primaryKey())
      .addColumn('shown', 'text', (column) => column.notNull())
      .execute();
  },
};
