import type { Build } from '../build/build.ts';
import { postingDocument, postingImpact } from '../postings/posting.ts';
import { COVERAGE_UNIT, type PlannedTerm, planQuery } from './plan.ts';
import { Top } from './top.ts';

/** No query has more hits than this. Source: the API contract, `count`. */
const MAX_HITS = 200;

/** Documents per window: a power of two. */
const WINDOW = 2 ** 14;

/** The highest impact of a posting: 8 bits. */
const MAX_IMPACT = 255;

/** One look-up in a list takes as long as reading about this many postings in a row (`npm run bench text`). */
const LOOKUP_COST = 16;

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
 * Searches one build. It has working memory of its own (64 KiB) and does one search at a time: a thread needs one
 * searcher, two threads need two.
 *
 * Documents are taken in windows of numbers, so popular ones first, and each window term by term: its running totals
 * then stay in the processor's first cache (as in Lucene's BooleanScorer). Terms come rarest first. A document that
 * no earlier term has met can still get at most its impact and all that the later terms may add; where that cannot
 * beat the hits kept so far, it is not begun, and one that has fallen too far behind is dropped (as in MaxScore).
 * Because coverage weighs more than any score, this soon rules out documents that match too few terms; the few that
 * are left are then looked up in the longer lists instead of reading those.
 */
export class Searcher {
  readonly #build: Build;
  /** Running totals (layout: plan.ts) by place in the window; all zero between windows. */
  readonly #totals: Int32Array = new Int32Array(WINDOW);
  /** The documents of the window whose total is not zero, in the order they were met. */
  readonly #met: Uint32Array = new Uint32Array(WINDOW);

  constructor(build: Build) {
    this.#build = build;
  }

  /**
   * The safe documents that match any term of the query (see `analyse`). Those that match more of its distinct
   * terms come first, then those with the higher BM25F score, then the more popular.
   */
  search(query: string, options: SearchOptions = {}): Hits {
    const terms = planQuery(this.#build, query);
    const top = new Top(Math.min(options.limit ?? MAX_HITS, MAX_HITS));
    for (let end = WINDOW; end < this.#build.safeDocuments + WINDOW; end += WINDOW) {
      const met = this.#accumulate(terms, end, top.worst + 1);
      this.#select(met, top, options.hidden);
    }
    const { documents, totals } = top.drain();
    return { documents, scores: Float64Array.from(totals, (total) => total / COVERAGE_UNIT) };
  }

  /**
   * Adds up the totals of the window that ends before document `end`, leaving out documents that cannot reach `bar`;
   * gives the number of documents met. Not a for-of: it would keep an iterator open around the inner loop, which
   * costs that a third of its speed (V8 13.6).
   */
  #accumulate(terms: PlannedTerm[], end: number, bar: number): number {
    let met = 0;
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      const least = (bar - term.rest - COVERAGE_UNIT) / term.weight;
      const stop = this.#seek(term, end);
      if (least > MAX_IMPACT && met * LOOKUP_COST < stop - term.start) this.#lookUp(term, stop, met);
      else met = this.#add(term, stop, least, met);
      term.start = stop;
      if (bar > term.rest) met = this.#drop(met, bar - term.rest);
    }
    return met;
  }

  /** Where the term's postings before document `end` stop: steps that double, then halve. */
  #seek({ start, end: listEnd }: PlannedTerm, end: number): number {
    const { postings } = this.#build;
    let step = 1;
    while (start + step < listEnd && postingDocument(postings[start + step]!) < end) step *= 2;
    return lowerBound(postings, end, start + (step >> 1), Math.min(start + step, listEnd));
  }

  /** Adds a term to the documents met so far, looking each of them up: for a few documents and a long list. */
  #lookUp({ start, weight }: PlannedTerm, stop: number, met: number): void {
    const { postings } = this.#build;
    const totals = this.#totals;
    const documentsMet = this.#met;
    for (let i = 0; i < met; i++) {
      const document = documentsMet[i]!;
      const at = lowerBound(postings, document, start, stop);
      if (at === stop) continue;
      const posting = postings[at]!;
      if (postingDocument(posting) !== document) continue;
      totals[document & (WINDOW - 1)]! += COVERAGE_UNIT + Math.imul(weight, postingImpact(posting));
    }
  }

  /** Forgets the documents met whose total is below `least`: the terms to come cannot make up for it. */
  #drop(met: number, least: number): number {
    const totals = this.#totals;
    const documentsMet = this.#met;
    let kept = 0;
    for (let i = 0; i < met; i++) {
      const document = documentsMet[i]!;
      const place = document & (WINDOW - 1);
      if (totals[place]! < least) totals[place] = 0;
      else documentsMet[kept++] = document;
    }
    return kept;
  }

  /** Adds a term to its documents up to posting `stop`, but begins none where its impact is below `least`. */
  #add({ start, weight }: PlannedTerm, stop: number, least: number, metBefore: number): number {
    const { postings } = this.#build;
    const totals = this.#totals;
    const documentsMet = this.#met;
    let met = metBefore;
    for (let i = start; i < stop; i++) {
      const posting = postings[i]!;
      const impact = postingImpact(posting);
      const document = postingDocument(posting);
      const place = document & (WINDOW - 1);
      const total = totals[place]!;
      if (total === 0) {
        if (impact < least) continue;
        documentsMet[met++] = document;
      }
      totals[place] = total + COVERAGE_UNIT + Math.imul(weight, impact);
    }
    return met;
  }

  /** Offers the documents met, and leaves all totals zero. */
  #select(met: number, top: Top, hidden: Uint8Array | undefined): void {
    const totals = this.#totals;
    const documentsMet = this.#met;
    for (let i = 0; i < met; i++) {
      const document = documentsMet[i]!;
      const place = document & (WINDOW - 1);
      const total = totals[place]!;
      totals[place] = 0;
      if (total < top.worst || (hidden !== undefined && isSet(hidden, document))) continue;
      top.offer(document, total);
    }
  }
}

/** The first posting from `low` on, before `high`, whose document is not below `document`; `high` if there is none. */
function lowerBound(postings: Build['postings'], document: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (postingDocument(postings[middle]!) < document) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
