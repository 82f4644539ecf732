import type { Segment } from '../build/segment.ts';
import { bitmapWords } from '../postings/frequent.ts';
import { type Candidates, COVERAGE_SHIFT, MAX_COVERED, WINDOW } from './candidates.ts';
import type { QueryTerm } from './term.ts';

/** Documents are processed in words of 32 bits. */
const WORDS: number = WINDOW >> 5;

/**
 * Finds the documents of a window in which frequent terms match enough of the query's words. It reads bitmaps, 32
 * documents at a time, which takes a tenth of the time of reading postings.
 */
export class Coverage {
  readonly #segment: Segment;
  /** For each word of the query, a bitmap of the window's documents that match it. */
  readonly #matching: readonly Int32Array[] = Array.from({ length: MAX_COVERED }, () => new Int32Array(WORDS));
  /** Bitmap of the documents that match enough words. */
  readonly #enough: Int32Array = new Int32Array(WORDS);

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  /**
   * Adds further documents of the window to the candidates, with a total of 0: those in which the frequent terms from
   * number `from` on match at least `needed` words (2 to 4).
   */
  find(terms: readonly QueryTerm[], from: number, needed: number, candidates: Candidates): void {
    const words = Math.min(WORDS, bitmapWords(this.#segment.safeDocuments - candidates.first));
    let covered = 0;
    for (let word = 0; word < MAX_COVERED; word++) {
      if (this.#match(word, terms.slice(from), candidates.first >> 5)) covered += 1;
    }
    if (covered < needed) return;
    this.#count(needed, words);
    this.#removeCandidates(candidates);
    this.#collect(words, candidates);
  }

  /** Joins the bitmaps of the terms for one word of the query. @returns false if there are no such terms */
  #match(word: number, terms: readonly QueryTerm[], first: number): boolean {
    const { bitmaps } = this.#segment.frequent;
    const matching = this.#matching[word]!.fill(0);
    let found = false;
    for (const { bitmap, covered } of terms) {
      if (((covered >>> COVERAGE_SHIFT) & (1 << word)) === 0) continue;
      found = true;
      const start = bitmap + first;
      for (let i = 0; i < WORDS; i++) matching[i]! |= bitmaps[start + i]!;
    }
    return found;
  }

  #count(needed: number, words: number): void {
    const [first, second, third, fourth] = this.#matching as [Int32Array, Int32Array, Int32Array, Int32Array];
    const enough = this.#enough;
    for (let i = 0; i < words; i++) {
      const a = first[i]!;
      const b = second[i]!;
      const c = third[i]!;
      const d = fourth[i]!;
      if (needed === 2) enough[i] = (a & b) | (c & d) | ((a | b) & (c | d));
      else if (needed === 3) enough[i] = (a & b & (c | d)) | ((a | b) & c & d);
      else enough[i] = a & b & c & d;
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
   * Most bitmap words have either no set bit or one, and a processor cannot predict which. Therefore the first document
   * is always written, but it is counted only if it exists.
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
