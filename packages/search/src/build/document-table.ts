import { compareDocuments, type DocumentOrder } from './document.ts';
import { decodeId, findId } from './ids.ts';
import type { SegmentManifest } from './manifest.ts';
import type { Records } from './packed.ts';
import type { SectionViews } from './sections.ts';

/**
 * Holds the ids and the order of a segment's documents. The documents are numbered from 0. A number that no document
 * has throws RangeError.
 */
export class DocumentTable {
  readonly documents: number;
  /** The documents below this number are safe. All others are adult. */
  readonly safeDocuments: number;
  readonly #ids: Records;
  readonly #idsOrder: Uint32Array;
  readonly #aliasDocuments: Uint32Array;
  readonly #popularity: Records;

  constructor({ documents, safeDocuments, aliases }: SegmentManifest, sections: SectionViews) {
    this.documents = documents;
    this.safeDocuments = safeDocuments;
    this.#ids = sections.records('ids', documents + aliases);
    this.#idsOrder = sections.uint32('ids-order', documents + aliases);
    this.#aliasDocuments = sections.uint32('alias-documents', aliases);
    this.#popularity = sections.equalRecords('popularity', 8, documents);
  }

  id(document: number): string {
    if (!(document < this.documents)) throw new RangeError(`no document ${document}`);
    return decodeId(this.#ids.get(document));
  }

  /** Returns the number of the document with this id or alias, safe or adult, or -1 if there is none. */
  find(id: string): number {
    const found = findId(this.#ids, this.#idsOrder, id);
    return found < this.documents ? found : this.#aliasDocuments[found - this.documents]!;
  }

  /** Returns the values by which a document is sorted. */
  orderOf(document: number): DocumentOrder {
    const { buffer, byteOffset } = this.#popularity.get(document);
    const popularity = new DataView(buffer, byteOffset).getFloat64(0, true);
    return { adult: document >= this.safeDocuments, popularity, id: this.id(document) };
  }

  /**
   * Returns how many of this segment's safe documents come before `other`, a document of another segment, in the order
   * of `compareDocuments`.
   */
  placeOf(other: DocumentOrder): number {
    let low = 0;
    let high = this.safeDocuments;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareDocuments(this.orderOf(middle), other) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
