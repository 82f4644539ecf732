import { countTerms } from '@zoetrope/search';
import { recordsOf, withheldOriginals } from '../moderation/index.ts';
import type { Database } from '../platform/db/index.ts';
import { unreadUploads } from '../uploads/index.ts';

/** The data about GIFs that were hidden after the build was made. The data can be sent to other threads. */
export interface Withheld {
  /**
   * Ids of the hidden GIFs that an index in a cluster may still contain. Empty for a build, because a build has
   * tombstones.
   */
  ids: readonly string[];
  /** Hashes of originals that must not be served, regardless of the build. */
  originals: ReadonlySet<string>;
  /** Number of hidden GIFs that contain each term, keyed by the term's folded form. */
  terms: ReadonlyMap<string, number>;
}

/**
 * Maximum number of GIFs whose words are read. If more GIFs are hidden, the words of the other GIFs are not read,
 * because the next build is made soon.
 */
const MAX_READ = 10_000;

/** Finds the data about hidden GIFs. @param ids the ids that have a tombstone in the served build */
export async function findWithheld(db: Database, ids: readonly string[]): Promise<Withheld> {
  const records = await recordsOf(db, ids.slice(0, MAX_READ));
  const originals = new Set([...(await withheldOriginals(db)), ...(await unreadUploads(db))]);
  return { ids: [], originals, terms: countTerms(records) };
}
