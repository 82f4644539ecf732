import type { DocumentTable } from './document-table.ts';
import type { SegmentManifest } from './manifest.ts';

/**
 * The document numbers of each segment start at a multiple of this number, so that the segment's part of a bitmap
 * starts at a whole byte.
 */
const BITS = 8;

/** Returns how many numbers the documents of a segment take in a build. */
function numbersOf(documents: number): number {
  return Math.ceil(documents / BITS) * BITS;
}

/** A segment's part of a numbering. */
export interface NumberedSegment {
  readonly manifest: SegmentManifest;
  readonly table: DocumentTable;
  /** The documents of earlier segments that this segment replaces or removes, as document numbers of the build. */
  readonly retired: Uint32Array;
}

/**
 * Numbers the documents of all segments: the base from 0, and each delta from the next multiple of 8. The unused
 * numbers between two segments have no document. A GIF that changed is in several segments, but all its documents
 * except the latest are retired.
 */
export class Numbering {
  readonly segments: readonly NumberedSegment[];
  /** The first document number of each segment. */
  readonly starts: readonly number[];
  /** All document numbers are below this number. */
  readonly end: number;
  /**
   * A bit for each document number. The bit of document d is in byte d >> 3 at 1 << (d & 7). It is set if a later
   * segment retired the document.
   */
  readonly retired: Uint8Array;

  /** @throws RangeError if a segment does not start where the one before it ends */
  constructor(segments: readonly NumberedSegment[]) {
    const starts: number[] = [];
    let end = 0;
    for (const { manifest } of segments) {
      if (manifest.follows !== end) throw new RangeError(`a segment follows ${manifest.follows} numbers, not ${end}`);
      starts.push(end);
      end += numbersOf(manifest.documents);
    }
    this.segments = segments;
    this.starts = starts;
    this.end = end;
    this.retired = new Uint8Array(end / BITS);
    for (const { retired } of segments)
      for (const document of retired) this.retired[document >> 3]! |= 1 << (document & 7);
  }

  /** Returns the segment of a document. */
  segmentOf(document: number): number {
    let segment = this.starts.length - 1;
    while (segment > 0 && document < this.starts[segment]!) segment--;
    return segment;
  }

  /** Returns the public id of a document. */
  id(document: number): string {
    const segment = this.segmentOf(document);
    return this.segments[segment]!.table.id(document - this.starts[segment]!);
  }

  isAdult(document: number): boolean {
    const segment = this.segmentOf(document);
    return document - this.starts[segment]! >= this.segments[segment]!.table.safeDocuments;
  }

  isRetired(document: number): boolean {
    return (this.retired[document >> 3]! & (1 << (document & 7))) !== 0;
  }

  /**
   * Returns the number of the document with this id or alias, safe or adult, but not retired, or -1 if there is none.
   */
  find(id: string): number {
    for (let segment = this.segments.length - 1; segment >= 0; segment--) {
      const found = this.segments[segment]!.table.find(id);
      const document = found + this.starts[segment]!;
      if (found >= 0 && !this.isRetired(document)) return document;
    }
    return -1;
  }

  /** Returns whether any segment has a safe document with this id or alias, retired or not. */
  wasSafe(id: string): boolean {
    return this.segments.some(({ table }) => {
      const found = table.find(id);
      return found >= 0 && found < table.safeDocuments;
    });
  }
}
