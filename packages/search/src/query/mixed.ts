import type { VectorHits, VectorSearcher } from '../vectors/searcher.ts';
import type { Plan } from './plan.ts';
import { type Hits, MAX_HITS, type Searcher, type SearchOptions } from './searcher.ts';

/**
 * What the meaning leg is worth beside the words, by the kind of query; measured with the bundled model on the
 * development sets of `npm run eval` (2026-11), where anything from .6 to 1 served sentences, .1 to .4 a few words. One
 * word or one emoji finds its GIFs by words, and any reordering of them cost hits.
 */
const SENTENCE_WEIGHT = 0.7;
const FEW_WORDS_WEIGHT = 0.15;

/**
 * What the meaning leg alone has found must be so near at least. Below it the bundled model finds something for every
 * query; where there is enough to find by words, no floor between 0 and .6 changed a figure.
 */
const FLOOR = 1 / 3;

/**
 * Where nearly all GIFs say the same ("cat number 7"), the mean cosine says nothing of what has nothing in common; no
 * model known to us puts that above .85.
 */
const MOST_NOTHING = 0.85;

/** What a mixed search found, best first. */
export interface MixedHits extends Hits {
  /** The score of each by words (`Searcher`). */
  words: Float64Array;
  /** The score of each by meaning: its cosine with the query, where 0 is that of things with nothing in common. */
  meaning: Float64Array;
}

/**
 * Blends the two legs by their scores: whatever either leg finds gets both, and the sum ranks it. (By ranks instead,
 * a weak leg pushed out what a strong one was sure of: recall@10 of titles fell from .62 to .45.) In short queries the
 * number of matched words outweighs all meaning, so what the meaning leg alone has found comes after what has the words.
 */
export class MixedSearcher {
  readonly #words: Searcher;
  readonly #meaning: VectorSearcher;
  readonly #documents: number;
  readonly #nothing: number;

  /**
   * @param documents only documents below this number are found: the safe ones
   * @param meanCosine of the build's space of meaning
   */
  constructor(words: Searcher, meaning: VectorSearcher, documents: number, meanCosine: number) {
    this.#words = words;
    this.#meaning = meaning;
    this.#documents = documents;
    this.#nothing = Math.min(meanCosine, MOST_NOTHING);
  }

  /** @param vector the query's, of length 1 */
  search(query: string, vector: Float32Array, options: SearchOptions = {}): MixedHits {
    const plan = this.#words.plan(query);
    const near = this.#near(vector, options);
    const known = this.#words.searchPlan(plan, options);
    const byWords = new Set(known.documents);
    const onlyNear = near.documents.filter((document) => !byWords.has(document));
    const documents = new Uint32Array(known.documents.length + onlyNear.length);
    documents.set(known.documents);
    documents.set(onlyNear, known.documents.length);
    const words = new Float64Array(documents.length);
    words.set(known.scores);
    words.set(this.#words.scorePlan(plan, onlyNear), known.documents.length);
    const meaning = this.meaningOf(vector, documents);
    const weight = weightOf(plan);
    const scores = words.map((score, i) => score + weight * meaning[i]!);
    const found = new Uint16Array(documents.length)
      .map((_, i) => i)
      .filter((i) => words[i]! > 0 || meaning[i]! >= FLOOR);
    const order = found.sort(
      (a, b) => scores[b]! - scores[a]! || meaning[b]! - meaning[a]! || documents[a]! - documents[b]!,
    );
    const best = order.subarray(0, Math.min(options.limit ?? MAX_HITS, MAX_HITS));
    return {
      documents: Uint32Array.from(best, (i) => documents[i]!),
      scores: Float64Array.from(best, (i) => scores[i]!),
      words: Float64Array.from(best, (i) => words[i]!),
      meaning: Float64Array.from(best, (i) => meaning[i]!),
    };
  }

  /** The score of each of these documents by meaning, as in `MixedHits.meaning`. */
  meaningOf(vector: Float32Array, documents: Uint32Array): Float64Array {
    return this.#meaning.score(vector, documents).map((cosine) => this.#scale(cosine));
  }

  #near(vector: Float32Array, { limit, hidden }: SearchOptions): VectorHits {
    return this.#meaning.search(vector, { limit, hidden, documents: this.#documents });
  }

  /** Models differ in how near they put things that have nothing in common; that becomes 0, and equality stays 1. */
  #scale(cosine: number): number {
    return Math.max(0, (cosine - this.#nothing) / (1 - this.#nothing));
  }
}

function weightOf({ words, translated }: Plan): number {
  if (words === 0) return SENTENCE_WEIGHT;
  return words === 1 || translated ? 0 : FEW_WORDS_WEIGHT;
}
