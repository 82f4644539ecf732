import { countTerms } from '@zoetrope/search';
import { recordsOf, withheldOriginals } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';

/** The data about GIFs that were hidden after the build was made; can be sent to other threads. */
export interface TakenOut {
  /** Hashes of originals that must not be served, regardless of the build. */
  originals: ReadonlySet<string>;
  /** How many of the hidden GIFs contain each term, by the term's folded form. */
  terms: ReadonlyMap<string, number>;
}

/** Maximum number of GIFs whose words are read; if more are hidden, the next build will be made soon. */
const MAX_READ = 10_000;

/** @param ids those with a tombstone in the served build */
export async function findTakenOut(db: Database, ids: readonly string[]): Promise<TakenOut> {
  const records = await recordsOf(db, ids.slice(0, MAX_READ));
  return { originals: await withheldOriginals(db), terms: countTerms(records) };
}
