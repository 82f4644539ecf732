import type { VectorHits } from '../vectors/vectors.ts';
import { fuseLegs, type QueryKind, scaleCosine } from './fuse.ts';
import { type Hits, MAX_HITS } from './searcher.ts';

/** A result that is available immediately from memory, or later from another machine. */
export type Soon<Result> = Result | Promise<Result>;

/** The words leg's result for one query. */
export interface WordHits extends Hits, QueryKind {
  /** See `Plan`. */
  isName: boolean;
  /** See `Plan`. */
  least: number;
  /** See `Plan`. */
  isPair: boolean;
  /** Returns the scores of these documents, as in `Hits.scores`, or 0 for documents that the query does not find. */
  score(documents: Uint32Array): Soon<Float64Array>;
}

/** The meaning leg. */
export interface MeaningLeg {
  /** Mean cosine of the meaning space (see `scaleCosine`). */
  readonly meanCosine: number;
  /** Returns the documents nearest to a vector of length 1. @param limit at most 200 */
  near(vector: Float32Array, limit: number): Soon<VectorHits>;
  /**
   * Returns the cosines of these documents with a vector of length 1, in order, or 0 for a document without a vector.
   */
  cosines(vector: Float32Array, documents: Uint32Array): Soon<Float64Array>;
}

/** Results of a mixed search, best first. */
export interface MixedHits extends Hits {
  /** Each document's score in the words leg (`Searcher`). */
  words: Float64Array;
  /** Each document's score in the meaning leg: the cosine with the query, scaled so that unrelated texts have 0. */
  meaning: Float64Array;
}

export interface MixOptions {
  /** Maximum number of hits. The upper limit is 200. */
  limit: number;
  /** Orders two documents whose scores are equal. */
  compare(a: number, b: number): number;
}

/** Marks a cosine that is not yet known. Real cosines are at most 1. */
const UNKNOWN = 2;

/**
 * Adds the meaning leg to the words leg's result. Every document that either leg found is scored by both, and the sum
 * ranks it. (When the legs were combined by ranks, a weak leg displaced certain results of a strong leg: recall@10 of
 * titles fell from .62 to .45.)
 * @param found from the words leg, with the same limit
 * @param vector of the query, with length 1
 */
export async function mixLegs(
  found: WordHits,
  vector: Float32Array,
  leg: MeaningLeg,
  { limit, compare }: MixOptions,
): Promise<MixedHits> {
  const most = Math.min(limit, MAX_HITS);
  const { documents, words, meaning } = await scoreAll(found, vector, leg, most);
  const byRank = (a: number, b: number) => compare(documents[a]!, documents[b]!);
  const { order, scores } = fuseLegs(found, { words, meaning }, byRank, most);
  const hits: MixedHits = {
    documents: new Uint32Array(order.length),
    scores: new Float64Array(order.length),
    words: new Float64Array(order.length),
    meaning: new Float64Array(order.length),
  };
  for (let place = 0; place < order.length; place++) {
    const i = order[place]!;
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
async function scoreAll(
  found: WordHits,
  vector: Float32Array,
  leg: MeaningLeg,
  limit: number,
): Promise<Omit<MixedHits, 'scores'>> {
  const near = await leg.near(vector, limit);
  const count = found.documents.length;
  const places = new Map<number, number>();
  for (let i = 0; i < count; i++) places.set(found.documents[i]!, i);
  const all = new Uint32Array(count + near.documents.length);
  const meaning = new Float64Array(all.length).fill(UNKNOWN, 0, count);
  all.set(found.documents);
  let end = count;
  for (let i = 0; i < near.documents.length; i++) {
    const place = places.get(near.documents[i]!) ?? end++;
    all[place] = near.documents[i]!;
    meaning[place] = near.scores[i]!;
  }
  const documents = all.subarray(0, end);
  const far = documents.subarray(0, count).filter((_, i) => meaning[i] === UNKNOWN);
  // An engine on another machine answers both calls in one request.
  const [scores, cosines] = await Promise.all([found.score(documents.subarray(count)), leg.cosines(vector, far)]);
  for (let i = 0, next = 0; i < count; i++) if (meaning[i] === UNKNOWN) meaning[i] = cosines[next++]!;
  const words = new Float64Array(end);
  words.set(found.scores);
  words.set(scores, count);
  // If a document matches only function words, it is not a result of the words leg.
  if (found.words > 0) for (let i = count; i < end; i++) if (words[i]! < 1) words[i] = 0;
  for (let i = 0; i < end; i++) meaning[i] = scaleCosine(meaning[i]!, leg.meanCosine);
  return { documents, words, meaning: meaning.subarray(0, end) };
}
