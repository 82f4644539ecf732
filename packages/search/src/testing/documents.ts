import type { OffensiveWords } from '../analysis/offensive.ts';
import { compareDocuments, type IndexDocument } from '../build/document.ts';
import { openBuild } from '../build/open.ts';
import { type SegmentOutput, SegmentWriter } from '../build/writer.ts';
import type { Build } from '../index.ts';

/** Returns a document that is empty except for the given fields. */
export function makeDocument(parts: Partial<IndexDocument> & { id: string }): IndexDocument {
  return {
    title: '',
    tags: [],
    characters: [],
    series: [],
    text: '',
    adult: false,
    popularity: 0,
    stored: new Uint8Array(),
    ...parts,
  };
}

/** Returns a build of these documents, in any order. */
export function writeDocuments(documents: readonly IndexDocument[], words?: OffensiveWords): SegmentOutput {
  const writer = new SegmentWriter({}, undefined, words);
  for (const document of documents.toSorted(compareDocuments)) writer.add(document);
  return writer.finish();
}

export function buildOf(documents: readonly IndexDocument[], words?: OffensiveWords): Build {
  const { manifest, sections } = writeDocuments(documents, words);
  return openBuild(manifest, sections);
}
