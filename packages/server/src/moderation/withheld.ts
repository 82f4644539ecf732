import { sql } from 'kysely';
import type { Database } from '../platform/db/index.ts';
import {
  currentIds,
  fromRow,
  type GifRecord,
  HIDDEN_AS_DEAD,
  hiddenWithout,
  tables,
  withEdits,
} from '../records/index.ts';
import { withCaptions } from '../vectors/index.ts';

/** Number of records read together. */
const PAGE = 500;

/**
 * Returns the hashes of originals that must not be served even if they are stored here. These are the originals of GIFs
 * that are hidden for any reason other than a dead link.
 */
export async function withheldOriginals(db: Database): Promise<Set<string>> {
  const rows = await tables(db)
    .selectFrom('gifs')
    .select('sha256')
    .where('hidden', '>', 0)
    .where(hiddenWithout(HIDDEN_AS_DEAD), '<>', 0)
    .where('sha256', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      // An original is served if its bytes also belong to a file of the operator that is shown.
      not(
        exists(
          selectFrom('gifs as own')
            .select('own.id')
            .whereRef('own.id', '=', sql`gifs.sha256 || '.gif'`)
            .where('own.hidden', '=', 0),
        ),
      ),
    )
    .execute();
  return new Set(rows.map(({ sha256 }) => sha256!));
}

/** Yields the GIFs whose originals are stored here, including hidden GIFs, by ascending id. */
export async function* originalsHere(
  db: Database,
): AsyncGenerator<Pick<GifRecord, 'id' | 'format'> & { sha256: string }> {
  let after = '';
  for (;;) {
    const own = tables(db).selectFrom('gifs').select(['id', 'format', 'sha256']).where('url', 'is', null);
    const rows = await own.where('id', '>', after).orderBy('id').limit(PAGE).execute();
    if (rows.length === 0) return;
    for (const row of rows) if (row.sha256 !== null) yield { ...row, sha256: row.sha256 };
    after = rows.at(-1)!.id;
  }
}

/** Returns the records of these GIFs as builds show them. Accepts former ids. */
export async function recordsOf(db: Database, given: readonly string[]): Promise<GifRecord[]> {
  const current = await currentIds(db, given);
  const ids = given.map((id) => current.get(id)?.gif ?? id);
  const records: GifRecord[] = [];
  for (let from = 0; from < ids.length; from += PAGE) {
    const rows = tables(db)
      .selectFrom('gifs')
      .selectAll()
      .where('id', 'in', ids.slice(from, from + PAGE));
    records.push(...(await rows.execute()).map(fromRow));
  }
  return withCaptions(db, await withEdits(db, records));
}
