import { countBits } from '../postings/frequent.ts';

/*
 * Powers of two are written as shifts, because V8 stores the result of `**`, and everything computed from it, as a
 * floating-point number. With `**`, the fields of a query's terms changed their type from query to query, and V8
 * discarded the code that it had compiled for the previous query.
 */

/**
 * Number of documents per window of a search, a power of two. Half or twice this number changed the time by less than a
 * tenth (`bench text`, 2^13 to 2^16).
 */
export const WINDOW: number = 1 << 14;

/**
 * The lower 24 bits of a total are the score. The higher bits show which words of a short query the document matches.
 * For ranking, `rankOf` replaces the higher bits by the number of matched words.
 */
export const COVERAGE_SHIFT = 24;
export const COVERAGE_UNIT: number = 1 << COVERAGE_SHIFT;
const SCORE_MASK: number = COVERAGE_UNIT - 1;

/**
 * Coverage counts in queries of at most this many words, not counting function words
 * (docs/adr/0006-coverage-in-short-queries.md).
 */
export const MAX_COVERED = 4;

/**
 * Returns the total with the bits for the matched words replaced by the number of these words. A higher total is
 * better.
 */
export function rankOf(total: number): number {
  return (countBits(total >>> COVERAGE_SHIFT) << COVERAGE_SHIFT) | (total & SCORE_MASK);
}

/** Maximum impact of a posting. An impact has 8 bits. */
export const MAX_IMPACT = 255;

/** Candidate documents of a window with their totals. The positions from 0 to `count` (exclusive) are in use. */
export class Candidates {
  /** The first document of the window. */
  first = 0;
  count = 0;
  readonly documents: Uint32Array;
  readonly totals: Int32Array;

  constructor(capacity: number) {
    this.documents = new Uint32Array(capacity);
    this.totals = new Int32Array(capacity);
  }
}
