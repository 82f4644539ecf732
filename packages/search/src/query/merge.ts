import type { Build } from '../build/build.ts';

/** Documents and their scores, best first. */
export interface ScoredDocuments {
  documents: Uint32Array;
  scores: Float64Array;
}

/**
 * Merges the hits of different segments. Both lists are ordered by score, highest first, then by rank.
 * @param limit maximum number of hits
 */
export function mergeHits(
  a: ScoredDocuments,
  b: ScoredDocuments,
  { build, limit }: { build: Build; limit: number },
): ScoredDocuments {
  if (b.documents.length === 0) return a;
  const size = Math.min(limit, a.documents.length + b.documents.length);
  const documents = new Uint32Array(size);
  const scores = new Float64Array(size);
  let i = 0;
  let k = 0;
  for (let place = 0; place < size; place++) {
    const isOther = i === a.documents.length || (k < b.documents.length && isBetter(b, k, { than: a, at: i, build }));
    const from = isOther ? b : a;
    const at = isOther ? k++ : i++;
    documents[place] = from.documents[at]!;
    scores[place] = from.scores[at]!;
  }
  return { documents, scores };
}

function isBetter(
  one: ScoredDocuments,
  i: number,
  { than, at, build }: { than: ScoredDocuments; at: number; build: Build },
): boolean {
  const difference = one.scores[i]! - than.scores[at]!;
  return difference > 0 || (difference === 0 && build.rank(one.documents[i]!) < build.rank(than.documents[at]!));
}
