import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from '../platform/db/index.ts';
import { currentId } from './aliases.ts';

/*
 * What models made of GIFs. A vector is found by its model and by what it was made from (a hash of the words or of the
 * bytes), so GIFs that share that share the vector, and one whose words change gets another.
 */

declare module '../platform/db/tables.ts' {
  interface Tables {
    vectors: { model: string; source: string; vector: Uint8Array };
    /** For each space the model whose vectors are complete, and the revision of the catalogue they are complete for. */
    vectorStates: { space: string; model: string; revision: number };
    /** Linked GIFs whose picture somebody has asked for, so that it lies here. */
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

/** Notes that the picture of a linked GIF lies here now; the next to make vectors looks at it. */
export async function noteSeenPicture(db: Database, given: string): Promise<void> {
  const id = await currentId(db, given);
  const added = db.insertInto('seenPictures').values({ id });
  const { numInsertedOrUpdatedRows: rows } = await added
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (rows) await db.deleteFrom('vectorStates').where('space', 'in', ['looks', 'captions']).execute();
}

export async function seenPictures(db: Database): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('seenPictures').select('id').execute();
  return new Set(rows.map(({ id }) => id));
}

/** What vectors of a GIF's picture are kept under: our own bytes are the same for good, a linked GIF's may not be. */
export function pictureKey({ id, url }: { readonly id: string; readonly url: string | null }): string {
  return url === null ? id : `preview of ${id}`;
}

/** A vector as bytes; empty when there is nothing to make one from, or it cannot be made. */
export interface StoredVector {
  source: string;
  vector: Uint8Array;
}

/** Keeps vectors; one that is kept already stays. */
export async function saveVectors(db: Database, model: string, vectors: readonly StoredVector[]): Promise<void> {
  if (vectors.length === 0) return;
  const rows = vectors.map(({ source, vector }) => ({ model, source, vector }));
  await db
    .insertInto('vectors')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['model', 'source']).doNothing())
    .execute();
}

/** The vectors that are kept of these sources, by source. */
export async function findVectors(
  db: Database,
  model: string,
  sources: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const query = db.selectFrom('vectors').select(['source', 'vector']);
  const rows = await query.where('model', '=', model).where('source', 'in', sources).execute();
  return new Map(rows.map(({ source, vector }) => [source, vector]));
}

/** At most `limit` vectors of a model, chosen by the order of their sources' hashes: the same ones every time. */
export async function sampleVectors(db: Database, model: string, limit: number): Promise<Uint8Array[]> {
  const query = db.selectFrom('vectors').select('vector').where('model', '=', model);
  const rows = await query.orderBy('source').limit(limit).execute();
  return rows.map(({ vector }) => vector);
}

/** True when every GIF of the catalogue as it is now has been given to this model. */
export async function areVectorsComplete(db: Database, space: string, model: string): Promise<boolean> {
  const state = await db.selectFrom('vectorStates').selectAll().where('space', '=', space).executeTakeFirst();
  const { revision } = await db.selectFrom('catalogState').select('revision').executeTakeFirstOrThrow();
  return state?.model === model && state.revision === revision;
}

/** Notes that the vectors of a model are complete for a revision of the catalogue. */
export async function setVectorsComplete(db: Database, space: string, model: string, revision: number): Promise<void> {
  await db
    .insertInto('vectorStates')
    .values({ space, model, revision })
    .onConflict((conflict) => conflict.column('space').doUpdateSet({ model, revision }))
    .execute();
}
