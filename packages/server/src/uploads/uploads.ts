import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ServiceError } from '../base/errors.ts';
import { findRating, isBlockedByHash } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  bumpRevision,
  type GifRecord,
  HIDDEN_AS_BLOCKED,
  HIDDEN_AS_DEAD,
  HIDDEN_UNTIL_REVIEW,
  revision,
  tables,
} from '../records/index.ts';

/* Files that members uploaded. The operator lists the members. A file stays hidden until an operator has reviewed it. */

/** A file from a member. */
export interface Upload {
  sha256: string;
  /** The member's public key in hexadecimal. */
  pubkey: string;
  bytes: number;
  format: GifRecord['format'];
  /** Name of the import that reads the file. */
  run: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/** What a member can upload within 24 hours. */
export interface UploadQuota {
  files: number;
  bytes: number;
}

/** A signed event that allows an upload. */
export interface UsedAuthorisation {
  id: string;
  /** Milliseconds since the Unix epoch. */
  expiresAt: number;
}

declare module '../records/tables.ts' {
  interface CatalogTables {
    uploads: Upload;
    /** Authorisations that were used. They are kept until they expire, so that nobody can use one twice. */
    usedAuthorisations: UsedAuthorisation;
  }
}

export const uploadMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('uploads')
      .addColumn('sha256', 'text', (column) => column.primaryKey())
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('run', 'text', (column) => column.notNull())
      .addColumn('at', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('uploads_pubkey').on('uploads').columns(['pubkey', 'at']).execute();
    await db.schema
      .createTable('used_authorisations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'integer', (column) => column.notNull())
      .execute();
  },
};

const DAY_MS = 86_400_000;
/** Time for which members see why a file was refused. */
const REFUSED_MS = 30 * DAY_MS;
/** Number of uploads that members see. */
const LATEST = 100;
const MEGABYTE = 1_000_000;

/** A file of the catalogue. */
export interface KnownFile extends Pick<Upload, 'bytes' | 'format'> {
  /** Whether an operator must still review it. */
  inReview: boolean;
}

/**
 * Returns what the catalogue knows about these bytes, or undefined if it has no working copy of them.
 * @throws ServiceError `forbidden` if an operator or the GIF's author has removed it, or the bytes are blocked;
 * `conflict` if they are those of a linked GIF
 */
export async function findFile(db: Database, sha256: string): Promise<KnownFile | undefined> {
  if (await isBlockedByHash(db, sha256)) throw new ServiceError('forbidden', 'This file is on the block list');
  const id = `${sha256}.gif`;
  const gif = await tables(db)
    .selectFrom('gifs')
    .select(['hidden', 'url', 'bytes', 'format'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (gif === undefined) return undefined;
  if ((gif.hidden & HIDDEN_AS_BLOCKED) !== 0) {
    throw new ServiceError('forbidden', 'This file looks like one on the block list');
  }
  const said = await findRating(db, id);
  const isRefused = said?.saidBy === 'operator' && said.rating === 'adult';
  if (isRefused || (gif.hidden & ~(HIDDEN_AS_DEAD | HIDDEN_UNTIL_REVIEW)) !== 0) {
    throw new ServiceError('forbidden', 'This file was removed from this service');
  }
  if (gif.url !== null) {
    if ((gif.hidden & HIDDEN_AS_DEAD) !== 0) return undefined;
    throw new ServiceError('conflict', 'The catalogue has this GIF already, at another host');
  }
  return { bytes: gif.bytes ?? 0, format: gif.format, inReview: (gif.hidden & HIDDEN_UNTIL_REVIEW) !== 0 };
}

/** @throws ServiceError `rate_limited` if a member has used up the quota, or `validation` if the file is larger than it */
export async function requireQuota(
  db: Database,
  { pubkey, bytes, at }: Pick<Upload, 'pubkey' | 'bytes' | 'at'>,
  quota: UploadQuota,
): Promise<void> {
  if (bytes > quota.bytes) {
    throw new ServiceError('validation', `The file is larger than the ${inMegabytes(quota.bytes)} of a day`);
  }
  const { files, bytes: sent, oldest } = await usedQuota(db, pubkey, at);
  const retryAfter = Math.max(1, Math.ceil(((oldest ?? at) + DAY_MS - at) / 1_000));
  if (files >= quota.files) {
    throw new ServiceError('rate_limited', `A member can upload ${quota.files} files within 24 hours`, { retryAfter });
  }
  if (sent + bytes > quota.bytes) {
    const message = `A member can upload ${inMegabytes(quota.bytes)} within 24 hours, and ${inMegabytes(quota.bytes - sent)} are left`;
    throw new ServiceError('rate_limited', message, { retryAfter });
  }
}

/** Returns what a member has uploaded within the last 24 hours, and when the first of these files came. */
export async function usedQuota(
  db: Database,
  pubkey: string,
  now: number,
): Promise<UploadQuota & { oldest: number | null }> {
  const { files, bytes, oldest } = await tables(db)
    .selectFrom('uploads')
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('bytes').as('bytes')])
    .select(({ fn }) => fn.min<number | null>('at').as('oldest'))
    .where('pubkey', '=', pubkey)
    .where('at', '>', now - DAY_MS)
    .executeTakeFirstOrThrow();
  return { files, bytes: Number(bytes ?? 0), oldest };
}

/** @throws ServiceError `login_refused` if the authorisation was already used for this file */
export async function requireUnused(db: Database, { id }: Pick<UsedAuthorisation, 'id'>): Promise<void> {
  const used = tables(db).selectFrom('usedAuthorisations').select('id').where('id', '=', id);
  if ((await used.executeTakeFirst()) !== undefined) throw wasUsed();
}

function wasUsed(): ServiceError {
  return new ServiceError('login_refused', 'The authorisation was already used for this file; sign a new one');
}

/**
 * Records a file before it is read, so that nobody can get it until an operator has reviewed it.
 * @returns the catalogue's revision from which on the file is hidden
 * @throws like `findFile` and `requireQuota`
 */
export function recordUpload(db: Database, upload: Upload, quota: UploadQuota): Promise<number> {
  return inTransaction(db, async (trx) => {
    await findFile(trx, upload.sha256);
    await requireQuota(trx, upload, quota);
    await forgetRefused(trx, upload.at);
    await tables(trx)
      .insertInto('uploads')
      .values(upload)
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet(upload))
      .execute();
    await bumpRevision(trx);
    return revision(trx);
  });
}

/** Notes that an authorisation was used. @param now ms since the epoch @throws like `requireUnused` */
export async function useAuthorisation(db: Database, { id, expiresAt }: UsedAuthorisation, now: number): Promise<void> {
  await tables(db).deleteFrom('usedAuthorisations').where('expiresAt', '<', now).execute();
  const added = await tables(db)
    .insertInto('usedAuthorisations')
    .values({ id, expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (added.numInsertedOrUpdatedRows !== 1n) throw wasUsed();
}

const ID_OF_UPLOAD = sql<string>`uploads.sha256 || '.gif'`;

async function forgetRefused(db: Database, now: number): Promise<void> {
  await tables(db)
    .deleteFrom('uploads')
    .where('at', '<', now - REFUSED_MS)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('gifs').select('gifs.id').where('gifs.id', '=', ID_OF_UPLOAD))),
    )
    .execute();
}

/** Returns the upload of a file, or undefined if no member uploaded it. */
export function findUpload(db: Database, sha256: string): Promise<Upload | undefined> {
  return tables(db).selectFrom('uploads').selectAll().where('sha256', '=', sha256).executeTakeFirst();
}

/** Returns the latest uploads of a member, latest first. */
export function uploadsOf(db: Database, pubkey: string): Promise<Upload[]> {
  const own = tables(db).selectFrom('uploads').selectAll().where('pubkey', '=', pubkey);
  return own.orderBy('at', 'desc').orderBy('sha256').limit(LATEST).execute();
}

/** Returns the hashes of the files that members uploaded and that are not in the catalogue, or not yet. */
export async function unreadUploads(db: Database): Promise<string[]> {
  const rows = tables(db)
    .selectFrom('uploads')
    .leftJoin('gifs', (join) => join.on('gifs.id', '=', ID_OF_UPLOAD))
    .select('uploads.sha256')
    .where('gifs.id', 'is', null);
  return (await rows.execute()).map(({ sha256 }) => sha256);
}

function inMegabytes(bytes: number): string {
  return `${Math.floor((bytes / MEGABYTE) * 10) / 10} MB`;
}
