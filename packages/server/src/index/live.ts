import { type Build, openBuild, Searcher, Suggester, type Suggestion } from '@zoetrope/search';
import { emojiNames } from './emoji-names.ts';
import { type SharedBuild, viewSections } from './load.ts';
import { decodeStored, type StoredGif } from './stored-gif.ts';

/** A ranked list, best first: what a page is cut from. */
export interface Ranked {
  documents: Uint32Array;
}

/**
 * One build, open for searching on this thread. A request takes it once and keeps it to its end: that is its lease.
 * A swap puts another in its place for later requests; this one goes when its last request does.
 */
export class LiveIndex {
  readonly buildId: string;
  readonly documents: number;
  readonly #build: Build;
  readonly #searcher: Searcher;
  readonly #suggester: Suggester;
  readonly #hidden: Uint8Array;

  constructor({ manifest, sections, hidden }: SharedBuild) {
    this.#build = openBuild(manifest.engine, viewSections(sections));
    this.#searcher = new Searcher(this.#build);
    this.#suggester = new Suggester(this.#build);
    this.#hidden = new Uint8Array(hidden);
    this.buildId = manifest.build;
    this.documents = manifest.engine.safeDocuments;
  }

  /** The GIFs that fit the query best, at most `limit` (<= 200) of them. */
  search(query: string, limit: number): Ranked {
    return this.#searcher.search(query, { limit, hidden: this.#hidden });
  }

  /** The most popular GIFs that may be shown, at most `limit` of them. */
  popular(limit: number): Ranked {
    const documents: number[] = [];
    for (let document = 0; document < this.documents && documents.length < limit; document++) {
      if (!this.#isHidden(document)) documents.push(document);
    }
    return { documents: Uint32Array.from(documents) };
  }

  /**
   * The terms that complete a normalised query. Their counts are those of the build: what a tombstone hides is counted,
   * and can be the last to carry a term, until the next build.
   */
  suggest(query: string, limit: number): Suggestion[] {
    return this.#suggester.suggest(query, { limit, names: emojiNames(query) });
  }

  gif(document: number): StoredGif {
    return decodeStored(this.#build.id(document), this.#build.stored(document));
  }

  /** The GIF of this id, unless it is unknown, adult or taken out. */
  find(id: string): StoredGif | undefined {
    const document = this.#build.find(id);
    if (document < 0 || this.#build.isAdult(document) || this.#isHidden(document)) return undefined;
    return this.gif(document);
  }

  #isHidden(document: number): boolean {
    return (this.#hidden[document >> 3]! & (1 << (document & 7))) !== 0;
  }
}

/** Sets the tombstones of a build; every thread sees them at once. @returns true when something changed */
export function setTombstones(shared: SharedBuild, ids: Iterable<string>): boolean {
  const build = openBuild(shared.manifest.engine, viewSections(shared.sections));
  const wanted = new Uint8Array(shared.hidden.byteLength);
  for (const id of ids) {
    const document = build.find(id);
    if (document >= 0) wanted[document >> 3]! |= 1 << (document & 7);
  }
  const hidden = new Uint8Array(shared.hidden);
  const changed = wanted.some((byte, at) => byte !== hidden[at]);
  hidden.set(wanted);
  return changed;
}
