import { VectorComparer } from './comparer.ts';
import { int8Scale } from './quantise.ts';
import { MAX_NEAR, type VectorHits, type VectorSearchOptions, type Vectors } from './vectors.ts';

/** A few vectors in memory, such as the candidates of one search. A search compares the query with all of them. */
export class FewVectors implements Vectors {
  readonly #vectors: readonly (Int8Array | undefined)[];
  readonly #dimensions: number;

  /** @param vectors of documents 0, 1, 2, …, in int8 steps, with undefined for a document without a vector */
  constructor(vectors: readonly (Int8Array | undefined)[], dimensions: number) {
    this.#vectors = vectors;
    this.#dimensions = dimensions;
  }

  search(query: Float32Array, options: VectorSearchOptions = {}): VectorHits {
    return this.#nearest(this.score(query, this.#all()), options);
  }

  searchLike(document: number, options: VectorSearchOptions = {}): VectorHits {
    return this.#nearest(this.scoreLike(document, this.#all()), options);
  }

  distinct(documents: Uint32Array, sameCosine: number): Uint32Array {
    const vectors = Array.from(documents, (document) => this.#vectors[document]);
    return new VectorComparer(this.#dimensions).distinct(vectors, sameCosine).map((i) => documents[i]!);
  }

  score(query: Float32Array, documents: Uint32Array): Float64Array {
    return this.#cosines(query, int8Scale(this.#dimensions), documents);
  }

  scoreLike(document: number, documents: Uint32Array): Float64Array {
    const vector = this.#vectors[document];
    if (vector === undefined) return new Float64Array(documents.length);
    return this.#cosines(vector, int8Scale(this.#dimensions) ** 2, documents);
  }

  #all(): Uint32Array {
    return Uint32Array.from(this.#vectors.keys());
  }

  #cosines(vector: Float32Array | Int8Array, unit: number, documents: Uint32Array): Float64Array {
    return Float64Array.from(documents, (document) => {
      const other = this.#vectors[document];
      if (other === undefined) return 0;
      let dot = 0;
      for (let d = 0; d < vector.length; d++) dot += vector[d]! * other[d]!;
      return dot / unit;
    });
  }

  #nearest(scores: Float64Array, { limit = MAX_NEAR, hidden }: VectorSearchOptions): VectorHits {
    const isShown = (document: number) =>
      hidden === undefined || (hidden[document >> 3]! & (1 << (document & 7))) === 0;
    const found = this.#all().filter((document) => scores[document]! > 0 && isShown(document));
    const documents = found.sort((a, b) => scores[b]! - scores[a]! || a - b).subarray(0, Math.min(limit, MAX_NEAR));
    return { documents, scores: Float64Array.from(documents, (document) => scores[document]!) };
  }
}
