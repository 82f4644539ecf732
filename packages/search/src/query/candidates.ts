import { countBits } from '../postings/frequent.ts';

/*
 * The powers of two here are shifts because V8 keeps a power as a floating-point number, and then all that is computed
 * from it: the terms of two queries had fields of two kinds, and code compiled for one was thrown away at the other.
 */

/**
 * Documents per window of a search: a power of two. Half or twice as many took the same time within a tenth
 * (`bench text`, 2^13 to 2^16).
 */
export const WINDOW: number = 1 << 14;

/**
 * Of a total the lower 24 bits add up the score; the bits above say which words of a short query the document matches.
 * To rank, their number takes their place (`rankOf`).
 */
export const COVERAGE_SHIFT = 24;
export const COVERAGE_UNIT: number = 1 << COVERAGE_SHIFT;
const SCORE_MASK: number = COVERAGE_UNIT - 1;

/** In queries of more words besides function words coverage does not count (docs/adr/0006-coverage-in-short-queries.md). */
export const MAX_COVERED = 4;

/** A total with the number of matched words in the place of the words: the higher, the better the document. */
export function rankOf(total: number): number {
  return (countBits(total >>> COVERAGE_SHIFT) << COVERAGE_SHIFT) | (total & SCORE_MASK);
}

/** The highest impact of a posting: 8 bits. */
export const MAX_IMPACT = 255;

/** Documents of a window that may be hits, and the total of each: at places 0 up to `count`. */
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
