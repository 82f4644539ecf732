import { NO_TITLE } from '../build/title-key.ts';
import type { ScoredDocuments } from './merge.ts';

/**
 * Two documents are about equally good if their scores differ by at most this: five of the 255 steps of an impact. A
 * word more in the title makes such a difference. With .02 and a gap of 8, the first 24 results of 50 everyday words had
 * 105 repeated titles instead of 194, and precision fell by less than .001. Twice the difference changed nothing.
 * (`npm run eval`, 2026-11)
 */
export const ABOUT_EQUAL = 0.02;

/** Number of documents between two with the same title, if enough other documents are about equally good. */
const GAP = 8;

/**
 * Returns the documents in an order in which equal titles are apart. Only documents with a repeated title move back, and
 * only behind documents that are about equally good.
 * @param titles the `titleKey` of each document
 * @param within maximum difference between scores that are about equally good (`aboutEqual`)
 */
export function spreadTitles(
  { documents, scores }: ScoredDocuments,
  titles: Uint32Array,
  within: number = ABOUT_EQUAL,
): Uint32Array {
  const left = Array.from(documents, (_, i) => i);
  /** The place of the last document with each title. */
  const places = new Map<number, number>();
  return documents.map((_, place) => {
    const gapTo = (i: number) => Math.min(GAP, place - 1 - (places.get(titles[i]!) ?? Number.NEGATIVE_INFINITY));
    const [next] = left.splice(bestOf(left, { scores, within }, gapTo), 1);
    if (titles[next!] !== NO_TITLE) places.set(titles[next!]!, place);
    return documents[next!]!;
  });
}

/** Returns the place in `left` of the document with the widest gap, among those that are about as good as the first. */
function bestOf(
  left: readonly number[],
  { scores, within }: { scores: Float64Array; within: number },
  gapTo: (i: number) => number,
): number {
  const lowest = scores[left[0]!]! - within;
  let [best, widest] = [0, -1];
  for (let k = 0; k < left.length && scores[left[k]!]! >= lowest && widest < GAP; k++) {
    const gap = gapTo(left[k]!);
    if (gap > widest) [best, widest] = [k, gap];
  }
  return best;
}
