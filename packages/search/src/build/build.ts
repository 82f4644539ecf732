import { Dictionary } from '../postings/dictionary.ts';
import { bitmapWords, blockCount, type FrequentTerms } from '../postings/frequent.ts';
import { firstFrom } from '../postings/posting.ts';
import { TermTable } from '../suggest/term-table.ts';
import { decodeId, findId } from './ids.ts';
import type { BuildManifest } from './manifest.ts';
import type { Records } from './packed.ts';
import type { SectionViews } from './sections.ts';

/** The postings of a term: from `start` to `end` in the build's `postings`. */
export interface PostingRange {
  start: number;
  end: number;
  /** Index among the frequent terms, or -1. */
  frequent: number;
}

/**
 * An open build: views of its sections, without copies. It never changes, so any number of threads may read it.
 * Documents are identified by their number, 0 to `documents` - 1; others throw RangeError.
 */
export class Build {
  readonly documents: number;
  /** The documents below this number are safe, all others adult. */
  readonly safeDocuments: number;
  /** All posting lists (see posting.ts), one after the other; `postingsOf` returns the position of a term's list. */
  readonly postings: Uint32Array;
  /** A second copy of the frequent terms, for look-ups by document. */
  readonly frequent: FrequentTerms;
  /** The terms for completing queries, from safe documents only. */
  readonly suggestions: TermTable;
  readonly #postingOffsets: Uint32Array;
  readonly #dictionary: Dictionary;
  readonly #ids: Records;
  readonly #idsOrder: Uint32Array;
  readonly #aliasDocuments: Uint32Array;
  readonly #stored: Records;

  /** For `openBuild`, which checks the bytes first. */
  constructor(manifest: BuildManifest, sections: SectionViews) {
    this.documents = manifest.documents;
    this.safeDocuments = manifest.safeDocuments;
    this.postings = sections.uint32('postings', manifest.postings);
    this.frequent = frequentTerms(manifest, sections);
    this.#postingOffsets = sections.uint32('postings-offsets', manifest.terms + 1);
    this.#dictionary = new Dictionary(
      sections.uint32('dictionary-offsets', manifest.terms + 1),
      sections.uint16('dictionary-terms'),
    );
    const ids = manifest.documents + manifest.aliases;
    this.#ids = sections.records('ids', ids);
    this.#idsOrder = sections.uint32('ids-order', ids);
    this.#aliasDocuments = sections.uint32('alias-documents', manifest.aliases);
    this.#stored = sections.records('stored', manifest.documents);
    this.suggestions = new TermTable(sections);
  }

  /** The public id of a document. */
  id(document: number): string {
    if (!(document < this.documents)) throw new RangeError(`no document ${document}`);
    return decodeId(this.#ids.get(document));
  }

  /** The number of the document with this id or alias, safe or adult; -1 if there is none. */
  find(id: string): number {
    const found = findId(this.#ids, this.#idsOrder, id);
    return found < this.documents ? found : this.#aliasDocuments[found - this.documents]!;
  }

  /** The stored fields of a document, as given to the writer; a view that must not be modified. */
  stored(document: number): Uint8Array {
    return this.#stored.get(document);
  }

  isAdult(document: number): boolean {
    return document >= this.safeDocuments;
  }

  /** The postings of a term in safe documents, undefined if there are none. */
  postingsOf(term: string): PostingRange | undefined {
    const number = this.#dictionary.find(term);
    if (number < 0) return undefined;
    const start = this.#postingOffsets[number]!;
    /** Lists are sorted by document, so adult postings are at their end. */
    const end = firstFrom(this.postings, this.safeDocuments, start, this.#postingOffsets[number + 1]);
    return start < end ? { start, end, frequent: this.frequent.terms.indexOf(number) } : undefined;
  }
}

function frequentTerms({ frequentTerms: count, safeDocuments }: BuildManifest, sections: SectionViews): FrequentTerms {
  return {
    terms: sections.uint32('frequent-terms', count),
    bitmaps: sections.uint32('frequent-bitmaps', count * bitmapWords(safeDocuments)),
    places: sections.uint16('frequent-places', count * bitmapWords(safeDocuments)),
    bases: sections.uint32('frequent-bases', count * blockCount(safeDocuments)),
    impacts: sections.uint8('frequent-impacts'),
  };
}
