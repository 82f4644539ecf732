import { Dictionary } from '../postings/dictionary.ts';
import { bitmapWords, blockCount, type FrequentTerms } from '../postings/frequent.ts';
import { firstFrom } from '../postings/posting.ts';
import { TermTable } from '../suggest/term-table.ts';
import { DocumentTable } from './document-table.ts';
import type { SegmentManifest } from './manifest.ts';
import type { Records } from './packed.ts';
import type { SectionViews } from './sections.ts';

/** The postings of a term: from `start` to `end` in the segment's `postings`. */
export interface PostingRange {
  start: number;
  end: number;
  /** The term's index among the frequent terms, or -1 if the term is not frequent. */
  frequent: number;
}

/**
 * An open segment: views of its sections, without copies. A segment never changes, so any number of threads can read
 * it. Its documents are numbered from 0. A number that no document has throws RangeError.
 */
export class Segment {
  readonly manifest: SegmentManifest;
  readonly table: DocumentTable;
  /**
   * All posting lists (see posting.ts), one after the other. `postingsOf` returns the position of a term's list in this
   * array.
   */
  readonly postings: Uint32Array;
  /** A second form of the frequent terms' postings, for look-ups by document. */
  readonly frequent: FrequentTerms;
  /** The terms for completing queries. They come from safe documents only. */
  readonly suggestions: TermTable;
  /** The documents of earlier segments that this segment replaces or removes, as document numbers of the build. */
  readonly retired: Uint32Array;
  /** For each safe document, the number of safe documents of the base that come before it. Empty in the base itself. */
  readonly places: Uint32Array;
  /** The `titleKey` of each safe document. */
  readonly titles: Uint32Array;
  readonly #postingOffsets: Uint32Array;
  readonly #dictionary: Dictionary;
  readonly #stored: Records;

  /** Call `openSegment` instead, which checks the bytes first. */
  constructor(manifest: SegmentManifest, sections: SectionViews) {
    this.manifest = manifest;
    this.table = new DocumentTable(manifest, sections);
    this.postings = sections.uint32('postings', manifest.postings);
    this.frequent = frequentTerms(manifest, sections);
    this.#postingOffsets = sections.uint32('postings-offsets', manifest.terms + 1);
    this.#dictionary = new Dictionary(
      sections.uint32('dictionary-offsets', manifest.terms + 1),
      sections.uint16('dictionary-terms'),
    );
    this.#stored = sections.records('stored', manifest.documents);
    this.suggestions = new TermTable(sections);
    this.retired = sections.uint32('retired', manifest.retired);
    this.titles = sections.uint32('titles', manifest.safeDocuments);
    this.places = sections.uint32('places', manifest.follows === 0 ? 0 : manifest.safeDocuments);
  }

  get safeDocuments(): number {
    return this.manifest.safeDocuments;
  }

  /**
   * Returns the stored fields of a document, as given to the writer. The result is a view that must not be modified.
   */
  stored(document: number): Uint8Array {
    return this.#stored.get(document);
  }

  /** Returns the postings of a term in safe documents, or undefined if there are none. */
  postingsOf(term: string): PostingRange | undefined {
    const number = this.#dictionary.find(term);
    if (number < 0) return undefined;
    const start = this.#postingOffsets[number]!;
    /** Lists are sorted by document, so adult postings are at their end. */
    const end = firstFrom(this.postings, this.safeDocuments, start, this.#postingOffsets[number + 1]);
    return start < end ? { start, end, frequent: this.frequent.terms.indexOf(number) } : undefined;
  }
}

function frequentTerms(
  { frequentTerms: count, safeDocuments }: SegmentManifest,
  sections: SectionViews,
): FrequentTerms {
  return {
    terms: sections.uint32('frequent-terms', count),
    bitmaps: sections.uint32('frequent-bitmaps', count * bitmapWords(safeDocuments)),
    places: sections.uint16('frequent-places', count * bitmapWords(safeDocuments)),
    bases: sections.uint32('frequent-bases', count * blockCount(safeDocuments)),
    impacts: sections.uint8('frequent-impacts'),
  };
}
