import type { Segment } from '../build/segment.ts';
import { countBits } from '../postings/frequent.ts';
import { postingDocument, postingImpact } from '../postings/posting.ts';
import { type Candidates, COVERAGE_SHIFT, COVERAGE_UNIT, MAX_IMPACT, rankOf, WINDOW } from './candidates.ts';
import type { QueryTerm } from './term.ts';

/** Value of `later` for the last term. */
const NOTHING: QueryTerm['later'] = { covers: 0, score: 0 };

/**
 * Adds up the postings of a window, term by term, so that the totals stay in the first-level cache (as in Lucene's
 * BooleanScorer). The rarest term comes first. If no earlier term matched a document, the highest total that it can
 * reach is this term's impact plus the maximum of the later terms. If this total is below the bar, the document is
 * skipped (as in MaxScore).
 */
export class Totals {
  readonly #segment: Segment;
  /** Totals, indexed by position in the window. All are zero between calls. */
  readonly #totals: Int32Array = new Int32Array(WINDOW);

  constructor(segment: Segment) {
    this.#segment = segment;
  }

  /**
   * Fills the candidates with the documents of their window that match an added term and can still reach the minimum
   * total `bar`. Returns the number of terms added up. The remaining terms are frequent and are looked up only for the
   * candidates. None of the remaining terms can reach the bar alone, and their bitmaps show whether several of them can
   * (coverage.ts). The bar must never fall from one window to the next, because a skipped term stays skipped.
   *
   * This is not a for-of loop, because an iterator that stays open around the inner loop costs a third of its speed (V8
   * 13.6).
   */
  find(terms: readonly QueryTerm[], bar: number, candidates: Candidates): number {
    candidates.count = 0;
    let later = NOTHING;
    let added = 0;
    for (; added < terms.length; added++) {
      const term = terms[added]!;
      const most = countBits((term.covered >>> COVERAGE_SHIFT) | term.later.covers) * COVERAGE_UNIT + term.later.score;
      const least = (bar - most) / term.weight;
      if (term.bitmap >= 0 && (least > MAX_IMPACT || bar >= 2 * COVERAGE_UNIT)) break;
      term.advance(candidates.first + WINDOW);
      this.#add(term, least, candidates);
      later = term.later;
    }
    this.#takeTotals(candidates, bar, later);
    return added;
  }

  /** Adds a term to its documents. Skips new documents whose impact is below `least`. */
  #add({ start, stop, covered, weight }: QueryTerm, least: number, candidates: Candidates): void {
    const { postings } = this.#segment;
    const totals = this.#totals;
    const { documents } = candidates;
    let { count } = candidates;
    for (let i = start; i < stop; i++) {
      const posting = postings[i]!;
      const impact = postingImpact(posting);
      const document = postingDocument(posting);
      const place = document & (WINDOW - 1);
      const total = totals[place]!;
      if (total === 0) {
        if (impact < least) continue;
        documents[count++] = document;
      }
      totals[place] = (total | covered) + Math.imul(weight, impact);
    }
    candidates.count = count;
  }

  /** Keeps the candidates that can reach the bar if the later terms add their maximum. */
  #takeTotals(candidates: Candidates, bar: number, later: QueryTerm['later']): void {
    const { count, documents, totals } = candidates;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const document = documents[i]!;
      const total = this.#totals[document & (WINDOW - 1)]!;
      this.#totals[document & (WINDOW - 1)] = 0;
      if (rankOf(total | (later.covers << COVERAGE_SHIFT)) + later.score < bar) continue;
      documents[kept] = document;
      totals[kept++] = total;
    }
    candidates.count = kept;
  }
}
