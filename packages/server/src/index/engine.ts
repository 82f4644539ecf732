import type { MeaningLeg, Soon, Suggester, TypedReader, WordHits } from '@zoetrope/search';
import type { StoredGif } from '../builds/index.ts';

/**
 * Holds the GIFs of one state of the catalogue and finds them. An engine is either a build in memory (`BuildEngine`) or
 * an index in a cluster (`ClusterEngine`). `Search` uses both in the same way. Adult and hidden GIFs are never found.
 *
 * Documents are numbers that the engine gives to GIFs. A number is valid during one request. An engine in a cluster
 * throws ServiceError `upstream_unavailable` while the cluster is unavailable.
 */
export interface Engine {
  /** Name of the catalogue's state, for responses. */
  readonly buildId: string;
  /** Number of GIFs that can be found. */
  readonly documents: number;
  /** Number of removed, replaced or hidden GIFs that suggestions still count. */
  readonly retired: number;
  /** Completes queries with the terms of this state. */
  readonly suggester: Suggester;
  /** Reads unfinished and misspelt queries with the terms of this state. */
  readonly typed: TypedReader;
  /** The meaning leg. Undefined if there are no vectors from the running embedder. */
  readonly meaning: MeaningLeg | undefined;
  /** Whether similar GIFs are found by appearance. */
  readonly hasLooks: boolean;
  /** Whether the engine is so busy that a search should leave out optional steps. */
  readonly isBusy: boolean;
  /** Returns the engine for one request. All calls for the request share one deadline. */
  forRequest(): Engine;
  /**
   * Runs the words leg of several queries.
   * @param limit maximum number of documents for each, at most 200
   * @param preferred number of the user's language (`languageOf`)
   */
  words(queries: readonly string[], limit: number, preferred?: number): Soon<WordHits[]>;
  /** Returns how the words of each query match each of the documents. */
  match(queries: readonly string[], documents: Uint32Array, preferred?: number): Soon<WordMatch[][]>;
  /** Orders two documents whose scores are equal. */
  compare(a: number, b: number): number;
  /** Returns the `titleKey` of each document. */
  titles(documents: Uint32Array): Uint32Array;
  /** Returns the documents without those that show the same picture as an earlier document. */
  distinct(documents: Uint32Array): Uint32Array;
  /** Returns the documents most similar to a document from `find` (see `findSimilar`). @param limit at most 199 */
  similar(document: number, limit: number): Soon<Uint32Array>;
  /** Returns the most popular documents without an offensive word. */
  popular(limit: number): Soon<Uint32Array>;
  /** Returns the document with this id or former id; undefined if the GIF is unknown, adult or hidden. */
  find(id: string): Soon<number | undefined>;
  /** Returns the documents of the GIFs with these ids, which this engine has found. */
  numbersOf(ids: readonly string[]): Uint32Array;
  /** Returns the GIFs of documents, in order. GIFs that were removed in the meantime are left out. */
  stored(documents: Uint32Array): Soon<StoredGif[]>;
}

/** How the words of a query match a document. */
export interface WordMatch {
  /** The score, as in `Hits.scores`; 0 if the query does not find the document. */
  score: number;
  /** The terms of the query that the document has. */
  terms: string[];
}
