import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { ServiceError } from '../base/errors.ts';
import { findRating, isBlockedByHash } from '../moderation/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import {
  bumpRevision,
  type GifRecord,
  HIDDEN_AS_BLOCKED,
  HIDDEN_AS_DEAD,
  HIDDEN_AS_WITHDRAWN,
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

/** An upload with what happened to it later. */
interface UploadTable extends Upload {
  /** 1 if the GIF also came from another source, for example from a folder of the operator. */
  shared: Generated<number>;
  /** When the member deleted it, in milliseconds since the Unix epoch. */
  deletedAt: Generated<number | null>;
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
    uploads: UploadTable;
    /**
     * Authorisations that were used. They are kept until they expire, so that nobody can use an authorisation twice.
     */
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

export const deletedUploadMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const uploads = db.schema.alterTable('uploads');
    await uploads.addColumn('shared', 'integer', (column) => column.notNull().defaultTo(0)).execute();
    await uploads.addColumn('deleted_at', 'integer').execute();
    // For uploads before this migration, it is unknown whether the GIF also came from another source.
    await tables(db as Database)
      .updateTable('uploads')
      .set({ shared: 1 })
      .execute();
  },
};

const DAY_MS = 86_400_000;
/** Time for which refused and deleted files are remembered. Members see why a file was refused. */
const REFUSED_MS = 30 * DAY_MS;
/** Number of uploads that are read together. */
const LATEST = 100;
const MEGABYTE = 1_000_000;
/** The source of GIFs that only members uploaded. */
const SOURCE = 'member';

/** A file of the catalogue. */
export interface KnownFile extends Pick<Upload, 'bytes' | 'format'> {
  /** Whether an operator must still review it. */
  inReview: boolean;
}

/**
 * Returns what the catalogue knows about these bytes, or undefined if it has no working copy of them.
 * @throws ServiceError `forbidden` if an operator or the GIF's author has removed it, or the bytes are blocked;
 * `conflict` if the bytes belong to a linked GIF
 */
export async function findFile(db: Database, sha256: string): Promise<KnownFile | undefined> {
  if (await isBlockedByHash(db, sha256)) throw new ServiceError('forbidden', 'This file is on the block list');
  const id = `${sha256}.gif`;
  const gif = await tables(db)
    .selectFrom('gifs')
    .select(['hidden', 'url', 'bytes', 'format', 'source'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (gif === undefined) return undefined;
  if ((gif.hidden & HIDDEN_AS_BLOCKED) !== 0) {
    throw new ServiceError('forbidden', 'This file looks like one on the block list');
  }
  const said = await findRating(db, id);
  const isRefused = said?.saidBy === 'operator' && said.rating === 'adult';
  // What a member has deleted can be uploaded again, and is then reviewed again.
  const isDeleted = gif.source === SOURCE && (gif.hidden & HIDDEN_AS_WITHDRAWN) !== 0;
  const harmless = HIDDEN_AS_DEAD | HIDDEN_UNTIL_REVIEW | (isDeleted ? HIDDEN_AS_WITHDRAWN : 0);
  if (isRefused || (gif.hidden & ~harmless) !== 0) {
    throw new ServiceError('forbidden', 'This file was removed from this service');
  }
  if (isDeleted) return undefined;
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
 * @returns the first revision of the catalogue in which the file is hidden
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
      .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ ...upload, shared: 0, deletedAt: null }))
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

/** Length of a hash in an id. */
const HASH_LENGTH = 64;
const ID_OF_UPLOAD = sql<string>`uploads.sha256 || '.gif'`;

async function forgetRefused(db: Database, now: number): Promise<void> {
  await tables(db)
    .deleteFrom('uploads')
    .where('at', '<', now - REFUSED_MS)
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('deletedAt', 'is not', null),
        not(exists(selectFrom('gifs').select('gifs.id').where('gifs.id', '=', ID_OF_UPLOAD))),
      ]),
    )
    .execute();
}

/** Returns the upload of a file, or undefined if no member uploaded it, or the member deleted it. */
export function findUpload(db: Database, sha256: string): Promise<Selectable<UploadTable> | undefined> {
  const found = tables(db).selectFrom('uploads').selectAll().where('sha256', '=', sha256);
  return found.where('deletedAt', 'is', null).executeTakeFirst();
}

/** Notes that a GIF also came from another source. @param toldBy as in its record */
export async function noteShared(db: Database, gifs: readonly Pick<GifRecord, 'id' | 'toldBy'>[]): Promise<void> {
  const toldBy = new Map(gifs.map((gif) => [gif.id.slice(0, HASH_LENGTH), gif.toldBy]));
  const found = tables(db).selectFrom('uploads').select(['sha256', 'run']).where('shared', '=', 0);
  for (const { sha256, run } of await found.where('sha256', 'in', [...toldBy.keys()]).execute()) {
    // The file of an upload is in the folder of its import.
    if (!toldBy.get(sha256)!.includes(run)) await setShared(db, sha256);
  }
}

/** Notes that this person, too, wanted to upload a file, so that the first uploader cannot delete it. */
export async function noteUploader(db: Database, { sha256, pubkey }: Pick<Upload, 'sha256' | 'pubkey'>): Promise<void> {
  const upload = await findUpload(db, sha256);
  if (upload !== undefined && upload.pubkey !== pubkey) await setShared(db, sha256);
}

async function setShared(db: Database, sha256: string): Promise<void> {
  await tables(db).updateTable('uploads').set({ shared: 1 }).where('sha256', '=', sha256).execute();
}

/** Notes that a member deleted a file. @param now ms since the epoch */
export async function setDeleted(db: Database, sha256: string, now: number): Promise<void> {
  await tables(db).updateTable('uploads').set({ deletedAt: now }).where('sha256', '=', sha256).execute();
}

/** Returns the number of files that each member has uploaded and not deleted, keyed by public key. */
export async function countUploads(db: Database): Promise<Map<string, number>> {
  const counted = tables(db)
    .selectFrom('uploads')
    .select(({ fn }) => ['pubkey', fn.countAll<number>().as('files')])
    .where('deletedAt', 'is', null)
    .groupBy('pubkey');
  return new Map((await counted.execute()).map(({ pubkey, files }) => [pubkey, files]));
}

/** Which of a member's uploads to return. */
export interface UploadPage {
  /** Only uploads after this one in the list. */
  after?: Upload | undefined;
  /** Only uploads from this time on and until that time, in milliseconds since the Unix epoch. */
  since?: number | undefined;
  until?: number | undefined;
}

/** Returns at most 100 uploads of a member, latest first, without those that the member deleted. */
export function uploadsOf(
  db: Database,
  pubkey: string,
  { after, since = 0, until }: UploadPage = {},
): Promise<Upload[]> {
  let own = tables(db).selectFrom('uploads').selectAll().where('pubkey', '=', pubkey).where('deletedAt', 'is', null);
  own = own.where('at', '>=', since);
  if (until !== undefined) own = own.where('at', '<=', until);
  if (after !== undefined) {
    own = own.where(({ or, and, eb }) =>
      or([eb('at', '<', after.at), and([eb('at', '=', after.at), eb('sha256', '>', after.sha256)])]),
    );
  }
  return own.orderBy('at', 'desc').orderBy('sha256').limit(LATEST).execute();
}

/** Returns the hashes of the files that members uploaded and that are not, or not yet, in the catalogue. */
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
