import type { Build } from '../build/build.ts';
import type { Languages } from '../languages/languages.ts';
import { Candidates, COVERAGE_SHIFT, COVERAGE_UNIT, rankOf, WINDOW } from './candidates.ts';
import { Coverage } from './coverage.ts';
import { type Plan, planQuery } from './plan.ts';
import { Top } from './top.ts';
import { Totals } from './totals.ts';

/** No query has more hits than this. Source: the API contract, `count`. */
export const MAX_HITS = 200;

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
   * Descending. The whole part is the number of words the document matches, which is counted in short queries only
   * (words.ts), the fraction its BM25F score as a share of the highest score that the query could give.
   */
  scores: Float64Array;
}

/**
 * Searches one build. It has working memory of its own (200 KiB) and does one search at a time: a thread needs one
 * searcher, two threads need two.
 *
 * Documents are taken in windows of numbers, so popular ones first. In the first window all postings are read. There
 * soon are enough hits that match two terms, and later three, and then all documents that match fewer are out, as
 * coverage weighs more than any score: from then on the postings of frequent terms are not read. Their bitmaps tell
 * which documents match enough of them, and only what those documents get is looked up.
 */
export class Searcher {
  readonly #build: Build;
  readonly #languages: Languages | undefined;
  readonly #totals: Totals;
  readonly #coverage: Coverage;
  readonly #candidates = new Candidates(WINDOW);

  /** @param languages what words of other languages and emoji mean; without them they are looked for as they are */
  constructor(build: Build, languages?: Languages) {
    this.#build = build;
    this.#languages = languages;
    this.#totals = new Totals(build);
    this.#coverage = new Coverage(build);
  }

  /** How a query is understood. */
  plan(query: string): Plan {
    return planQuery(this.#build, query, this.#languages);
  }

  /**
   * The safe documents that match any word of the query (see `analyse`), or a form of it. If the query is short, those
   * that match more of its words come first; then those with the higher BM25F score, then the more popular.
   */
  search(query: string, options: SearchOptions = {}): Hits {
    return this.searchPlan(this.plan(query), options);
  }

  /** The same for a plan that was not searched before. */
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
    return { documents, scores: Float64Array.from(totals, (rank) => rank / COVERAGE_UNIT) };
  }

  /** The terms of the query that a safe document has: words, what they come from, neighbours as one, English meanings. */
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

  /** The score of each of these documents, as in `Hits.scores`; 0 for those that the query does not find. */
  score(query: string, documents: Uint32Array): Float64Array {
    return this.scorePlan(this.plan(query), documents);
  }

  scorePlan({ terms }: Plan, documents: Uint32Array): Float64Array {
    const candidates = new Candidates(documents.length);
    candidates.documents.set(documents);
    candidates.count = documents.length;
    for (const term of terms) term.addTo(candidates);
    /** What was added up for an adult document means nothing: bitmaps have no place for it. */
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
