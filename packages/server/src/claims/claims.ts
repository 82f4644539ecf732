import type { GifFormat } from '@zoetrope/contract';
import { type Generated, type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { isPostgres } from '../platform/db/index.ts';

/*
 * Claims are the statements of Nostr events about GIFs. The record of a GIF with claims is derived from all its claims
 * (derive.ts). When an author withdraws a claim, the claim no longer counts. A GIF without claims is no longer shown.
 *
 *   event -> claims -> addresses --(their bytes)--> hash = GIF
 */

/**
 * Quality of a claim's text as a title, best first: text that a person wrote, the text around an address, a file name.
 */
export const TITLE_OF_WORDS = 0;
export const TITLE_OF_CONTEXT = 1;
export const TITLE_OF_NAME = 2;

/** The statements of one event about one GIF. */
export interface Claim {
  eventId: string;
  /** Index of the GIF within the event, from 0. */
  part: number;
  author: string;
  /** The relay that sent the event first. */
  relay: string;
  /** Seconds since the Unix epoch, according to the event's author. */
  createdAt: number;
  /** Milliseconds since the Unix epoch. */
  seenAt: number;
  /** Whether the event is a note with a bare address. A bare address counts only if several authors have posted it. */
  bare: boolean;
  /** The main address, then other addresses of the same file. */
  urls: string[];
  /** Possible hashes of the bytes. If the list is empty, any bytes are accepted. */
  hashes: string[];
  title: string;
  titleRank: number;
  alt: string;
  lang: string;
  tags: string[];
  adult: boolean;
}

export interface ClaimTable {
  /** Order of arrival. Authors can choose their timestamps, but not this order. */
  seq: Generated<number>;
  eventId: string;
  part: number;
  author: string;
  relay: string;
  createdAt: number;
  seenAt: number;
  bare: number;
  urls: string;
  hashes: string;
  title: string;
  titleRank: number;
  alt: string;
  lang: string;
  tags: string;
  adult: number;
  /** 1: the author deleted the event. Only the claim's adult mark is kept. */
  withdrawn: number;
  /**
   * The GIF to which the claim's addresses lead. Null if the bytes have not been read yet, or if they do not match the
   * claim.
   */
  gif: string | null;
}

/** The result of fetching a URL. */
export interface AddressTable {
  url: string;
  /** Host name and port. */
  host: string;
  state: 'waiting' | 'there' | 'refused';
  /** Reason why the address was refused or has to wait. */
  reason: string | null;
  tries: number;
  /** Time of the next check of this URL, in milliseconds since the Unix epoch. */
  nextAt: number;
  sha256: string | null;
  format: GifFormat | null;
  width: number | null;
  height: number | null;
  frames: number | null;
  durationMs: number | null;
  bytes: number | null;
  lqip: string | null;
  transparent: number;
  blankStill: number;
  /** 1: the bytes are stored here. */
  kept: number;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    claims: ClaimTable;
    /** The addresses of each claim. */
    claimUrls: { url: string; eventId: string; part: number };
    addresses: AddressTable;
    /** Deletions by the author, including deletions of events that have not arrived. */
    withdrawals: { eventId: string; author: string };
    /** Likes and zaps of events with claims. */
    votes: VoteTable;
    /** GIFs that have or had claims. Each has its record from other sources and its record from claims, as JSON. */
    claimedGifs: { id: string; others: string | null; claimed: string | null };
  }
}

export interface VoteTable {
  eventId: string;
  /** Id of the event that was liked or zapped. */
  target: string;
  author: string;
  createdAt: number;
  weight: number;
  withdrawn: number;
}

export const claimMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('claims')
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('relay', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'integer', (column) => column.notNull())
      .addColumn('bare', 'integer', (column) => column.notNull())
      .addColumn('urls', 'text', (column) => column.notNull())
      .addColumn('hashes', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('title_rank', 'integer', (column) => column.notNull())
      .addColumn('alt', 'text', (column) => column.notNull())
      .addColumn('lang', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('adult', 'integer', (column) => column.notNull())
      .addColumn('withdrawn', 'integer', (column) => column.notNull())
      .addColumn('gif', 'text')
      .addPrimaryKeyConstraint('claims_key', ['event_id', 'part'])
      .execute();
    await db.schema.createIndex('claims_gif').on('claims').column('gif').execute();
    await db.schema.createIndex('claims_author').on('claims').column('author').execute();
    await db.schema
      .createTable('claim_urls')
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('claim_urls_key', ['url', 'event_id', 'part'])
      .execute();
    await createAddresses(db);
    await db.schema
      .createTable('withdrawals')
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('author', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('withdrawals_key', ['event_id', 'author'])
      .execute();
    await db.schema
      .createTable('votes')
      .addColumn('event_id', 'text', (column) => column.primaryKey())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('weight', 'real', (column) => column.notNull())
      .addColumn('withdrawn', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('votes_target').on('votes').column('target').execute();
    await db.schema
      .createTable('claimed_gifs')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('others', 'text')
      .addColumn('claimed', 'text')
      .execute();
  },
};

/**
 * SQLite cannot turn a column into a key, so the table is recreated. In PostgreSQL, the tables are always empty at this
 * migration.
 */
export const claimOrderMigration: Migration = {
  async up(db: Kysely<unknown>) {
    if (isPostgres(db)) await db.schema.dropTable('claims').execute();
    await db.schema
      .createTable('ordered_claims')
      .addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
      .addColumn('event_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('author', 'text', (column) => column.notNull())
      .addColumn('relay', 'text', (column) => column.notNull())
      .addColumn('created_at', 'integer', (column) => column.notNull())
      .addColumn('seen_at', 'integer', (column) => column.notNull())
      .addColumn('bare', 'integer', (column) => column.notNull())
      .addColumn('urls', 'text', (column) => column.notNull())
      .addColumn('hashes', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('title_rank', 'integer', (column) => column.notNull())
      .addColumn('alt', 'text', (column) => column.notNull())
      .addColumn('lang', 'text', (column) => column.notNull())
      .addColumn('tags', 'text', (column) => column.notNull())
      .addColumn('adult', 'integer', (column) => column.notNull())
      .addColumn('withdrawn', 'integer', (column) => column.notNull())
      .addColumn('gif', 'text')
      .addUniqueConstraint('claims_key', ['event_id', 'part'])
      .execute();
    const columns = sql.raw(
      'event_id, part, author, relay, created_at, seen_at, bare, urls, hashes, title, title_rank, alt, lang, tags, adult, ' +
        'withdrawn, gif',
    );
    if (!isPostgres(db)) {
      await sql`insert into ordered_claims (${columns}) select ${columns} from claims order by seen_at, rowid`.execute(
        db,
      );
      await db.schema.dropTable('claims').execute();
    }
    await db.schema.alterTable('ordered_claims').renameTo('claims').execute();
    await db.schema.createIndex('claims_gif').on('claims').column('gif').execute();
    await db.schema.createIndex('claims_author').on('claims').column('author').execute();
  },
};

/** Older records do not contain how much of their files was read. */
export const verifiedClaimsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    if (isPostgres(db)) return;
    await sql`update claimed_gifs set claimed = json_set(claimed, '$.verified', 'file') where claimed is not null`.execute(
      db,
    );
    await sql`update claimed_gifs set others = json_set(others, '$.verified',
      case when json_extract(others, '$.url') is null then 'file' else 'nothing' end) where others is not null`.execute(
      db,
    );
  },
};

async function createAddresses(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('addresses')
    .addColumn('url', 'text', (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'integer', (column) => column.notNull())
    .addColumn('sha256', 'text')
    .addColumn('format', 'text')
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('frames', 'integer')
    .addColumn('duration_ms', 'integer')
    .addColumn('bytes', 'integer')
    .addColumn('lqip', 'text')
    .addColumn('kept', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('addresses_waiting').on('addresses').columns(['state', 'next_at']).execute();
}

/** A stored claim with its current state. */
export interface StoredClaim extends Claim {
  /** Order of arrival. */
  seq: number;
  withdrawn: boolean;
  gif: string | null;
}

export function toClaimRow({ urls, hashes, tags, bare, adult, ...claim }: Claim): Insertable<ClaimTable> {
  return {
    ...claim,
    urls: JSON.stringify(urls),
    hashes: JSON.stringify(hashes),
    tags: JSON.stringify(tags),
    bare: bare ? 1 : 0,
    adult: adult ? 1 : 0,
    withdrawn: 0,
    gif: null,
  };
}

export function fromClaimRow({
  urls,
  hashes,
  tags,
  bare,
  adult,
  withdrawn,
  ...row
}: Selectable<ClaimTable>): StoredClaim {
  return {
    ...row,
    urls: JSON.parse(urls),
    hashes: JSON.parse(hashes),
    tags: JSON.parse(tags),
    bare: bare === 1,
    adult: adult === 1,
    withdrawn: withdrawn === 1,
  };
}

/** Addresses of claims are normalised https URLs, so SQL can extract the host. */
export const addressHostMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('addresses')
      .addColumn('host', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
    if (!isPostgres(db)) {
      const rest = sql.raw("substr(url, length('https://') + 1) || '/'");
      await sql`update addresses set host = substr(${rest}, 1, instr(${rest}, '/') - 1)`.execute(db);
    }
    await db.schema.dropIndex('addresses_waiting').execute();
    await db.schema.createIndex('addresses_waiting').on('addresses').columns(['state', 'next_at', 'host']).execute();
    await db.schema.createIndex('addresses_host').on('addresses').columns(['host', 'state']).execute();
  },
};
