import type { Build } from '../build/build.ts';
import { bitmapWords } from '../postings/frequent.ts';
import { type Candidates, WINDOW } from './candidates.ts';
import { MAX_TERMS } from './plan.ts';
import type { QueryTerm } from './term.ts';

/** Documents are taken as words of 32 bits. */
const WORDS: number = WINDOW >> 5;

/** Documents that match this many terms are not told from those that match more. */
const MOST = 8;

/**
 * Finds the documents of a window that match enough of the frequent terms: from their bitmaps, 32 documents at a
 * time. For three or four terms that takes a tenth of the time that reading their postings took.
 */
export class Coverage {
  readonly #build: Build;
  /** A bitmap of the documents of the window that match enough. */
  readonly #enough: Int32Array = new Int32Array(WORDS);
  /** Where the window's words of each term begin in `bitmaps` of the frequent terms. */
  readonly #starts: Int32Array = new Int32Array(MAX_TERMS);

  constructor(build: Build) {
    this.#build = build;
  }

  /**
   * Adds to the candidates, with totals of 0, the other documents of the window that match at least `needed` (or MOST,
   * if that is less) of the terms from number `from` on, which are frequent.
   */
  find(terms: readonly QueryTerm[], from: number, needed: number, candidates: Candidates): void {
    const words = Math.min(WORDS, bitmapWords(this.#build.safeDocuments - candidates.first));
    const count = terms.length - from;
    for (let i = 0; i < count; i++) this.#starts[i] = terms[from + i]!.bitmap + (candidates.first >> 5);
    if (count <= 4) this.#countFew(count, needed, words);
    else this.#countMany(count, Math.min(needed, MOST), words);
    this.#removeCandidates(candidates);
    this.#collect(words, candidates);
  }

  /** Two to four terms at once, in a third of the time that `#countMany` takes. */
  #countFew(count: number, needed: number, words: number): void {
    const { bitmaps } = this.#build.frequent;
    const enough = this.#enough;
    const startA = this.#starts[0]!;
    const startB = this.#starts[1]!;
    const startC = this.#starts[2]!;
    const startD = this.#starts[3]!;
    for (let i = 0; i < words; i++) {
      const a = bitmaps[startA + i]!;
      const b = bitmaps[startB + i]!;
      const c = count < 3 ? 0 : bitmaps[startC + i]!;
      const d = count < 4 ? 0 : bitmaps[startD + i]!;
      if (needed === 2) enough[i] = (a & b) | (c & d) | ((a | b) & (c | d));
      else if (needed === 3) enough[i] = (a & b & (c | d)) | ((a | b) & c & d);
      else enough[i] = a & b & c & d;
    }
  }

  /**
   * Counts in binary, one bit of 32 counters in each number. They start at 8 - needed, so that one which reaches
   * needed overflows.
   */
  #countMany(count: number, needed: number, words: number): void {
    const { bitmaps } = this.#build.frequent;
    const starts = this.#starts;
    const start = 8 - needed;
    for (let i = 0; i < words; i++) {
      let ones = -(start & 1);
      let twos = -((start >> 1) & 1);
      let fours = -((start >> 2) & 1);
      let overflow = 0;
      for (let k = 0; k < count; k++) {
        const term = bitmaps[starts[k]! + i]!;
        const toTwos = ones & term;
        const toFours = twos & toTwos;
        overflow |= fours & toFours;
        ones ^= term;
        twos ^= toTwos;
        fours ^= toFours;
      }
      this.#enough[i] = overflow;
    }
  }

  #removeCandidates({ first, count, documents }: Candidates): void {
    const enough = this.#enough;
    for (let i = 0; i < count; i++) {
      const place = documents[i]! - first;
      enough[place >>> 5]! &= ~(1 << (place & 31));
    }
  }

  /**
   * Most words are empty or have one bit, which no processor can guess: so a first document is written without
   * looking whether there is one, and counted if there is.
   */
  #collect(words: number, candidates: Candidates): void {
    const enough = this.#enough;
    const { first, documents } = candidates;
    let { count } = candidates;
    for (let i = 0; i < words; i++) {
      let bits = enough[i]!;
      do {
        documents[count] = first + 32 * i + 31 - Math.clz32(bits & -bits);
        count += (bits | -bits) >>> 31;
        bits &= bits - 1;
      } while (bits !== 0);
    }
    candidates.totals.fill(0, candidates.count, count);
    candidates.count = count;
  }
}
