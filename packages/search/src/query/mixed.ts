import type { VectorHits, Vectors } from '../vectors/vectors.ts';
import { areWordsEnough, fuseLegs, scaleCosine } from './fuse.ts';
import type { Plan } from './plan.ts';
import { type Hits, MAX_HITS, type Searcher, type SearchOptions } from './searcher.ts';

/** The results of the words leg for a query. */
export interface WordHits extends Hits {
  /** The interpretation of the query. Only `MixedSearcher` uses it. */
  plan: Plan;
  /** Whether the meaning leg is not worth its time (see `areWordsEnough`). */
  isEnough: boolean;
}

/** Marks a cosine that is not yet known. Real cosines are at most 1. */
const UNKNOWN = 2;

/** Results of a mixed search, best first. */
export interface MixedHits extends Hits {
  /** Each document's score in the words leg (`Searcher`). */
  words: Float64Array;
  /** Each document's score in the meaning leg: the cosine with the query, scaled so that unrelated texts have 0. */
  meaning: Float64Array;
}

/**
 * Combines the two legs by their scores: every document that either leg found is scored by both, and the sum ranks it.
 * (When the legs were combined by ranks, a weak leg displaced results of which the strong leg was sure: recall@10 of
 * titles fell from .62 to .45.)
 */
export class MixedSearcher {
  readonly #words: Searcher;
  readonly #meaning: Vectors;
  readonly #meanCosine: number;

  /** @param meanCosine mean cosine of the meaning space in the build's base */
  constructor(words: Searcher, meaning: Vectors, meanCosine: number) {
    this.#words = words;
    this.#meaning = meaning;
    this.#meanCosine = meanCosine;
  }

  /** Searches with the words leg alone, which needs no vector. */
  searchWords(query: string, options: SearchOptions = {}): WordHits {
    const plan = this.#words.plan(query);
    const hits = this.#words.searchPlan(plan, options);
    const isFull = hits.documents.length === Math.min(options.limit ?? MAX_HITS, MAX_HITS);
    return { ...hits, plan, isEnough: areWordsEnough(plan, isFull) };
  }

  /**
   * Adds the meaning leg.
   * @param known from `searchWords` with the same options
   * @param vector of the query, with length 1
   */
  search(known: WordHits, vector: Float32Array, options: SearchOptions = {}): MixedHits {
    const { documents, words, meaning } = this.#scoreAll(known, vector, options);
    const { build } = this.#words;
    const byRank = (a: number, b: number) => build.rank(documents[a]!) - build.rank(documents[b]!);
    const limit = Math.min(options.limit ?? MAX_HITS, MAX_HITS);
    const { order: best, scores } = fuseLegs(known.plan, { words, meaning }, byRank, limit);
    const hits: MixedHits = {
      documents: new Uint32Array(best.length),
      scores: new Float64Array(best.length),
      words: new Float64Array(best.length),
      meaning: new Float64Array(best.length),
    };
    for (let place = 0; place < best.length; place++) {
      const i = best[place]!;
      hits.documents[place] = documents[i]!;
      hits.scores[place] = scores[i]!;
      hits.words[place] = words[i]!;
      hits.meaning[place] = meaning[i]!;
    }
    return hits;
  }

  /**
   * Returns the documents that either leg found, with their scores in both legs. The documents of the words leg come
   * first.
   */
  #scoreAll(known: WordHits, vector: Float32Array, options: SearchOptions): Omit<MixedHits, 'scores'> {
    const near = this.#near(vector, options);
    const count = known.documents.length;
    const places = new Map<number, number>();
    for (let i = 0; i < count; i++) places.set(known.documents[i]!, i);
    const documents = new Uint32Array(count + near.documents.length);
    const meaning = new Float64Array(documents.length).fill(UNKNOWN, 0, count);
    documents.set(known.documents);
    let end = count;
    for (let i = 0; i < near.documents.length; i++) {
      const place = places.get(near.documents[i]!) ?? end++;
      documents[place] = near.documents[i]!;
      meaning[place] = near.scores[i]!;
    }
    const far = documents.subarray(0, count).filter((_, i) => meaning[i] === UNKNOWN);
    const cosines = this.#meaning.score(vector, far);
    for (let i = 0, next = 0; i < count; i++) if (meaning[i] === UNKNOWN) meaning[i] = cosines[next++]!;
    const words = new Float64Array(end);
    words.set(known.scores);
    words.set(this.#words.scorePlan(known.plan, documents.subarray(count, end)), count);
    // Function words alone do not make a document a result of the words leg.
    if (known.plan.words > 0) for (let i = count; i < end; i++) if (words[i]! < 1) words[i] = 0;
    for (let i = 0; i < end; i++) meaning[i] = scaleCosine(meaning[i]!, this.#meanCosine);
    return { documents: documents.subarray(0, end), words, meaning: meaning.subarray(0, end) };
  }

  /** Returns these documents' scores in the meaning leg, as in `MixedHits.meaning`. */
  meaningOf(vector: Float32Array, documents: Uint32Array): Float64Array {
    return this.#meaning.score(vector, documents).map((cosine) => scaleCosine(cosine, this.#meanCosine));
  }

  #near(vector: Float32Array, { limit, hidden }: SearchOptions): VectorHits {
    return this.#meaning.search(vector, { limit, hidden });
  }
}
