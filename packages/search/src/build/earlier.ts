import { Dictionary } from '../postings/dictionary.ts';
import type { SharedStatistics } from '../postings/writer.ts';
import { checksum } from './checksum.ts';
import type { DocumentOrder } from './document.ts';
import { DocumentTable } from './document-table.ts';
import { BuildError, type SegmentManifest } from './manifest.ts';
import { Numbering } from './numbering.ts';
import { type ReadSection, type Sections, SectionViews } from './sections.ts';

/**
 * The sections of earlier segments that the writer of a delta needs in memory. The writer also reads ids and popularity
 * from disk.
 */
export const EARLIER_SECTIONS: readonly string[] = [
  'dictionary-offsets',
  'dictionary-terms',
  'ids-offsets',
  'ids-order',
  'alias-documents',
  'retired',
];

/** A segment's manifest and bytes: `sections` contains its EARLIER_SECTIONS, and `read` reads its COLD_SECTIONS. */
export interface EarlierSegment {
  manifest: SegmentManifest;
  sections: Sections;
  read?: ReadSection;
}

/**
 * Holds the facts about the earlier segments that the writer of a delta needs: the document of each GIF, and the base's
 * statistics.
 */
export class Earlier {
  readonly numbering: Numbering;
  readonly statistics: SharedStatistics;
  readonly safeDocuments: number;

  /**
   * @param segments the base, then the deltas in the order in which they were written
   * @throws BuildError naming a section in memory that is damaged, and RangeError for a base without documents
   */
  constructor(segments: readonly [EarlierSegment, ...EarlierSegment[]]) {
    for (const segment of segments) verify(segment);
    this.numbering = new Numbering(
      segments.map(({ manifest, sections, read }) => {
        const views = new SectionViews(manifest, sections, read);
        const retired = views.uint32('retired', manifest.retired);
        return { manifest, table: new DocumentTable(manifest, views), retired };
      }),
    );
    this.safeDocuments = segments.reduce((sum, { manifest }) => sum + manifest.safeDocuments, 0);
    if (this.numbering.end === 0) throw new RangeError('a delta needs a base with documents');
    const [{ manifest, sections }] = segments;
    const views = new SectionViews(manifest, sections);
    const terms = new Dictionary(
      views.uint32('dictionary-offsets', manifest.terms + 1),
      views.uint16('dictionary-terms'),
    );
    this.statistics = { averageLengths: manifest.averageLengths, isTerm: (term) => terms.find(term) >= 0 };
  }

  /** Returns how many safe documents of the base come before a document. */
  placeOf(document: DocumentOrder): number {
    return this.numbering.segments[0]!.table.placeOf(document);
  }
}

function verify({ manifest, sections }: EarlierSegment): void {
  for (const { name, checksum: expected } of manifest.sections) {
    const bytes = sections.get(name);
    if (bytes !== undefined && checksum(bytes) !== expected) throw new BuildError(`section ${name} is damaged`);
  }
}
