import { NO_WORDS, type OffensiveWords } from '../analysis/offensive.ts';
import { MAX_DOCUMENTS } from '../postings/posting.ts';
import { readTexts } from '../postings/texts.ts';
import { PostingsWriter } from '../postings/writer.ts';
import { writeTerms } from '../suggest/sections.ts';
import { TermCounter } from '../suggest/term-counter.ts';
import { SPACES, type SpaceName, type SpaceShape, SpaceWriter, type WrittenSpace } from '../vectors/space.ts';
import { checksum } from './checksum.ts';
import { compareDocuments, type DocumentOrder, type IndexDocument } from './document.ts';
import type { Earlier } from './earlier.ts';
import { encodeId, sortIds } from './ids.ts';
import { FORMAT_VERSION, type SegmentManifest } from './manifest.ts';
import { PackedWriter } from './packed.ts';
import { titleKey } from './title-key.ts';

export interface SegmentOutput {
  manifest: SegmentManifest;
  /** The bytes of each section, keyed by the section's name, in the order of `manifest.sections`. */
  sections: Map<string, Uint8Array>;
}

/**
 * Writes a segment: `add` every document in order, then call `finish` once. The same documents give the same bytes. A
 * base contains all documents. A delta contains the new and changed documents. A delta retires the documents that the
 * changed ones replace, and those passed to `retire`.
 *
 * @example
 * const writer = new SegmentWriter();
 * for (const document of documents.toSorted(compareDocuments)) writer.add(document);
 * const { manifest, sections } = writer.finish();
 */
export class SegmentWriter {
  readonly #postings: PostingsWriter;
  readonly #words: OffensiveWords;
  readonly #terms: TermCounter;
  readonly #ids = new PackedWriter();
  readonly #aliases: [id: Uint8Array, document: number][] = [];
  readonly #stored = new PackedWriter();
  readonly #popularity: number[] = [];
  readonly #spaces: Map<SpaceName, SpaceWriter>;
  readonly #earlier: Earlier | undefined;
  readonly #places: number[] = [];
  readonly #titles: number[] = [];
  readonly #retired = new Set<number>();
  #documents = 0;
  #safeDocuments = 0;
  #previous: DocumentOrder | undefined;

  /**
   * @param spaces the spaces that documents have vectors in
   * @param earlier for a delta, the segments before it
   * @param words offensive words. A document with one of these words is found only by queries with one of them.
   * Completions contain none of them. A base and its deltas need the same list
   * @throws RangeError for unsupported dimensions
   */
  constructor(
    spaces: Partial<Record<SpaceName, SpaceShape | undefined>> = {},
    earlier?: Earlier,
    words: OffensiveWords = NO_WORDS,
  ) {
    this.#words = words;
    this.#terms = new TermCounter(words);
    this.#postings = new PostingsWriter(earlier?.statistics);
    this.#earlier = earlier;
    this.#spaces = new Map(
      SPACES.flatMap((name) => {
        const shape = spaces[name];
        return shape === undefined ? [] : [[name, new SpaceWriter(shape)] as const];
      }),
    );
  }

  /**
   * Adds the next document. Throws RangeError without adding it if it is out of order (adult, popularity descending, id
   * ascending), naming both ids. Also throws RangeError if the id is not ASCII, if the popularity is negative, or if
   * the segment is full.
   */
  add(document: IndexDocument): void {
    const { id, adult, popularity } = document;
    if (!(popularity >= 0)) throw new RangeError(`popularity of ${id} must be 0 or more, not ${popularity}`);
    if (this.#previous !== undefined && compareDocuments(this.#previous, document) >= 0) {
      throw new RangeError(`documents out of order: ${id} must not come after ${this.#previous.id}`);
    }
    if (this.#documents === MAX_DOCUMENTS) throw new RangeError(`a segment holds at most ${MAX_DOCUMENTS} documents`);
    const aliases = document.aliases?.map(encodeId) ?? [];
    this.#ids.add(encodeId(id));
    for (const alias of aliases) this.#aliases.push([alias, this.#documents]);
    this.#stored.add(document.stored);
    this.#popularity.push(popularity);
    this.#postings.add(readTexts(document, this.#words));
    this.#documents += 1;
    if (!adult) this.#safeDocuments += 1;
    const replaced = [id, ...(document.aliases ?? [])].map((each) => this.#retire(each));
    const isCounted = replaced.some((number) => number >= 0 && !this.#earlier!.numbering.isAdult(number));
    if (!adult) this.#addSafe(document, isCounted);
    this.#previous = { id, adult, popularity };
  }

  /** @param isCounted whether an earlier segment already counts the terms, with another document of the same GIF */
  #addSafe(document: IndexDocument, isCounted: boolean): void {
    if (!isCounted) this.#terms.add(document);
    for (const [name, space] of this.#spaces) space.add(document.vectors?.[name]);
    this.#titles.push(titleKey(document));
    if (this.#earlier !== undefined) this.#places.push(this.#earlier.placeOf(document));
  }

  /** Removes the document with this id or alias from earlier segments, if there is one. */
  retire(id: string): void {
    this.#retire(id);
  }

  /** @returns the document's number in the earlier segments, -1 if there is none */
  #retire(id: string): number {
    const document = this.#earlier?.numbering.find(id) ?? -1;
    if (document >= 0) this.#retired.add(document);
    return document;
  }

  /** Returns the segment. Call this method only once. Throws RangeError if two ids or aliases are equal. */
  finish(): SegmentOutput {
    const postings = this.#postings.finish(this.#safeDocuments);
    for (const [alias] of this.#aliases) this.#ids.add(alias);
    const ids = this.#ids.finish();
    const stored = this.#stored.finish();
    const spaces = this.#finishSpaces();
    const sections = new Map<string, Uint8Array>([
      ['dictionary-offsets', bytesOf(postings.terms.offsets)],
      ['dictionary-terms', bytesOf(postings.terms.units)],
      ['postings-offsets', bytesOf(postings.offsets)],
      ['postings', bytesOf(postings.postings)],
      ['frequent-terms', bytesOf(postings.frequent.terms)],
      ['frequent-bitmaps', bytesOf(postings.frequent.bitmaps)],
      ['frequent-places', bytesOf(postings.frequent.places)],
      ['frequent-bases', bytesOf(postings.frequent.bases)],
      ['frequent-impacts', postings.frequent.impacts],
      ['ids-offsets', bytesOf(ids.offsets)],
      ['ids-bytes', ids.bytes],
      ['ids-order', bytesOf(sortIds(ids))],
      ['alias-documents', bytesOf(Uint32Array.from(this.#aliases, ([, document]) => document))],
      ['popularity', bytesOf(Float64Array.from(this.#popularity))],
      ['places', bytesOf(Uint32Array.from(this.#places))],
      ['titles', bytesOf(Uint32Array.from(this.#titles))],
      ['retired', bytesOf(Uint32Array.from(this.#retired).sort())],
      ['stored-offsets', bytesOf(stored.offsets)],
      ['stored-bytes', stored.bytes],
      ...spaces.flatMap(([name, { sections }]) => spaceSections(name, sections)),
      ...writeTerms(this.#terms.finish(this.#earlier?.safeDocuments)),
    ]);
    const manifest: SegmentManifest = {
      format: FORMAT_VERSION,
      follows: this.#earlier?.numbering.end ?? 0,
      documents: this.#documents,
      aliases: this.#aliases.length,
      retired: this.#retired.size,
      retiredSafe: Array.from(this.#retired).filter((document) => !this.#earlier!.numbering.isAdult(document)).length,
      safeDocuments: this.#safeDocuments,
      terms: postings.offsets.length - 1,
      postings: postings.postings.length,
      frequentTerms: postings.frequent.terms.length,
      averageLengths: postings.averageLengths,
      spaces: Object.fromEntries(spaces.map(([name, { manifest }]) => [name, manifest])),
      sections: Array.from(sections, ([name, bytes]) => ({ name, bytes: bytes.length, checksum: checksum(bytes) })),
    };
    return { manifest, sections };
  }

  /** Finishes the spaces, and omits a space without any vectors. */
  #finishSpaces(): [SpaceName, WrittenSpace][] {
    const filled = [...this.#spaces].filter(([, space]) => space.vectors > 0);
    return filled.map(([name, space]) => [name, space.finish()]);
  }
}

function spaceSections(name: SpaceName, sections: WrittenSpace['sections']): [string, Uint8Array][] {
  return Object.entries(sections).map(([part, bytes]) => [`${name}-${part}`, bytes]);
}

function bytesOf(array: Uint16Array | Uint32Array | Float64Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
