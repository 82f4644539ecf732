import { BuildError, type SectionManifest, type SegmentManifest } from '../build/manifest.ts';
import { verifySections } from '../build/open.ts';
import { type Sections, SectionViews } from '../build/sections.ts';
import type { Statistics } from '../build/statistics.ts';
import { Dictionary } from '../postings/dictionary.ts';
import type { SharedStatistics } from '../postings/writer.ts';
import { TermTable } from '../suggest/term-table.ts';

/**
 * Version of the vocabulary's format. Raise it together with FORMAT_VERSION, because documents and queries need the
 * same analysis and impacts.
 */
export const VOCABULARY_VERSION = 3;

/**
 * The manifest of a part of a vocabulary: the base, or a delta with the documents that were added after it. A part has T
 * terms in these sections, little-endian (see build/manifest.ts for the first two):
 *
 *   dictionary-offsets   u32[T + 1]
 *   dictionary-terms     u16[…]
 *   frequencies          u32[T]      how many documents have each term
 *   suggest-…                        the terms that complete queries: ../suggest/sections.ts
 */
export interface VocabularyManifest extends Pick<SegmentManifest, 'terms' | 'averageLengths'> {
  format: number;
  documents: number;
  sections: SectionManifest[];
}

export interface VocabularyPart {
  manifest: VocabularyManifest;
  sections: Sections;
}

interface OpenPart {
  dictionary: Dictionary;
  frequencies: Uint32Array;
}

/**
 * The data that a search needs about a catalogue whose documents are elsewhere: its terms, the number of documents with
 * each term, and the terms that complete queries. A vocabulary has about a thirtieth of the size of a build. It never
 * changes, so any number of threads can read it.
 */
export class Vocabulary implements Statistics, SharedStatistics {
  readonly safeDocuments: number;
  readonly averageLengths: VocabularyManifest['averageLengths'];
  /** The terms for completing queries, of each part. */
  readonly suggestions: readonly TermTable[];
  readonly #parts: readonly OpenPart[];

  /**
   * @param parts the base, then its deltas; their bytes can be shared between threads and must not change
   * @throws BuildError if a part has another format or is damaged
   */
  constructor(parts: readonly [VocabularyPart, ...VocabularyPart[]]) {
    for (const { manifest, sections } of parts) {
      if (manifest.format !== VOCABULARY_VERSION) {
        throw new BuildError(`this engine reads vocabulary format ${VOCABULARY_VERSION}, not ${manifest.format}`);
      }
      verifySections(manifest.sections, sections);
    }
    const views = parts.map(({ manifest, sections }) => new SectionViews(manifest, sections));
    this.#parts = parts.map(({ manifest: { terms } }, i) => ({
      dictionary: new Dictionary(
        views[i]!.uint32('dictionary-offsets', terms + 1),
        views[i]!.uint16('dictionary-terms'),
      ),
      frequencies: views[i]!.uint32('frequencies', terms),
    }));
    this.suggestions = views.map((view) => new TermTable(view));
    this.safeDocuments = parts.reduce((sum, { manifest }) => sum + manifest.documents, 0);
    this.averageLengths = parts[0].manifest.averageLengths;
  }

  frequencyOf(term: string): number {
    let frequency = 0;
    for (const { dictionary, frequencies } of this.#parts) {
      const number = dictionary.find(term);
      if (number >= 0) frequency += frequencies[number]!;
    }
    return frequency;
  }

  /** Returns whether the base has a term. Phrases are terms of a document only if the base has them. */
  isTerm(term: string): boolean {
    return this.#parts[0]!.dictionary.find(term) >= 0;
  }
}
