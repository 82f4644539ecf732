/**
 * A posting says that a document has a term, and what the term adds to the document's score there. It is one
 * unsigned 32-bit number, so that a search reads one array, and lists of postings ascend by document:
 *
 *   31 ──────── document, 24 bits ──────── 8 7 ── impact, 1 to 255 ── 0
 */

/** The most documents of one build, 16,777,216. More belong into several builds. */
export const MAX_DOCUMENTS: number = 2 ** 24;

export function makePosting(document: number, impact: number): number {
  return ((document << 8) | impact) >>> 0;
}

export function postingDocument(posting: number): number {
  return posting >>> 8;
}

export function postingImpact(posting: number): number {
  return posting & 255;
}

/** The first place from `from` up to `to` where a list has `document` or a later one; `to` if it has none there. */
export function firstFrom(postings: Uint32Array, document: number, from = 0, to: number = postings.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (postingDocument(postings[middle]!) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}
