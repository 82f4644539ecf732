/** Maximum number of hits. Source: the API contract, `count`. */
export const MAX_NEAR = 200;

export interface VectorSearchOptions {
  /** Maximum number of hits. The default and the upper limit are 200. */
  limit?: number | undefined;
  /**
   * A bit for each document. The bit of document d is in byte d >> 3 at 1 << (d & 7). A set bit hides the document. In
   * a build with deltas, the bits must include the bits of `Numbering.retired`.
   */
  hidden?: Uint8Array | undefined;
}

/** Results of a search, nearest first. */
export interface VectorHits {
  documents: Uint32Array;
  /** Cosines with the query, computed from eight bits per dimension. They are always positive. */
  scores: Float64Array;
}

/** The vectors of a space, open for searching. The space belongs to one segment, or to a build with deltas. */
export interface Vectors {
  /** Returns the documents nearest to a vector of length 1. Equally near documents are in the order of the build. */
  search(query: Float32Array, options?: VectorSearchOptions): VectorHits;
  /**
   * Returns the given document, followed by the documents nearest to it. Returns no documents if the given document has
   * no vector.
   */
  searchLike(document: number, options?: VectorSearchOptions): VectorHits;
  /**
   * Returns the given documents (at most 4,096) in the same order, without those whose cosine with an earlier kept
   * document is at least `sameCosine`. Documents without a vector are kept.
   */
  distinct(documents: Uint32Array, sameCosine: number): Uint32Array;
  /**
   * Returns the cosines of the given documents (at most 4,096) with a vector of length 1, in order. The cosine of a
   * document without a vector is 0.
   */
  score(query: Float32Array, documents: Uint32Array): Float64Array;
  /**
   * Returns the cosines of the given documents (at most 4,096) with one document, in order. If either document has no
   * vector, the cosine is 0.
   */
  scoreLike(document: number, documents: Uint32Array): Float64Array;
}
