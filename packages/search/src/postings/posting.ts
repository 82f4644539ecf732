/**
 * A posting is a document with a term, and the amount that the term adds to the document's score. It is a single
 * unsigned 32-bit number, so a search reads only one array. Lists of postings are sorted by document:
 *
 *   31 ──────── document, 24 bits ──────── 8 7 ── impact, 1 to 255 ── 0
 */

/** Maximum number of documents of a build, 16,777,216. A catalogue with more documents needs several builds. */
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

/**
 * Returns the first position between `from` and `to` whose posting is of `document` or of a later document, or `to` if
 * there is none.
 */
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
