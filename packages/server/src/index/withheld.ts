import { countTerms } from '@zoetrope/search';
import { recordsOf, withheldOriginals } from '../catalog/index.ts';
import type { Database } from '../platform/db/index.ts';

/** What goes with GIFs that were taken out of a build that still holds them; it can be sent to other threads. */
export interface TakenOut {
  /** Hashes of originals that are not to be given out, whatever build there is. */
  originals: ReadonlySet<string>;
  /** How many of those GIFs carry each term, by its folded form. */
  terms: ReadonlyMap<string, number>;
}

/** Of so many the words are looked at; where more are gone, the next build is not far. */
const MAX_READ = 10_000;

/** @param ids those with a tombstone in the build that is served */
export async function findTakenOut(db: Database, ids: readonly string[]): Promise<TakenOut> {
  const records = await recordsOf(db, ids.slice(0, MAX_READ));
  return { originals: await withheldOriginals(db), terms: countTerms(records) };
}
