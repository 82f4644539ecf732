import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, viewOf } from '../platform/db/index.ts';

/**
 * Clients in the state `unpaid` are not completely registered. Only clients in the state `approved` are admitted.
 */
export type ClientState = 'unpaid' | 'approved' | 'rejected' | 'suspended';

/** The kinds of items that an operator reviews or adds. */
export type ReviewedKind = 'owner' | 'origin' | 'user-agent';

export interface ClientTable {
  id: string;
  name: string;
  state: ClientState;
  /** Milliseconds since the Unix epoch, here and below. */
  createdAt: number;
  /** Description that the client's owners wrote. */
  description: string;
  homePage: string;
  contact: string;
  /** The accepted version of the terms, with time and person. Null for a client that an operator registered. */
  termsVersion: string | null;
  termsAt: number | null;
  termsPubkey: string | null;
  /** Reason for the suspension. Empty unless the client is suspended. */
  suspendedBecause: string;
}

/** A client's requests on one day, by operation. */
export interface UsageTable {
  clientId: string;
  /** Day in UTC, in the form YYYY-MM-DD. */
  day: string;
  operation: string;
  requests: number;
  kept: number;
  refused: number;
  limited: number;
}

/** The kinds of identifiers by which a caller is recognised: an origin, an API key or a User-Agent. */
export type WayKind = 'origin' | 'key' | 'user-agent';

/**
 * A client's requests on one day, by operation and by the identifier that identified the client. Rows of a removed
 * identifier stay until their day is forgotten.
 */
export interface UsageByWayTable extends UsageTable {
  /** Id of the origin, key or User-Agent. */
  wayId: string;
  kind: WayKind;
  /** The origin, the name of the key, or the pattern of the User-Agent. */
  name: string;
}

/** A notice to an owner about a client. It is kept if the client is deleted or the person is no longer its owner. */
export interface NoticeTable {
  id: string;
  /** The person who gets the notice. */
  pubkey: string;
  clientId: string;
  text: string;
  createdAt: number;
  /** Null until the person has seen the notice. */
  readAt: number | null;
  /** What the notice is about, if the person must get only one notice about it. */
  about: string | null;
  /** When the notice is to be sent as a direct message. Null if it must not be sent, or has been sent. */
  messageAt: number | null;
  /** Number of attempts to send the message. */
  messageTries: number;
}

interface HeldRow {
  id: string;
  clientId: string;
  createdAt: number;
}

export interface AuditTable {
  /** The revision of the registry after this change. */
  revision: number;
  at: number;
  actor: string;
  action: string;
  /** The client's id. The client may have been deleted. */
  clientId: string;
  /** Id or value of the changed item. */
  subject: string;
  /** 1 for changes by an owner. 0 for changes by the operator or the service itself. */
  byOwner: number;
}

export interface RegistryTables {
  clients: ClientTable;
  owners: HeldRow & { pubkey: string };
  origins: HeldRow & { origin: string };
  /** `expiresAt` is null for a key that does not expire. */
  keys: HeldRow & { name: string; hash: string; lastUsedAt: number | null; expiresAt: number | null };
  userAgents: HeldRow & { pattern: string };
  /** Pending requests. */
  requests: HeldRow & { kind: ReviewedKind; value: string; proofReason: string | null; proofAt: number | null };
  /** Rejected requests. `createdAt` is the time of the rejection. */
  rejections: HeldRow & { kind: ReviewedKind; value: string; reason: string };
  /** Origins that were verified by their domain, with the result of the last check. */
  originProofs: {
    originId: string;
    checkedAt: number;
    /** Reason why the last check failed. Empty if the check passed. */
    reason: string;
    /** Times of recent failures, separated by spaces. */
    failures: string;
  };
  usage: UsageTable;
  usageByWay: UsageByWayTable;
  /** Clients whose limit is not the service's default. */
  clientLimits: { clientId: string; searchesPerMinute: number };
  notices: NoticeTable;
  /** People who want their notices as direct messages. */
  noticeMessages: { pubkey: string };
  /** Requests of people whom a domain of a client names as its owner, although they do not own the client. */
  handovers: HeldRow & { pubkey: string; origin: string };
  audit: AuditTable;
  /** A single row. Every change first locks this row, so that changes run one after another. */
  registryState: { id: number; revision: number };
}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<RegistryTables>();

export const registryMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('clients')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await held(db, 'owners')
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('owners_pubkey').on('owners').column('pubkey').execute();
    await held(db, 'origins')
      .addColumn('origin', 'text', (column) => column.notNull().unique())
      .execute();
    await held(db, 'keys')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .execute();
    await held(db, 'user_agents')
      .addColumn('pattern', 'text', (column) => column.notNull().unique())
      .execute();
    await held(db, 'requests')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addUniqueConstraint('requests_value', ['client_id', 'kind', 'value'])
      .execute();
    for (const table of ['owners', 'origins', 'keys', 'user_agents']) {
      await db.schema.createIndex(`${table}_client`).on(table).column('client_id').execute();
    }
    await createAudit(db);
    await db.schema
      .createTable('registry_state')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .execute();
    await tables(db as Database)
      .insertInto('registryState')
      .values({ id: 1, revision: 0 })
      .execute();
  },
};

/** Adds the column that distinguishes changes by owners, for the dashboard. */
export const auditOwnersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('audit')
      .addColumn('by_owner', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};

export const detailsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    for (const name of ['description', 'home_page', 'contact', 'suspended_because']) {
      await db.schema
        .alterTable('clients')
        .addColumn(name, 'text', (column) => column.notNull().defaultTo(''))
        .execute();
    }
    const times = [
      ['clients', 'terms_at'],
      ['keys', 'last_used_at'],
      ['requests', 'proof_at'],
    ] as const;
    for (const [table, name] of times) await db.schema.alterTable(table).addColumn(name, 'bigint').execute();
    const texts = [
      ['clients', 'terms_version'],
      ['clients', 'terms_pubkey'],
      ['requests', 'proof_reason'],
    ] as const;
    for (const [table, name] of texts) await db.schema.alterTable(table).addColumn(name, 'text').execute();
    await held(db, 'rejections')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('rejections_client').on('rejections').column('client_id').execute();
    const counts = ['requests', 'kept', 'refused', 'limited'];
    const usage = db.schema
      .createTable('usage')
      .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull());
    await counts
      .reduce((table, name) => table.addColumn(name, 'bigint', (column) => column.notNull()), usage)
      .addPrimaryKeyConstraint('usage_of', ['client_id', 'day', 'operation'])
      .execute();
  },
};

/** Creates the table of results of the daily domain checks. A result is deleted with its origin. */
export const proofsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('origin_proofs')
      .addColumn('origin_id', 'text', (column) => column.primaryKey().references('origins.id').onDelete('cascade'))
      .addColumn('checked_at', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('failures', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('origin_proofs_checked').on('origin_proofs').column('checked_at').execute();
  },
};

/** Adds the time at which a key expires. The previous version of the program accepts expired keys. */
export const keyExpiryMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('keys').addColumn('expires_at', 'bigint').execute();
  },
};

/**
 * Creates the table of requests by identifier. `usage` stays, because the previous version of the program adds to it.
 */
export const usageByWayMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const table = db.schema
      .createTable('usage_by_way')
      .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('way_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull());
    await ['requests', 'kept', 'refused', 'limited']
      .reduce((built, name) => built.addColumn(name, 'bigint', (column) => column.notNull()), table)
      .addPrimaryKeyConstraint('usage_by_way_of', ['client_id', 'day', 'operation', 'way_id'])
      .execute();
    await db.schema.createIndex('usage_by_way_day').on('usage_by_way').column('day').execute();
  },
};

/** Creates the table of owners' notices, and the table of the people who want them as direct messages. */
export const noticesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('notices')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('read_at', 'bigint')
      .addColumn('about', 'text')
      .addColumn('message_at', 'bigint')
      .addColumn('message_tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addUniqueConstraint('notices_about', ['pubkey', 'about'])
      .execute();
    await db.schema.createIndex('notices_of').on('notices').columns(['pubkey', 'created_at']).execute();
    await db.schema.createIndex('notices_created').on('notices').column('created_at').execute();
    await db.schema.createIndex('notices_message').on('notices').column('message_at').execute();
    await db.schema
      .createTable('notice_messages')
      .addColumn('pubkey', 'text', (column) => column.primaryKey())
      .execute();
  },
};

/** Creates the table of requests to take over a client. For each client, the table has only the latest request. */
export const handoversMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await held(db, 'handovers')
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('origin', 'text', (column) => column.notNull())
      .addUniqueConstraint('handovers_client', ['client_id'])
      .execute();
    await db.schema.createIndex('handovers_pubkey').on('handovers').column('pubkey').execute();
  },
};

/** Creates the table of clients' own limits. The previous version of the program applies the default to all clients. */
export const clientLimitsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('client_limits')
      .addColumn('client_id', 'text', (column) => column.primaryKey().references('clients.id').onDelete('cascade'))
      .addColumn('searches_per_minute', 'bigint', (column) => column.notNull())
      .execute();
  },
};

/** Returns the builder of a table whose items are deleted with their client. */
function held(db: Kysely<unknown>, table: string) {
  return db.schema
    .createTable(table)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('client_id', 'text', (column) => column.notNull().references('clients.id').onDelete('cascade'))
    .addColumn('created_at', 'bigint', (column) => column.notNull());
}

async function createAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit')
    .addColumn('revision', 'bigint', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('audit_client').on('audit').columns(['client_id', 'revision']).execute();
}
