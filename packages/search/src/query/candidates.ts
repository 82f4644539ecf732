/*
 * The powers of two here are shifts because V8 keeps a power as a floating-point number, and then all that is computed
 * from it: the terms of two queries had fields of two kinds, and code compiled for one was thrown away at the other.
 */

/**
 * Documents per window of a search: a power of two. Half or twice as many took the same time within a tenth
 * (`bench/text.ts`, 2^13 to 2^16).
 */
export const WINDOW: number = 1 << 14;

/** Of a 31-bit total the upper 7 bits count the terms a document matches, the lower 24 bits add up its score. */
export const COVERAGE_SHIFT = 24;
export const COVERAGE_UNIT: number = 1 << COVERAGE_SHIFT;

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
