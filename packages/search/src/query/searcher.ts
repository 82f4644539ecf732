import type { Build } from '../build/build.ts';
import type { Languages } from '../languages/languages.ts';
import type { Suggester } from '../suggest/suggester.ts';
import { Candidates, COVERAGE_UNIT } from './candidates.ts';
import { mergeHits } from './merge.ts';
import { type Plan, planQuery } from './plan.ts';
import { SegmentSearcher } from './segment-searcher.ts';

/** Maximum number of hits. Source: the API contract, `count`. */
export const MAX_HITS = 200;

export interface SearchOptions {
  /** Maximum number of hits. The default and the upper limit are 200. */
  limit?: number | undefined;
  /**
   * A bit for each document. The bit of document d is in byte d >> 3 at 1 << (d & 7). A set bit hides the document. In
   * a build with deltas, the bits must include the bits of `Numbering.retired`.
   */
  hidden?: Uint8Array | undefined;
}

/** Results of a search, best first: document numbers and scores. */
export interface Hits {
  documents: Uint32Array;
  /**
   * Scores, descending. The integer part is the number of words that the document matches. It is 0 in long queries
   * (words.ts). The fraction is its BM25F score as a share of the query's maximum.
   */
  scores: Float64Array;
}

/** Searches one build. It runs one search at a time, so each thread needs its own searcher. */
export class Searcher {
  readonly build: Build;
  readonly #languages: Languages | undefined;
  readonly #suggester: Suggester | undefined;
  readonly #segments: readonly SegmentSearcher[];

  /**
   * @param languages translates other languages and emoji. Without this parameter, words of other languages and emoji
   *   are searched as they are
   * @param suggester of the build; knows which words are names
   */
  constructor(build: Build, languages?: Languages, suggester?: Suggester) {
    this.build = build;
    this.#languages = languages;
    this.#suggester = suggester;
    this.#segments = build.segments.map((segment) => new SegmentSearcher(segment));
  }

  /** Returns how a query is interpreted. @param preferred number of the user's language (`languageOf`) */
  plan(query: string, preferred?: number): Plan {
    return planQuery(this.build, query, { languages: this.#languages, preferred, suggester: this.#suggester });
  }

  /**
   * Returns the safe documents that match at least one word of the query (see `analyse`), or a form of a word. In a
   * short query, documents that match more of its words come first, then documents with a higher BM25F score, then the
   * more popular ones.
   */
  search(query: string, options: SearchOptions = {}): Hits {
    return this.searchPlan(this.plan(query), options);
  }

  /** Searches with a plan. A plan can be used only once. */
  searchPlan({ terms, words }: Plan, options: SearchOptions = {}): Hits {
    // A document with a lower total matches only function words.
    const lowest = words > 0 ? COVERAGE_UNIT : 0;
    const limit = Math.min(options.limit ?? MAX_HITS, MAX_HITS);
    const { starts } = this.build.numbering;
    let best: Hits = NO_HITS;
    for (const [i, segment] of this.#segments.entries()) {
      const start = starts[i]!;
      const least = Math.max(lowest, (best.scores[limit - 1] ?? 0) * COVERAGE_UNIT);
      const hidden = options.hidden?.subarray(start >> 3);
      const { documents, totals } = segment.search(terms[i]!, { limit, least, hidden });
      const found = {
        documents: start === 0 ? documents : documents.map((document) => document + start),
        scores: new Float64Array(totals).map((total) => total / COVERAGE_UNIT),
      };
      best = i === 0 ? found : mergeHits(best, found, { build: this.build, limit });
    }
    return best;
  }

  /**
   * Returns the terms of the query that a safe document has: words, base forms, joined neighbours, English meanings.
   */
  matchedTerms(query: string, document: number, preferred?: number): string[] {
    const { numbering } = this.build;
    const segment = numbering.segmentOf(document);
    const one = new Candidates(1);
    one.documents[0] = document - numbering.starts[segment]!;
    one.count = 1;
    return this.plan(query, preferred).terms[segment]!.flatMap((term) => {
      one.totals[0] = 0;
      term.addTo(one);
      return one.totals[0] === 0 ? [] : [term.term];
    });
  }

  /** Returns the scores of these documents, as in `Hits.scores`, or 0 for documents that the query does not find. */
  score(query: string, documents: Uint32Array, preferred?: number): Float64Array {
    return this.scorePlan(this.plan(query, preferred), documents);
  }

  scorePlan({ terms }: Plan, documents: Uint32Array): Float64Array {
    return this.build.scoreEach(documents, (segment, some) => this.#segments[segment]!.score(terms[segment]!, some));
  }
}

const NO_HITS: Hits = { documents: new Uint32Array(), scores: new Float64Array() };
