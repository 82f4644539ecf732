import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { bumpRevision, HIDDEN_AS_BLOCKED, hiddenWithout, tables } from '../records/index.ts';
import { pictureKey } from '../vectors/index.ts';
import { findPictureRating, pageOfRatings } from './ratings.ts';

/*
 * The block list. It recognises blocked files by their hash. With perceptual hashes, it also recognises pictures that
 * look like a blocked picture (see `pictureHashes` in the enrich room).
 */

declare module '../records/tables.ts' {
  interface CatalogTables {
    blockedFiles: { sha256: string };
    /** One row per frame of a blocked file. The frame's hash is in hexadecimal. */
    blockedPictures: { sha256: string; hash: string };
  }
}

export const blockedMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('blocked_files')
      .addColumn('sha256', 'text', (column) => column.primaryKey())
      .execute();
    await db.schema
      .createTable('blocked_pictures')
      .addColumn('sha256', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('blocked_pictures_pk', ['sha256', 'hash'])
      .execute();
  },
};

/** Maximum number of bits (of 64) in which the hash of a picture and the hash of its copy differ. */
const NEAR = 4;
/**
 * Minimum number of matching frames. A single matching frame is not enough, because it can be a title or a fade that
 * many GIFs have.
 */
const FRAMES_ALIKE = 3;
/** Number of rows read together. */
const PAGE = 2_000;

/** Returns whether any pictures are blocked. If none are blocked, frames do not need to be compared. */
export async function hasBlockedPictures(db: Database): Promise<boolean> {
  return (await tables(db).selectFrom('blockedPictures').select('hash').limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Returns whether a file is blocked or looks like a blocked file. `sha256` is null if the file has not been hashed.
 * `hashes` are the hashes of the file's frames, or empty if they are unknown.
 */
export async function isBlocked(
  db: Database,
  sha256: string | null,
  hashes: readonly bigint[],
): Promise<'file' | 'picture' | null> {
  if (await isBlockedByHash(db, sha256)) return 'file';
  if (hashes.length === 0) return null;
  const blocked = [...(await blockedPictures(db)).values()];
  return blocked.some((others) => areAlike(hashes, others)) ? 'picture' : null;
}

/**
 * Blocks a GIF. The GIF and all GIFs that look like it are hidden. After that, files with the same bytes or appearance
 * are rejected.
 * @returns the number of GIFs that were hidden, or null if the id or the GIF's bytes are unknown
 */
export async function blockGif(db: Database, id: string): Promise<number | null> {
  return inTransaction(db, async (trx) => {
    const gif = await tables(trx)
      .selectFrom('gifs')
      .select(['id', 'url', 'sha256'])
      .where('id', '=', id)
      .executeTakeFirst();
    if (gif === undefined || gif.sha256 === null) return null;
    const { sha256 } = gif;
    const { hashes } = (await findPictureRating(trx, pictureKey(gif))) ?? { hashes: [] };
    await ignoringKnown(trx, 'blockedFiles', [{ sha256 }]);
    await ignoringKnown(
      trx,
      'blockedPictures',
      distinct(hashes).map((hash) => ({ sha256, hash: hash.toString(16) })),
    );
    return hideBlocked(trx, [id, ...(await findAlike(trx, hashes))]);
  });
}

/** Returns whether these exact bytes are blocked. `sha256` is null for files without a hash. */
export async function isBlockedByHash(db: Database, sha256: string | null): Promise<boolean> {
  if (sha256 === null) return false;
  const file = tables(db).selectFrom('blockedFiles').select('sha256').where('sha256', '=', sha256);
  return (await file.executeTakeFirst()) !== undefined;
}

/**
 * Unblocks a GIF. The GIF and its look-alikes are shown again, unless they look like another blocked GIF.
 * @returns the ids that are no longer blocked
 */
export async function unblockGif(db: Database, id: string): Promise<string[]> {
  return inTransaction(db, async (trx) => {
    const gif = await tables(trx).selectFrom('gifs').select('sha256').where('id', '=', id).executeTakeFirst();
    const sha256 = gif?.sha256 ?? null;
    if (sha256 === null) return [];
    await tables(trx).deleteFrom('blockedFiles').where('sha256', '=', sha256).execute();
    await tables(trx).deleteFrom('blockedPictures').where('sha256', '=', sha256).execute();
    const free = await findFree(trx);
    await tables(trx)
      .updateTable('gifs')
      .set({ hidden: hiddenWithout(HIDDEN_AS_BLOCKED) })
      .where('id', 'in', free)
      .execute();
    await bumpRevision(trx);
    return free;
  });
}

/** Returns the GIFs that are hidden as blocked but no longer match the list. */
async function findFree(db: Database): Promise<string[]> {
  const rows = tables(db).selectFrom('gifs').select(['id', 'url', 'sha256']).where('hidden', '>', 0);
  const free: string[] = [];
  for (const gif of await rows.where(sql<boolean>`hidden & ${HIDDEN_AS_BLOCKED} <> 0`).execute()) {
    const { hashes } = (await findPictureRating(db, pictureKey(gif))) ?? { hashes: [] };
    if ((await isBlocked(db, gif.sha256, hashes)) === null) free.push(gif.id);
  }
  return free;
}

/** Hides GIFs as blocked. @returns the number of GIFs that were not yet hidden as blocked */
export function hideBlocked(db: Database, ids: readonly string[]): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { numUpdatedRows } = await tables(trx)
      .updateTable('gifs')
      .set({ hidden: sql`hidden | ${HIDDEN_AS_BLOCKED}` })
      .where('id', 'in', ids)
      .where(sql<boolean>`hidden & ${HIDDEN_AS_BLOCKED} = 0`)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await bumpRevision(trx);
    return Number(numUpdatedRows);
  });
}

async function ignoringKnown(
  db: Database,
  table: 'blockedFiles' | 'blockedPictures',
  rows: { sha256: string; hash?: string }[],
): Promise<void> {
  if (rows.length === 0) return;
  await tables(db)
    .insertInto(table)
    .values(rows as { sha256: string; hash: string }[])
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the hashes of the pictures of each blocked file, keyed by the file's SHA-256. */
async function blockedPictures(db: Database): Promise<Map<string, bigint[]>> {
  const found = new Map<string, bigint[]>();
  for (const { sha256, hash } of await tables(db).selectFrom('blockedPictures').selectAll().execute()) {
    found.set(sha256, [...(found.get(sha256) ?? []), BigInt(`0x${hash}`)]);
  }
  return found;
}

async function findAlike(db: Database, hashes: readonly bigint[]): Promise<string[]> {
  const found: string[] = [];
  let page = await pageOfRatings(db, '', PAGE);
  while (page.length > 0) {
    for (const { source, hashes: others } of page) {
      if (areAlike(hashes, others)) found.push(source.replace(/^preview of /, ''));
    }
    page = await pageOfRatings(db, page.at(-1)!.source, PAGE);
  }
  return found;
}

/**
 * Returns whether enough frames of two files are similar. Files with very little motion have only one frame to compare.
 */
function areAlike(a: readonly bigint[], b: readonly bigint[]): boolean {
  const [ours, theirs] = [distinct(a), distinct(b)];
  if (ours.length === 0 || theirs.length === 0) return false;
  const alike = ours.filter((hash) => theirs.some((other) => differingBits(hash, other) <= NEAR));
  return alike.length >= Math.min(FRAMES_ALIKE, ours.length, theirs.length);
}

/** Drops frames of a single colour, because they are similar to too many other frames. */
function distinct(hashes: readonly bigint[]): bigint[] {
  return [...new Set(hashes)].filter((hash) => hash !== 0n);
}

function differingBits(a: bigint, b: bigint): number {
  const differing = a ^ b;
  return bitsOf(Number(differing & 0xffff_ffffn)) + bitsOf(Number(differing >> 32n));
}

/** Returns the number of set bits in a 32-bit word. Each step adds up neighbouring groups of bits. */
function bitsOf(word: number): number {
  let sums = word - ((word >>> 1) & 0x5555_5555);
  sums = (sums & 0x3333_3333) + ((sums >>> 2) & 0x3333_3333);
  sums = (sums + (sums >>> 4)) & 0x0f0f_0f0f;
  return Math.imul(sums, 0x0101_0101) >>> 24;
}
