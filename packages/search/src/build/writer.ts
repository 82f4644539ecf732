import { analyseDocument } from '../analysis/analyse.ts';
import { wholeTag } from '../analysis/joined.ts';
import { MAX_DOCUMENTS } from '../postings/posting.ts';
import { PostingsWriter } from '../postings/writer.ts';
import { writeTerms } from '../suggest/sections.ts';
import { TermCounter } from '../suggest/term-counter.ts';
import { SPACES, type SpaceName, type SpaceShape, SpaceWriter, type WrittenSpace } from '../vectors/space.ts';
import { checksum } from './checksum.ts';
import { compareDocuments, type DocumentOrder, type IndexDocument } from './document.ts';
import { encodeId, sortIds } from './ids.ts';
import { type BuildManifest, FORMAT_VERSION } from './manifest.ts';
import { PackedWriter } from './packed.ts';

export interface BuildOutput {
  manifest: BuildManifest;
  /** By name, in the order of `manifest.sections`. */
  sections: Map<string, Uint8Array>;
}

/**
 * Writes a build: `add` every document in order, then call `finish` once. The same documents give the same bytes.
 *
 * @example
 * const writer = new BuildWriter();
 * for (const document of documents.toSorted(compareDocuments)) writer.add(document);
 * const { manifest, sections } = writer.finish();
 */
export class BuildWriter {
  readonly #postings = new PostingsWriter();
  readonly #terms = new TermCounter();
  readonly #ids = new PackedWriter();
  readonly #aliases: [id: Uint8Array, document: number][] = [];
  readonly #stored = new PackedWriter();
  readonly #spaces: Map<SpaceName, SpaceWriter>;
  #documents = 0;
  #safeDocuments = 0;
  #previous: DocumentOrder | undefined;

  /** @param spaces the spaces that documents have vectors in. @throws RangeError for unsupported dimensions */
  constructor(spaces: Partial<Record<SpaceName, SpaceShape | undefined>> = {}) {
    this.#spaces = new Map(
      SPACES.flatMap((name) => {
        const shape = spaces[name];
        return shape === undefined ? [] : [[name, new SpaceWriter(shape)] as const];
      }),
    );
  }

  /**
   * Adds the next document. Throws RangeError without adding it if it is out of order (adult, popularity descending, id
   * ascending), naming both ids; if its id is not ASCII or its popularity is negative; or if the build is full.
   */
  add(document: IndexDocument): void {
    const { id, adult, popularity } = document;
    if (!(popularity >= 0)) throw new RangeError(`popularity of ${id} must be 0 or more, not ${popularity}`);
    if (this.#previous !== undefined && compareDocuments(this.#previous, document) >= 0) {
      throw new RangeError(`documents out of order: ${id} must not come after ${this.#previous.id}`);
    }
    if (this.#documents === MAX_DOCUMENTS) throw new RangeError(`a build holds at most ${MAX_DOCUMENTS} documents`);
    const aliases = document.aliases?.map(encodeId) ?? [];
    this.#ids.add(encodeId(id));
    for (const alias of aliases) this.#aliases.push([alias, this.#documents]);
    this.#stored.add(document.stored);
    const tags = [...document.tags, ...document.series];
    const fields = {
      title: analyseDocument(document.title),
      tags: analyseDocument(tags.join('\n')),
      characters: analyseDocument(document.characters.join('\n')),
      text: analyseDocument(document.text),
    };
    this.#postings.add(fields, tags.flatMap(wholeTag));
    this.#documents += 1;
    if (!adult) this.#safeDocuments += 1;
    if (!adult) this.#addSafe(document);
    this.#previous = { id, adult, popularity };
  }

  #addSafe(document: IndexDocument): void {
    this.#terms.add(document);
    for (const [name, space] of this.#spaces) space.add(document.vectors?.[name]);
  }

  /** Returns the build; call it once. Throws RangeError if two ids or aliases are equal. */
  finish(): BuildOutput {
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
      ['stored-offsets', bytesOf(stored.offsets)],
      ['stored-bytes', stored.bytes],
      ...spaces.flatMap(([name, { sections }]) => spaceSections(name, sections)),
      ...writeTerms(this.#terms.finish()),
    ]);
    const manifest: BuildManifest = {
      format: FORMAT_VERSION,
      documents: this.#documents,
      aliases: this.#aliases.length,
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

  /** Omits a space without any vectors. */
  #finishSpaces(): [SpaceName, WrittenSpace][] {
    const filled = [...this.#spaces].filter(([, space]) => space.vectors > 0);
    return filled.map(([name, space]) => [name, space.finish()]);
  }
}

function spaceSections(name: SpaceName, sections: WrittenSpace['sections']): [string, Uint8Array][] {
  return Object.entries(sections).map(([part, bytes]) => [`${name}-${part}`, bytes]);
}

function bytesOf(array: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
