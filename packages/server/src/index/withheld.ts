import { countTerms } from '@zoetrope/search';
import { recordsOf, withheldOriginals } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';

/** What must be withheld because GIFs were hidden after the build was made; can be sent to other threads. */
export interface TakenOut {
  /** Hashes of originals that must not be served, regardless of the build. */
  originals: ReadonlySet<string>;
  /** How many of the hidden GIFs have each term, by its folded form. */
  terms: ReadonlyMap<string, number>;
}

/** Maximum number of GIFs whose words are read; with more hidden GIFs, the next build is near. */
const MAX_READ = 10_000;

/** @param ids those with a tombstone in the served build */
export async function findTakenOut(db: Database, ids: readonly string[]): Promise<TakenOut> {
  const records = await recordsOf(db, ids.slice(0, MAX_READ));
  return { originals: await withheldOriginals(db), terms: countTerms(records) };
}
