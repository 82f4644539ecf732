import type { Build } from '../build/build.ts';
import type { Languages } from '../languages/languages.ts';
import { Candidates, COVERAGE_SHIFT, COVERAGE_UNIT, rankOf, WINDOW } from './candidates.ts';
import { Coverage } from './coverage.ts';
import { type Plan, planQuery } from './plan.ts';
import { Top } from './top.ts';
import { Totals } from './totals.ts';

/** Maximum number of hits. Source: the API contract, `count`. */
export const MAX_HITS = 200;

export interface SearchOptions {
  /** Maximum number of hits; default and limit 200. */
  limit?: number | undefined;
  /** One bit per document, document d in byte d >> 3 at 1 << (d & 7); a set bit hides the document. */
  hidden?: Uint8Array | undefined;
}

/** Results of a search, best first: document numbers and scores. */
export interface Hits {
  documents: Uint32Array;
  /**
   * Descending. The integer part is the number of words that the document matches, counted only in short queries
   * (words.ts); the fraction is its BM25F score as a share of the query's maximum.
   */
  scores: Float64Array;
}

/**
 * Searches one build. It has its own working memory (200 KiB) and runs one search at a time, so each thread needs one.
 *
 * Documents are processed in windows of numbers, so popular ones come first. In the first window, all postings are
 * read. Soon there are enough hits that match two terms, later three. From then on, documents that match fewer terms
 * are ignored, because coverage outweighs any score. The postings of frequent terms are no longer read: their bitmaps
 * show which documents match enough of them, and only the impacts of those documents are looked up.
 */
export class Searcher {
  readonly #build: Build;
  readonly #languages: Languages | undefined;
  readonly #totals: Totals;
  readonly #coverage: Coverage;
  readonly #candidates = new Candidates(WINDOW);

  /** @param languages translates other languages and emoji; without it, they are searched as they are */
  constructor(build: Build, languages?: Languages) {
    this.#build = build;
    this.#languages = languages;
    this.#totals = new Totals(build);
    this.#coverage = new Coverage(build);
  }

  /** How a query is interpreted. */
  plan(query: string): Plan {
    return planQuery(this.#build, query, this.#languages);
  }

  /**
   * The safe documents that match any word of the query (see `analyse`), or a form of it. In a short query, those that
   * match more of its words come first; then those with the higher BM25F score, then the more popular ones.
   */
  search(query: string, options: SearchOptions = {}): Hits {
    return this.searchPlan(this.plan(query), options);
  }

  /** The same for a plan, which can be used only once. */
  searchPlan({ terms }: Plan, options: SearchOptions = {}): Hits {
    const top = new Top(Math.min(options.limit ?? MAX_HITS, MAX_HITS));
    const candidates = this.#candidates;
    for (let first = 0; first < this.#build.safeDocuments; first += WINDOW) {
      candidates.first = first;
      const bar = top.worst + 1;
      const needed = bar >> COVERAGE_SHIFT;
      const added = this.#totals.find(terms, bar, candidates);
      if (needed > 1) this.#coverage.find(terms, added, needed, candidates);
      for (let i = added; i < terms.length; i++) terms[i]!.addTo(candidates);
      offerAll(candidates, top, options.hidden);
    }
    const { documents, totals } = top.drain();
    return { documents, scores: new Float64Array(totals).map((rank) => rank / COVERAGE_UNIT) };
  }

  /** The terms of the query that a safe document has: words, base forms, joined neighbours, English meanings. */
  matchedTerms(query: string, document: number): string[] {
    const one = new Candidates(1);
    one.documents[0] = document;
    one.count = 1;
    const { terms } = this.plan(query);
    return terms.flatMap((term) => {
      one.totals[0] = 0;
      term.addTo(one);
      return one.totals[0] === 0 ? [] : [term.term];
    });
  }

  /** Scores of these documents, as in `Hits.scores`; 0 for those that the query does not find. */
  score(query: string, documents: Uint32Array): Float64Array {
    return this.scorePlan(this.plan(query), documents);
  }

  scorePlan({ terms }: Plan, documents: Uint32Array): Float64Array {
    const candidates = new Candidates(documents.length);
    candidates.documents.set(documents);
    candidates.count = documents.length;
    for (const term of terms) term.addTo(candidates);
    /** Totals of adult documents are meaningless, because bitmaps do not include them. */
    return Float64Array.from(documents, (document, i) =>
      this.#build.isAdult(document) ? 0 : rankOf(candidates.totals[i]!) / COVERAGE_UNIT,
    );
  }
}

function offerAll({ count, documents, totals }: Candidates, top: Top, hidden: Uint8Array | undefined): void {
  let { worst } = top;
  for (let i = 0; i < count; i++) {
    const rank = rankOf(totals[i]!);
    if (rank < worst) continue;
    const document = documents[i]!;
    if (hidden !== undefined && isSet(hidden, document)) continue;
    top.offer(document, rank);
    worst = top.worst;
  }
}

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
