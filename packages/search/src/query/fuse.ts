import type { Plan } from './plan.ts';
import { ABOUT_EQUAL } from './spread.ts';

/**
 * Weight of the meaning leg relative to the words leg, by kind of query, measured with the bundled model on the
 * development sets of `npm run eval` (2026-11). For sentences, .6 was best (titles found .649 with it, .643 with .7). For
 * a few words, weights from .1 to .4 were good. A single word or emoji is ranked by the words leg alone, because any
 * reordering cost hits.
 */
const SENTENCE_WEIGHT = 0.6;
const FEW_WORDS_WEIGHT = 0.15;

/**
 * Number of content words in a short sentence. It is the largest number that coverage counts. "A man jumps off a cliff"
 * describes a scene as a longer sentence does, so it has the weight of a sentence.
 */
const SHORT_SENTENCE = 4;
/**
 * Score of each matched word of a short sentence after the first. If it were 1, the number of matched words alone would
 * decide. Captions found .440 of their GIFs when short sentences were ranked like a few words, .449 with .05, and .451
 * with 0. Captions by several people found .281, .290 and .287.
 */
const FURTHER_WORD = 0.05;

/**
 * Difference between two meaning scores that says nothing about which document is better in a query of a few words. A
 * title that is exactly the query has the highest meaning score, so without this allowance, "woman blink" found a page
 * of GIFs with this title, and none of "woman blink eyes". With half of this value, two of five such queries still had
 * this problem; with nearly twice the value, no figure changed. (`npm run eval -- --sets half_typed`, 2026-11)
 */
const ABOUT_EQUAL_MEANING = 0.2;

/**
 * Minimum similarity of documents found only by the meaning leg. With a lower minimum, the bundled model finds
 * something for every query. For queries for which the words leg found enough, no value from 0 to .6 changed a result.
 */
const FLOOR = 1 / 3;
/**
 * The minimum for a short query if the words leg found something. With FLOOR, the four GIFs about Lisp were followed by
 * a page of German words. With this value, half-typed words found .854 instead of .851, and slips .855 instead of .860.
 * (`npm run eval`, 2026-11)
 */
const FLOOR_AFTER_WORDS = 0.5;

/**
 * Maximum mean cosine. If nearly all GIFs have the same title ("cat number 7"), the mean is not the cosine of unrelated
 * texts. No known model gives unrelated texts a mean above .85.
 */
const MOST_NOTHING = 0.85;

/** The properties of a query that decide the legs' weights. */
export type QueryKind = Pick<Plan, 'words' | 'translated'>;

/** The documents that either leg found, each with its scores in both legs, in the same order. */
export interface LegScores {
  /** See `Hits.scores`. */
  words: Float64Array;
  /** From `scaleCosine`. */
  meaning: Float64Array;
}

/**
 * Returns whether the meaning leg can be skipped: the list is full and the query is one English word, so that the
 * meaning leg would only order equal scores. (For other languages, skipping it lost .007 of three everyday sets.)
 */
export function areWordsEnough({ words, translated }: QueryKind, isFull: boolean): boolean {
  return isFull && words === 1 && !translated;
}

/**
 * Returns whether a query is so short that the meanings of its words are enough for its vector: the meaning leg has little
 * weight, and the order of the words says little. (A table instead of the bundled encoder lost nothing beyond chance for
 * such queries, but .036 of the captions with four content words.)
 */
export function isShort({ words, translated }: QueryKind): boolean {
  return words > 0 && (words < SHORT_SENTENCE || translated);
}

/**
 * Scales a cosine so that unrelated texts have 0 and equal texts have 1, because the cosine of unrelated texts differs
 * between models. @param meanCosine mean cosine of the meaning space
 */
export function scaleCosine(cosine: number, meanCosine: number): number {
  const nothing = Math.min(meanCosine, MOST_NOTHING);
  return Math.max(0, (cosine - nothing) / (1 - nothing));
}

/**
 * Ranks the documents that either leg found by the weighted sum of their scores. In short queries, documents found only
 * by the meaning leg come after those that match words, because matched words outweigh the meaning leg's score.
 * @param compare orders two documents with equal scores, given their places in the legs
 * @returns places in the legs, best first, at most `limit`, and the sum for each place
 */
export function fuseLegs(
  query: QueryKind,
  { words, meaning }: LegScores,
  compare: (a: number, b: number) => number,
  limit: number,
): { order: Uint16Array; scores: Float64Array } {
  const weight = weightOf(query);
  const byWords = isShortSentence(query) ? words.map(ofShortSentence) : words;
  const scores = byWords.map((score, i) => score + weight * meaning[i]!);
  const floor = query.words > 0 && words.some((score) => score > 0) ? FLOOR_AFTER_WORDS : FLOOR;
  const found = new Uint16Array(words.length).map((_, i) => i).filter((i) => words[i]! > 0 || meaning[i]! >= floor);
  const order = found.sort((a, b) => scores[b]! - scores[a]! || meaning[b]! - meaning[a]! || compare(a, b));
  return { order: order.subarray(0, limit), scores };
}

/**
 * Returns the maximum difference between the fused scores of two documents that are about equally good (see
 * `spreadTitles`).
 */
export function aboutEqual(query: QueryKind): number {
  // In sentences, meaning counts so much that such an allowance would mix good and bad results.
  const weight = query.words === 0 || isShortSentence(query) ? 0 : weightOf(query);
  return ABOUT_EQUAL + weight * ABOUT_EQUAL_MEANING;
}

function weightOf(query: QueryKind): number {
  const { words, translated } = query;
  if (words === 0 || isShortSentence(query)) return SENTENCE_WEIGHT;
  return words === 1 || translated ? 0 : FEW_WORDS_WEIGHT;
}

function isShortSentence({ words, translated }: QueryKind): boolean {
  return words === SHORT_SENTENCE && !translated;
}

/**
 * Returns the score of a document in the words leg if the query is a short sentence. The score stays 0 without a
 * matched word, and is at least 1 otherwise.
 */
function ofShortSentence(score: number): number {
  return score - (1 - FURTHER_WORD) * Math.max(0, Math.floor(score) - 1);
}
