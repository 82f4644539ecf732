import type { Segment } from '../build/segment.ts';
import { Candidates, COVERAGE_SHIFT, COVERAGE_UNIT, rankOf, WINDOW } from './candidates.ts';
import { Coverage } from './coverage.ts';
import type { QueryTerm } from './term.ts';
import { Top } from './top.ts';
import { Totals } from './totals.ts';

export interface SegmentSearchOptions {
  limit: number;
  /**
   * Minimum total. Documents with lower totals are not found, either because other segments have enough documents with
   * at least this total, or because a lower total means that the document has only function words of the query.
   */
  least: number;
  /** A bit for each document. The bit of document d is in byte d >> 3 at 1 << (d & 7). A set bit hides the document. */
  hidden: Uint8Array | undefined;
}

/**
 * The best documents of one segment, as document numbers of the segment, best first, and their totals as in `rankOf`.
 */
export interface SegmentHits {
  documents: Uint32Array;
  totals: Int32Array;
}

/**
 * Searches one segment, with its own working memory (200 KiB).
 *
 * Documents are processed in windows of document numbers, so popular documents come first. In the first window, all
 * postings are read. Soon there are enough hits that match two terms, and later three terms. From then on, documents
 * that match fewer terms are ignored, because coverage outweighs any score. The postings of frequent terms are no
 * longer read. Instead, the bitmaps of these terms show which documents match enough terms, and only the impacts of
 * those documents are looked up.
 */
export class SegmentSearcher {
  readonly #segment: Segment;
  readonly #totals: Totals;
  readonly #coverage: Coverage;
  readonly #candidates = new Candidates(WINDOW);

  constructor(segment: Segment) {
    this.#segment = segment;
    this.#totals = new Totals(segment);
    this.#coverage = new Coverage(segment);
  }

  /** @param terms the terms of a plan, which can be used only once */
  search(terms: readonly QueryTerm[], { limit, least, hidden }: SegmentSearchOptions): SegmentHits {
    const top = new Top(limit);
    const candidates = this.#candidates;
    for (let first = 0; first < this.#segment.safeDocuments; first += WINDOW) {
      candidates.first = first;
      const bar = Math.max(top.worst + 1, least);
      const needed = bar >> COVERAGE_SHIFT;
      const added = this.#totals.find(terms, bar, candidates);
      if (needed > 1) this.#coverage.find(terms, added, needed, candidates);
      for (let i = added; i < terms.length; i++) terms[i]!.addTo(candidates);
      offerAll(candidates, top, { least, hidden });
    }
    return top.drain();
  }

  /** Returns the scores of these documents, as in `Hits.scores`, or 0 for documents that the terms do not find. */
  score(terms: readonly QueryTerm[], documents: Uint32Array): Float64Array {
    const candidates = new Candidates(documents.length);
    candidates.documents.set(documents);
    candidates.count = documents.length;
    for (const term of terms) term.addTo(candidates);
    /** Totals of adult documents are meaningless, because bitmaps do not include adult documents. */
    return Float64Array.from(documents, (document, i) =>
      document >= this.#segment.safeDocuments ? 0 : rankOf(candidates.totals[i]!) / COVERAGE_UNIT,
    );
  }
}

function offerAll(
  { count, documents, totals }: Candidates,
  top: Top,
  { least, hidden }: Omit<SegmentSearchOptions, 'limit'>,
): void {
  let worst = Math.max(top.worst, least);
  for (let i = 0; i < count; i++) {
    const rank = rankOf(totals[i]!);
    if (rank < worst) continue;
    const document = documents[i]!;
    if (hidden !== undefined && isSet(hidden, document)) continue;
    top.offer(document, rank);
    worst = Math.max(top.worst, least);
  }
}

function isSet(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] ?? 0) & (1 << (i & 7))) !== 0;
}
