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
