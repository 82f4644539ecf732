import type { Database } from '../platform/db/index.ts';
import type { GifRecord } from './record.ts';
import { tables } from './tables.ts';

/*
 * An operator's edits, which override the sources of a GIF. Edits are stored beside the records and applied when builds
 * and vectors are made. Therefore no source or claim can ever replace an edit.
 */

/** A field that was not edited is null. */
export interface Edit {
  title: string | null;
  tags: string[] | null;
  alt: string | null;
}

declare module './tables.ts' {
  interface CatalogTables {
    /** Edited fields, keyed by GIF. Tags are JSON. */
    edits: { id: string; title: string | null; tags: string | null; alt: string | null };
  }
}

/** Returns the records with the operator's edits applied. */
export async function withEdits(db: Database, gifs: readonly GifRecord[]): Promise<GifRecord[]> {
  if (gifs.length === 0) return [];
  const ids = gifs.map(({ id }) => id);
  const rows = await tables(db).selectFrom('edits').selectAll().where('id', 'in', ids).execute();
  if (rows.length === 0) return [...gifs];
  const edits = new Map(rows.map((row) => [row.id, fromEditRow(row)]));
  return gifs.map((gif) => {
    const edit = edits.get(gif.id);
    if (edit === undefined) return gif;
    return { ...gif, title: edit.title ?? gif.title, tags: edit.tags ?? gif.tags, alt: edit.alt ?? gif.alt };
  });
}

export async function findEdit(db: Database, id: string): Promise<Edit | null> {
  const row = await tables(db).selectFrom('edits').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromEditRow(row);
}

/** Saves an operator's edit. Null removes the edit. */
export async function saveEdit(db: Database, id: string, edit: Edit | null): Promise<void> {
  await tables(db).deleteFrom('edits').where('id', '=', id).execute();
  if (edit === null || Object.values(edit).every((value) => value === null)) return;
  const tags = edit.tags === null ? null : JSON.stringify(edit.tags);
  await tables(db)
    .insertInto('edits')
    .values({ id, ...edit, tags })
    .execute();
}

function fromEditRow({ title, tags, alt }: { title: string | null; tags: string | null; alt: string | null }): Edit {
  return { title, tags: tags === null ? null : JSON.parse(tags), alt };
}
