import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { currentId, tables } from '../records/index.ts';

/*
 * Vectors that models computed for GIFs. The key of a vector consists of its model and its source. The source is a hash
 * of words or bytes. GIFs with the same source share a vector. If the words of a GIF change, it gets another vector.
 */

declare module '../records/tables.ts' {
  interface CatalogTables {
    vectors: { model: string; source: string; vector: Uint8Array };
    /**
     * The state of each space. `model` is the model of its vectors. `revision` is the revision of the catalogue for
     * which the vectors are complete, or -1 if some are missing. All GIFs that have not changed after the revision
     * `through` have a vector.
     */
    vectorStates: { space: string; model: string; revision: number; through: number };
    /** Linked GIFs that have a preview, so that their pictures are stored here. */
    seenPictures: { id: string };
  }
}

export const vectorMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('vectors')
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('vector', 'blob', (column) => column.notNull())
      .addPrimaryKeyConstraint('vectors_pk', ['model', 'source'])
      .execute();
    await db.schema
      .createTable('vector_states')
      .addColumn('space', 'text', (column) => column.primaryKey())
      .addColumn('model', 'text', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .execute();
  },
};

export const seenPicturesMigration: Migration = {
  async up(db: Kysely<unknown>) {
    const table = db.schema.createTable('seen_pictures');
    await table.addColumn('id', 'text', (column) => column.primaryKey()).execute();
  },
};

/** Records that a linked GIF's picture is now stored here. The next run can then describe the picture. */
export async function noteSeenPicture(db: Database, given: string): Promise<void> {
  const id = await currentId(db, given);
  const added = tables(db).insertInto('seenPictures').values({ id });
  const { numInsertedOrUpdatedRows: rows } = await added
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (rows)
    await tables(db)
      .updateTable('vectorStates')
      .set({ revision: -1 })
      .where('space', 'in', ['looks', 'captions'])
      .execute();
}

export async function seenPictures(db: Database): Promise<ReadonlySet<string>> {
  const rows = await tables(db).selectFrom('seenPictures').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the key of a GIF's picture. The bytes of own files never change. The bytes of linked GIFs can change. */
export function pictureKey({ id, url }: { readonly id: string; readonly url: string | null }): string {
  return url === null ? id : `preview of ${id}`;
}

/** A vector as bytes. The bytes are empty if the model had no input or gave no result. */
export interface StoredVector {
  source: string;
  vector: Uint8Array;
}

/** Saves vectors. Existing vectors are not replaced. */
export async function saveVectors(db: Database, model: string, vectors: readonly StoredVector[]): Promise<void> {
  if (vectors.length === 0) return;
  const rows = vectors.map(({ source, vector }) => ({ model, source, vector }));
  await tables(db)
    .insertInto('vectors')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['model', 'source']).doNothing())
    .execute();
}

/** Returns the stored vectors of these sources, keyed by source. */
export async function findVectors(
  db: Database,
  model: string,
  sources: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const query = tables(db).selectFrom('vectors').select(['source', 'vector']);
  const rows = await query.where('model', '=', model).where('source', 'in', sources).execute();
  return new Map(rows.map(({ source, vector }) => [source, vector]));
}

/**
 * Returns at most `limit` vectors of a model, in the order of their sources' hashes. Therefore the selection is always
 * the same.
 */
export async function sampleVectors(db: Database, model: string, limit: number): Promise<Uint8Array[]> {
  const query = tables(db).selectFrom('vectors').select('vector').where('model', '=', model);
  const rows = await query.orderBy('source').limit(limit).execute();
  return rows.map(({ vector }) => vector);
}

/** Returns whether every GIF of the current catalogue has been processed by this model. */
export async function areVectorsComplete(db: Database, space: string, model: string): Promise<boolean> {
  const state = await tables(db).selectFrom('vectorStates').selectAll().where('space', '=', space).executeTakeFirst();
  const { revision } = await tables(db).selectFrom('catalogState').select('revision').executeTakeFirstOrThrow();
  return state?.model === model && state.revision === revision;
}

/**
 * Returns a revision. All GIFs that have not changed after this revision have a vector of this model. Returns undefined
 * if there is no such revision.
 */
export async function vectorsMadeThrough(db: Database, space: string, model: string): Promise<number | undefined> {
  const state = await tables(db).selectFrom('vectorStates').selectAll().where('space', '=', space).executeTakeFirst();
  return state?.model === model ? state.through : undefined;
}

/** Records that a model's vectors are complete for a revision of the catalogue. */
export async function setVectorsComplete(db: Database, space: string, model: string, revision: number): Promise<void> {
  await tables(db)
    .insertInto('vectorStates')
    .values({ space, model, revision, through: revision })
    .onConflict((conflict) => conflict.column('space').doUpdateSet({ model, revision, through: revision }))
    .execute();
}
