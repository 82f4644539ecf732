import type { ScoredDocuments } from './merge.ts';
import type { Plan } from './plan.ts';

/**
 * If this many documents have both words of a pair, the documents with one word are left out. With 2 or 3, the figures
 * of `npm run eval` were the same: titles found .645 instead of .647, and half-typed words .848 instead of .853. When
 * this also applied to queries of three words, titles found .633 (2026-11).
 */
const ENOUGH = 2;

/**
 * Returns the documents that match enough words of the query. If a document has at least two words of a name, others need
 * more than half as many: a GIF of "Cuticle Tantei Inaba" is no reason to show every "Tantei". If two documents have both
 * words of a pair, those with one of them are left out: "lady spin" is not a lady who waves.
 * @param words each document's score in the words leg
 */
export function withoutPartial(
  { documents, scores }: ScoredDocuments,
  words: Float64Array,
  { isName, isPair, least, words: all }: Pick<Plan, 'isName' | 'isPair' | 'least' | 'words'>,
): ScoredDocuments {
  const needed = isName ? neededOfName(words, least) : isPair ? neededOfPair(words, all) : 0;
  const isKept = (_: number, i: number) => words[i]! >= needed;
  return needed === 0 ? { documents, scores } : { documents: documents.filter(isKept), scores: scores.filter(isKept) };
}

/** Returns the number of words of a name that a document must match. */
function neededOfName(words: Float64Array, least: number): number {
  const most = words.reduce((a, b) => Math.max(a, Math.floor(b)), least);
  return most < 2 ? 0 : Math.floor(most / 2) + 1;
}

/** Returns the number of words of a pair that a document must match. A name beside another word counts like two words. */
function neededOfPair(words: Float64Array, all: number): number {
  const both = words.filter((score) => score >= all).length;
  return both < ENOUGH ? 0 : 2;
}
