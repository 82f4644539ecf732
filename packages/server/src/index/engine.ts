import type { Explanation } from '@zoetrope/contract';
import type { Suggestion } from '@zoetrope/search';
import type { StoredGif } from './stored-gif.ts';
import type { Withheld } from './withheld.ts';

/** A result that is available immediately from memory, or later from a cluster. */
export type Soon<Result> = Result | Promise<Result>;

/** A ranked list, best first, from which pages are cut. */
export interface Ranked {
  readonly count: number;
  /** Returns the GIFs from place `from` to before place `to`. */
  gifs(from: number, to: number): Soon<StoredGif[]>;
}

/** A search whose words leg has run. */
export interface SearchInProgress {
  /** Whether the query needs no meaning leg. */
  readonly isEnough: boolean;
  /** Ends the search without the meaning leg. */
  endWithWords(): Soon<Ranked>;
  /**
   * Adds the meaning leg.
   * @param vector the query's vector; null if the embedder knows none of the query's words
   * @returns undefined if only the meaning leg is unavailable
   */
  endWithMeaning(vector: Float32Array | null): Soon<Ranked | undefined>;
}

/**
 * One state of the catalogue's index, open for searching: a build in memory (`LiveIndex`) or an index in a cluster
 * (`ClusterIndex`). Adult and hidden GIFs are never found. An index in a cluster throws ServiceError
 * `upstream_unavailable` while the cluster is away.
 */
export interface SearchEngine {
  /** Name of the state, for responses. */
  readonly buildId: string;
  /** Number of GIFs that can be found. */
  readonly documents: number;
  /** Whether the index has vectors from the running embedder. */
  readonly hasMeaning: boolean;
  /** Whether similar GIFs are found by appearance. */
  readonly hasLooks: boolean;
  /** Returns the index for one request. All its calls together must end before one deadline. */
  forRequest(): SearchEngine;
  /** Runs the words leg. Its result shows whether the query needs a vector. @param limit at most 200 */
  begin(query: string, limit: number): Soon<SearchInProgress>;
  /** Returns the GIFs with the most similar meaning. */
  searchMeaning(vector: Float32Array | null, limit: number): Soon<Ranked>;
  /**
   * Returns the query with its unknown words corrected. Returns undefined if all words are known, if no known word is
   * similar, or if no shown GIF has all words of the corrected query: a name that is not in the catalogue beside a known
   * word is not a slip.
   */
  correct(query: string): Soon<string | undefined>;
  /**
   * Returns the GIFs that are most like a given one, at most `limit`. GIFs that look alike come first, then others by
   * appearance and subject. Returns undefined if no shown GIF has this id.
   */
  similar(id: string, limit: number): Soon<Ranked | undefined>;
  /** Returns the most popular GIFs. */
  popular(limit: number): Soon<Ranked>;
  /** Returns the terms that complete a normalised query, except those that only hidden GIFs contain. */
  suggest(query: string, limit: number, without: Withheld['terms']): Soon<Suggestion[]>;
  /** Returns the GIF with this id or former id, unless it is unknown, adult or hidden. */
  find(id: string): Soon<StoredGif | undefined>;
  /**
   * Explains how GIFs were found.
   * @param vector the query's vector; undefined if the meaning leg did not run
   * @param ids the ids of the GIFs
   */
  explain(query: string, vector: Float32Array | null | undefined, ids: readonly string[]): Soon<Explanation[]>;
}
