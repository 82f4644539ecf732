import type { PostingRange, Segment } from '../build/segment.ts';
import { bitmapWords, blockCount, blockOf, countBits } from '../postings/frequent.ts';
import { firstFrom, postingDocument, postingImpact } from '../postings/posting.ts';
import { type Candidates, COVERAGE_UNIT } from './candidates.ts';

/** How much a term counts in a query. */
export interface TermWorth {
  term: string;
  /** The words of the query that a document with this term matches, as one bit per word. */
  covers: number;
  /** Integer idf. */
  weight: number;
  /** The words and the maximum score that all later terms of the plan can add to a total. */
  later: { covers: number; score: number };
}

/** One term of a query: the amount that it adds to totals, and its postings, which are read window by window. */
export class QueryTerm {
  /** Bits that the term adds to a document's total. The term also adds weight × impact. */
  readonly covered: number;
  readonly term: string;
  readonly weight: number;
  readonly later: TermWorth['later'];
  /** Start of the term in `bitmaps` and `places` of the frequent terms, or -1 if the term is not frequent. */
  readonly bitmap: number;
  /** The postings of the window: from `start` to `stop`. Empty before the first window. */
  start: number;
  stop: number;
  readonly #segment: Segment;
  /** Start of the term in `bases`. */
  readonly #bases: number;
  readonly #begin: number;
  readonly #end: number;

  constructor(segment: Segment, { start, end, frequent }: PostingRange, { term, covers, weight, later }: TermWorth) {
    this.term = term;
    this.covered = covers * COVERAGE_UNIT;
    this.weight = weight;
    this.later = later;
    this.bitmap = frequent < 0 ? -1 : frequent * bitmapWords(segment.safeDocuments);
    this.start = start;
    this.stop = start;
    this.#segment = segment;
    this.#bases = frequent * blockCount(segment.safeDocuments);
    this.#begin = start;
    this.#end = end;
  }

  /** Advances to the window that ends before document `end`, by galloping search. */
  advance(end: number): void {
    const { postings } = this.#segment;
    const start = this.stop;
    let step = 1;
    while (start + step < this.#end && postingDocument(postings[start + step]!) < end) step *= 2;
    this.start = start;
    this.stop = firstFrom(postings, end, start + (step >> 1), Math.min(start + step, this.#end));
  }

  /** Adds the term's score to the total of each candidate that has the term. The candidates can be of any window. */
  addTo(candidates: Candidates): void {
    if (this.bitmap < 0) this.#addFromList(candidates);
    else this.#addFromBitmap(candidates);
  }

  #addFromList({ count, documents, totals }: Candidates): void {
    const { postings } = this.#segment;
    for (let i = 0; i < count; i++) {
      const document = documents[i]!;
      const at = firstFrom(postings, document, this.#begin, this.#end);
      if (at === this.#end || postingDocument(postings[at]!) !== document) continue;
      totals[i] = (totals[i]! | this.covered) + Math.imul(this.weight, postingImpact(postings[at]!));
    }
  }

  /**
   * The loop has no branch, because a processor cannot predict which documents have a term, and a wrong prediction
   * takes as long as the rest of the loop. For documents without the term, the impact of another document is read and
   * multiplied by 0.
   */
  #addFromBitmap({ count, documents, totals }: Candidates): void {
    const { bitmaps, places, bases, impacts } = this.#segment.frequent;
    const { bitmap, covered, weight } = this;
    for (let i = 0; i < count; i++) {
      const document = documents[i]!;
      const word = bitmap + (document >>> 5);
      const bits = bitmaps[word]!;
      const before = bits & ((1 << (document & 31)) - 1);
      const has = (bits >>> (document & 31)) & 1;
      const base = bases[this.#bases + blockOf(document)]!;
      const impact = impacts[base + places[word]! + countBits(before)]!;
      totals[i] = (totals[i]! | Math.imul(has, covered)) + Math.imul(has, Math.imul(weight, impact));
    }
  }
}
