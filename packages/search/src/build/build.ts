import { OFFENSIVE_TERM } from '../analysis/offensive.ts';
import { postingDocument } from '../postings/posting.ts';
import type { TermTable } from '../suggest/term-table.ts';
import { compareDocuments } from './document.ts';
import { Numbering } from './numbering.ts';
import type { Segment } from './segment.ts';
import type { Statistics } from './statistics.ts';

/** A delta's document, and the number of safe documents of the base that come before it. */
interface Placed {
  document: number;
  place: number;
}

interface RankedDeltas {
  /** The safe documents of the deltas, in the order of `compareDocuments`. */
  placed: readonly Placed[];
  /** The rank of each document, indexed by the document's number minus the end of the base. */
  ranks: Float64Array;
}

/**
 * An open build: a base and the deltas that followed it. A build never changes, so any number of threads can read it.
 * Documents are identified by their number in the build (see numbering.ts).
 */
export class Build implements Statistics {
  readonly segments: readonly Segment[];
  readonly numbering: Numbering;
  /**
   * The number of safe documents in all segments. This number includes retired documents, as do the frequencies of
   * terms.
   */
  readonly safeDocuments: number;
  /** The number of safe documents that are not retired. */
  readonly shownDocuments: number;
  /** The ranks of the deltas' documents, computed when `rank` or `byRank` first needs them. */
  #deltas: RankedDeltas | undefined;
  #offensive: Uint8Array | undefined;

  /** @param segments the base, then the deltas in the order in which they were written */
  constructor(segments: readonly Segment[]) {
    this.segments = segments;
    this.numbering = new Numbering(segments);
    this.safeDocuments = segments.reduce((sum, segment) => sum + segment.safeDocuments, 0);
    this.shownDocuments = segments.reduce((shown, { manifest }) => shown - manifest.retiredSafe, this.safeDocuments);
  }

  /** The terms for completing queries, one table for each segment. */
  get suggestions(): TermTable[] {
    return this.segments.map(({ suggestions }) => suggestions);
  }

  /**
   * The safe documents with an offensive word (`readTexts`): a bit for each document. The bit of document d is in byte
   * d >> 3 at 1 << (d & 7).
   */
  get offensive(): Uint8Array {
    this.#offensive ??= this.#findOffensive();
    return this.#offensive;
  }

  #findOffensive(): Uint8Array {
    const bits = new Uint8Array((this.numbering.end + 7) >> 3);
    for (const [i, segment] of this.segments.entries()) {
      const { start, end } = segment.postingsOf(OFFENSIVE_TERM) ?? { start: 0, end: 0 };
      for (const posting of segment.postings.subarray(start, end)) {
        const document = this.numbering.starts[i]! + postingDocument(posting);
        bits[document >> 3]! |= 1 << (document & 7);
      }
    }
    return bits;
  }

  get #baseEnd(): number {
    return this.numbering.starts[1] ?? this.numbering.end;
  }

  #rankDeltas(): RankedDeltas {
    const placed = this.#placeDeltas();
    const ranks = new Float64Array(this.numbering.end - this.#baseEnd);
    for (const [i, { document, place }] of placed.entries()) {
      ranks[document - this.#baseEnd] = place - 1 + (i + 1) / (placed.length + 1);
    }
    return { placed, ranks };
  }

  #placeDeltas(): Placed[] {
    const placed = this.segments.flatMap(({ places }, i) =>
      Array.from(places, (place, document) => ({ document: document + this.numbering.starts[i]!, place })),
    );
    return placed.sort((a, b) => a.place - b.place || this.#compare(a, b));
  }

  /**
   * Compares two documents by their order in a build. Documents of the same segment are already in order. Documents are
   * read only if their segments differ.
   */
  #compare(a: Placed, b: Placed): number {
    const isSameSegment = this.numbering.segmentOf(a.document) === this.numbering.segmentOf(b.document);
    return isSameSegment ? a.document - b.document : compareDocuments(this.#order(a), this.#order(b));
  }

  #order({ document }: Placed) {
    const segment = this.numbering.segmentOf(document);
    return this.segments[segment]!.table.orderOf(document - this.numbering.starts[segment]!);
  }

  /**
   * Returns a number that orders the safe documents of all segments, most popular first. The rank of a base document is
   * its number. The rank of a delta's document lies between the ranks of its neighbours in the base. Among documents
   * with equal scores, the one with the lower rank comes first.
   */
  rank(document: number): number {
    if (document < this.#baseEnd) return document;
    this.#deltas ??= this.#rankDeltas();
    return this.#deltas.ranks[document - this.#baseEnd]!;
  }

  /** Yields all safe documents by rank, including retired ones: the most popular first. */
  *byRank(): Generator<number> {
    this.#deltas ??= this.#rankDeltas();
    const { placed } = this.#deltas;
    let next = 0;
    for (let document = 0; document < this.segments[0]!.safeDocuments; document++) {
      while (next < placed.length && placed[next]!.place <= document) yield placed[next++]!.document;
      yield document;
    }
    for (const { document } of placed.slice(next)) yield document;
  }

  /** Returns the `titleKey` of a safe document. */
  titleOf(document: number): number {
    const segment = this.numbering.segmentOf(document);
    return this.segments[segment]!.titles[document - this.numbering.starts[segment]!]!;
  }

  /** Returns the public id of a document. */
  id(document: number): string {
    return this.numbering.id(document);
  }

  /** Returns the number of the document with this id or alias, safe or adult, or -1 if there is none. */
  find(id: string): number {
    return this.numbering.find(id);
  }

  /**
   * Returns the stored fields of a document, as given to the writer. The result is a view that must not be modified.
   */
  stored(document: number): Uint8Array {
    const segment = this.numbering.segmentOf(document);
    return this.segments[segment]!.stored(document - this.numbering.starts[segment]!);
  }

  isAdult(document: number): boolean {
    return this.numbering.isAdult(document);
  }

  /** Returns how many safe documents have a term. */
  frequencyOf(term: string): number {
    let frequency = 0;
    for (const segment of this.segments) {
      const range = segment.postingsOf(term);
      if (range !== undefined) frequency += range.end - range.start;
    }
    return frequency;
  }

  /** Computes a score for each document, segment by segment. @param score gets document numbers within the segment */
  scoreEach(documents: Uint32Array, score: (segment: number, documents: Uint32Array) => Float64Array): Float64Array {
    if (this.segments.length === 1) return score(0, documents);
    const scores = new Float64Array(documents.length);
    const segments = Array.from(documents, (document) => this.numbering.segmentOf(document));
    for (const [segment, start] of this.numbering.starts.entries()) {
      const places = segments.flatMap((one, i) => (one === segment ? [i] : []));
      if (places.length === 0) continue;
      const some = score(
        segment,
        Uint32Array.from(places, (place) => documents[place]! - start),
      );
      for (const [i, place] of places.entries()) scores[place] = some[i]!;
    }
    return scores;
  }
}
