import type { Build } from '../build/build.ts';
import { mergeHits } from '../query/merge.ts';
import { VectorComparer } from './comparer.ts';
import type { VectorMemory } from './memory.ts';
import { VectorSearcher } from './searcher.ts';
import { MAX_NEAR, type VectorHits, type VectorSearchOptions, type Vectors } from './vectors.ts';

/** The vectors of a build with deltas. A search searches each segment and merges the hits. */
export class SegmentedVectors implements Vectors {
  readonly #build: Build;
  readonly #segments: readonly (VectorSearcher | undefined)[];
  readonly #comparer: VectorComparer;

  /** @param memories the memory of each segment, or undefined if the segment has no vectors in this space */
  constructor(build: Build, memories: readonly (VectorMemory | undefined)[], thread: number) {
    this.#build = build;
    const known = memories.filter((memory) => memory !== undefined);
    const total = known.reduce((sum, { vectors }) => sum + vectors, 0);
    this.#segments = memories.map((memory) => memory && new VectorSearcher(memory, thread, memory.vectors / total));
    this.#comparer = new VectorComparer(known[0]!.dimensions);
  }

  search(query: Float32Array, options: VectorSearchOptions = {}): VectorHits {
    return this.#merged(options, (segment, own) => segment.search(query, own));
  }

  searchLike(document: number, options: VectorSearchOptions = {}): VectorHits {
    const vector = this.#vectorOf(document);
    if (vector === undefined) return { documents: new Uint32Array(), scores: new Float64Array() };
    return this.#merged(options, (segment, own) => segment.searchVector(vector, own));
  }

  distinct(documents: Uint32Array, sameCosine: number): Uint32Array {
    const vectors = Array.from(documents, (document) => this.#vectorOf(document));
    return this.#comparer.distinct(vectors, sameCosine).map((i) => documents[i]!);
  }

  score(query: Float32Array, documents: Uint32Array): Float64Array {
    return this.#build.scoreEach(
      documents,
      (segment, some) => this.#segments[segment]?.score(query, some) ?? new Float64Array(some.length),
    );
  }

  scoreLike(document: number, documents: Uint32Array): Float64Array {
    const vector = this.#vectorOf(document);
    return this.#build.scoreEach(
      documents,
      (segment, some) =>
        (vector && this.#segments[segment]?.scoreVector(vector, some)) ?? new Float64Array(some.length),
    );
  }

  #vectorOf(document: number): Int8Array | undefined {
    const { numbering } = this.#build;
    const segment = numbering.segmentOf(document);
    return this.#segments[segment]?.vectorOf(document - numbering.starts[segment]!);
  }

  #merged(
    options: VectorSearchOptions,
    search: (segment: VectorSearcher, options: VectorSearchOptions) => VectorHits,
  ): VectorHits {
    const limit = Math.min(options.limit ?? MAX_NEAR, MAX_NEAR);
    let best: VectorHits = { documents: new Uint32Array(), scores: new Float64Array() };
    for (const [i, segment] of this.#segments.entries()) {
      if (segment === undefined) continue;
      const start = this.#build.numbering.starts[i]!;
      const hidden = options.hidden?.subarray(start >> 3);
      const { documents, scores } = search(segment, { limit, hidden });
      const found = { documents: documents.map((document) => document + start), scores };
      best = mergeHits(best, found, { build: this.#build, limit });
    }
    return best;
  }
}
