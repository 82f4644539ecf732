import type { Build } from '../build/build.ts';
import { COVERAGE_UNIT, type PlannedTerm, planQuery } from './plan.ts';
import { Top } from './top.ts';

/** No query has more hits than this. Source: the API contract, `count`. */
const MAX_HITS = 200;

export interface SearchOptions {
  /** At most this many hits; 200 if left out or larger. */
  limit?: number | undefined;
  /** One bit per document, document d in byte d >> 3 at 1 << (d & 7); a set bit takes the document out of all hits. */
  hidden?: Uint8Array | undefined;
}

/** What a search found, best first: document numbers, and the score of each. */
export interface Hits {
  documents: Uint32Array;
  /**
   * Descending. The whole part is the number of distinct query terms the document matches, the fraction its BM25F
   * score as a share of the highest score that the query could give.
   */
  scores: Float64Array;
}

/**
 * Searches one build. Holds 8 bytes per safe document to work in and does one search at a time: a thread needs one
 * searcher, and two threads need two.
 */
export class Searcher {
  readonly #build: Build;
  /** Running total by document number (layout: plan.ts); all zero between searches. */
  readonly #totals: Int32Array;
  /** The documents whose total is not zero, in the order they were met. */
  readonly #met: Uint32Array;

  constructor(build: Build) {
    this.#build = build;
    this.#totals = new Int32Array(build.safeDocuments);
    this.#met = new Uint32Array(build.safeDocuments);
  }

  /**
   * The safe documents that match any term of the query (see `analyse`). Those that match more of its distinct
   * terms come first, then those with the higher BM25F score, then the more popular.
   */
  search(query: string, options: SearchOptions = {}): Hits {
    const limit = Math.min(options.limit ?? MAX_HITS, MAX_HITS);
    const met = this.#accumulate(planQuery(this.#build, query));
    const { documents, totals } = this.#select(met, limit, options.hidden).drain();
    return { documents, scores: Float64Array.from(totals, (total) => total / COVERAGE_UNIT) };
  }

  /** Adds up the totals of all documents that match, and notes the documents; gives their number. */
  #accumulate(terms: PlannedTerm[]): number {
    const { postingDocuments, postingImpacts } = this.#build;
    const totals = this.#totals;
    let met = 0;
    for (const { start, end, weight } of terms) {
      for (let i = start; i < end; i++) {
        const document = postingDocuments[i]!;
        const total = totals[document]!;
        if (total === 0) this.#met[met++] = document;
        totals[document] = total + COVERAGE_UNIT + Math.imul(weight, postingImpacts[i]!);
      }
    }
    return met;
  }

  /** The best of the documents met; leaves all totals zero. */
  #select(met: number, limit: number, hidden: Uint8Array | undefined): Top {
    const totals = this.#totals;
    const top = new Top(limit);
    let threshold = 0;
    for (let i = 0; i < met; i++) {
      const document = this.#met[i]!;
      const total = totals[document]!;
      totals[document] = 0;
      if (total < threshold || (hidden !== undefined && isSet(hidden, document))) continue;
      top.offer(document, total);
      threshold = top.threshold;
    }
    return top;
  }
}

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
