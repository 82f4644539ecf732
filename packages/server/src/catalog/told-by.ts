import { rowsOf, withdrawOthers } from '../claims/index.ts';
import type { Database } from '../platform/db/index.ts';
import { currentIds, HIDDEN_AS_WITHDRAWN } from '../records/index.ts';

/* A source that names all its GIFs, as `TELLER#ID` in `toldBy`, can also remove them. */

/** Returns which of these ids belong to GIFs that came from another source. Withdrawn GIFs do not count. */
export async function toldElsewhere(db: Database, teller: string, ids: readonly string[]): Promise<Set<string>> {
  const found = await rowsByFormerId(db, ids);
  return new Set(
    ids.filter((id) => {
      const row = found.get(id);
      return row !== undefined && (row.hidden & HIDDEN_AS_WITHDRAWN) === 0 && row.toldBy !== `${teller}#${id}`;
    }),
  );
}

/**
 * Withdraws GIFs that a source no longer has. GIFs that came from another source stay.
 * @param ids not more than one statement can contain (see `chunks`)
 * @returns the number of GIFs that were withdrawn
 */
export async function withdrawGifs(db: Database, teller: string, ids: readonly string[]): Promise<number> {
  const found = await rowsByFormerId(db, ids);
  const own = [...found].filter(([id, { toldBy }]) => toldBy === `${teller}#${id}`);
  if (own.length > 0) {
    await withdrawOthers(
      db,
      own.map(([, row]) => row.id),
    );
  }
  return own.length;
}

/** Returns the rows of GIFs, keyed by the given ids, which can be former ids. */
async function rowsByFormerId(db: Database, ids: readonly string[]): Promise<Awaited<ReturnType<typeof rowsOf>>> {
  const current = await currentIds(db, ids);
  const idOf = (id: string) => current.get(id)?.gif ?? id;
  const rows = await rowsOf(db, ids.map(idOf));
  return new Map(
    ids.flatMap((id) => {
      const row = rows.get(idOf(id));
      return row === undefined ? [] : [[id, row] as const];
    }),
  );
}
