import type { Explanation } from '@zoetrope/contract';
import {
  type Build,
  findSimilar,
  hasVector,
  joinLists,
  type Languages,
  MixedSearcher,
  SAME_PICTURE,
  Searcher,
  SegmentedVectors,
  type SpaceName,
  Suggester,
  type Suggestion,
  TypedReader,
  type TypingHelp,
  VectorSearcher,
  type Vectors,
  type WordHits,
} from '@zoetrope/search';
import { openShared, type SharedBuild } from './load.ts';
import { decodeStored, type StoredGif } from './stored-gif.ts';
import { emojiNames } from './suggest-emoji.ts';
import type { TakenOut } from './withheld.ts';

/** A ranked list, best first, from which pages are cut. */
export interface Ranked {
  documents: Uint32Array;
}

/** A search whose words leg has run. */
export interface Begun extends Pick<WordHits, 'documents' | 'scores' | 'isEnough'> {
  query: string;
  limit: number;
  /** The interpretation of the query. Undefined if this index has no meaning leg. */
  plan?: WordHits['plan'];
}

/** Minimum number of GIFs with which a query needs no completion. This number is two pages. */
const ENOUGH = 48;

/** The facts about the serving thread that an index needs. */
export interface IndexReader {
  /** Number of the thread. Each thread has its own working memory for vector search. */
  thread: number;
  languages: Languages;
  /** Id of the running embedder. */
  embedder: string | undefined;
  typing: TypingHelp;
}

/** The meaning leg, if the build has vectors from the running embedder. */
interface MeaningLeg {
  mixed: MixedSearcher;
  vectors: Vectors;
}

/**
 * One build, open for searching on this thread. A request takes the index once and uses it until the request ends (a
 * lease). After a swap, later requests get the new build. The old build is released after its last request.
 */
export class LiveIndex {
  readonly buildId: string;
  readonly documents: number;
  readonly #build: Build;
  readonly #searcher: Searcher;
  readonly #suggester: Suggester;
  readonly #typed: TypedReader;
  readonly #hidden: Uint8Array;
  readonly #meaning: MeaningLeg | undefined;
  readonly #looks: Vectors | undefined;

  constructor(shared: SharedBuild, reader: IndexReader) {
    this.#build = openShared(shared.segments);
    this.#searcher = new Searcher(this.#build, reader.languages);
    this.#suggester = new Suggester(this.#build.suggestions);
    this.#typed = new TypedReader(this.#build, this.#suggester, reader.languages, reader.typing);
    this.#hidden = new Uint8Array(shared.hidden);
    this.#meaning = openMeaning(shared, reader, this.#searcher);
    this.#looks = openVectors('looks', this.#build, { shared, thread: reader.thread });
    this.buildId = shared.manifest.build;
    this.documents = this.#build.shownDocuments;
  }

  /** Returns whether the build has vectors from the running embedder. */
  get hasMeaning(): boolean {
    return this.#meaning !== undefined;
  }

  /** Returns whether similar GIFs are found by appearance. */
  get hasLooks(): boolean {
    return this.#looks !== undefined;
  }

  /** Returns the best GIFs by text search, at most `limit` (<= 200). */
  searchWords(query: string, limit: number): Ranked {
    return this.endWithWords(this.begin(query, limit));
  }

  /** Runs the words leg. Its result shows whether the query needs a vector. */
  begin(query: string, limit: number): Begun {
    const options = { limit, hidden: this.#hidden };
    if (this.#meaning !== undefined) return { query, limit, ...this.#meaning.mixed.searchWords(query, options) };
    return { query, limit, ...this.#searcher.search(query, options), isEnough: false };
  }

  /** Ends a search without the meaning leg. */
  endWithWords({ query, documents, limit }: Begun): Ranked {
    return this.#continued(query, documents, documents, limit);
  }

  /** Adds the meaning leg. @param vector the query's vector; null if the embedder knows none of the query's words */
  endWithMeaning(begun: Begun, vector: Float32Array | null): Ranked {
    const { query, limit, plan } = begun;
    if (vector === null || this.#meaning === undefined || plan === undefined) return this.endWithWords(begun);
    const options = { limit, hidden: this.#hidden };
    const { documents, words } = this.#meaning.mixed.search({ ...begun, plan }, vector, options);
    const byWords = documents.filter((_, i) => words[i]! > 0);
    return this.#continued(query, byWords, documents, limit);
  }

  /**
   * Adds the GIFs that the query finds when its last word is completed. The added GIFs come after the GIFs that contain
   * the query's words. If the last word is only a prefix of a word, the added GIFs come first.
   */
  #continued(query: string, byWords: Uint32Array, all: Uint32Array, limit: number): Ranked {
    const { further, isFinished } = this.#typed.read(query, byWords.length >= ENOUGH);
    if (further.length === 0) return this.#collapse({ documents: all });
    const found = further.map((text) => this.#searcher.search(text, { limit, hidden: this.#hidden }).documents);
    const known = isFinished ? byWords : new Uint32Array();
    return this.#collapse({ documents: joinLists(joinLists(known, found, limit), [all], limit) });
  }

  /**
   * Returns the query with its unknown words corrected. Returns undefined if all words are known, if no known word is
   * similar, or if only hidden GIFs have the similar words.
   */
  correct(query: string): string | undefined {
    const corrected = this.#typed.correct(query);
    return corrected?.split(' ').every((word) => this.#isVisible(word)) ? corrected : undefined;
  }

  #isVisible(query: string): boolean {
    return this.#searcher.search(query, { limit: 1, hidden: this.#hidden }).documents.length > 0;
  }

  /** Returns the GIFs with the most similar meaning. */
  searchMeaning(vector: Float32Array | null, limit: number): Ranked {
    if (vector === null || this.#meaning === undefined) return { documents: new Uint32Array() };
    return this.#collapse(this.#meaning.vectors.search(vector, { limit, hidden: this.#hidden }));
  }

  /** Explains how these documents were found. @param vector the query's vector; undefined if the meaning leg did not run */
  explain(query: string, vector: Float32Array | null | undefined, documents: Uint32Array): Explanation[] {
    const words = this.#searcher.search(query, { hidden: this.#hidden });
    const scores = this.#searcher.score(query, documents);
    const { further } = this.#typed.read(query, words.documents.length >= ENOUGH);
    const meaning = vector && this.#meaning;
    const near = meaning?.vectors.search(vector!, { hidden: this.#hidden });
    const nearness = meaning?.mixed.meaningOf(vector!, documents);
    return Array.from(documents, (document, i) => ({
      id: this.#build.id(document),
      words: {
        rank: rankIn(words.documents, document),
        score: scores[i]!,
        ...this.#matched(query, further, document),
      },
      meaning: nearness ? { rank: rankIn(near!.documents, document), score: nearness[i]! } : null,
    }));
  }

  /**
   * Returns the query's terms that a document has. If the document has none of them, returns its terms from the first
   * further query that finds the document.
   */
  #matched(query: string, further: readonly string[], document: number): Pick<Explanation['words'], 'terms' | 'query'> {
    const terms = this.#searcher.matchedTerms(query, document);
    const other =
      terms.length > 0 ? undefined : further.find((text) => this.#searcher.matchedTerms(text, document).length > 0);
    return other === undefined ? { terms } : { terms: this.#searcher.matchedTerms(other, document), query: other };
  }

  /** If several GIFs in a list are the same picture in different sizes, keeps only the best GIF. */
  #collapse({ documents }: Ranked): Ranked {
    return { documents: this.#looks?.distinct(documents, SAME_PICTURE) ?? documents };
  }

  /**
   * Returns the GIFs that are most like a given one, at most `limit`. GIFs that look alike come first, then others by
   * appearance and subject. Returns undefined if no shown GIF has this id.
   */
  similar(id: string, limit: number): Ranked | undefined {
    const document = this.#findDocument(id);
    if (document < 0) return undefined;
    const spaces = { looks: this.#looks, meaning: this.#meaning?.vectors };
    const options = { limit, hidden: this.#hidden };
    return { documents: findSimilar(spaces, document, options) };
  }

  /** Returns the most popular GIFs that are neither adult nor hidden, at most `limit`. */
  popular(limit: number): Ranked {
    const documents: number[] = [];
    for (const document of this.#build.byRank()) {
      if (documents.length === limit) break;
      if (!this.#isHidden(document)) documents.push(document);
    }
    return { documents: Uint32Array.from(documents) };
  }

  /**
   * Returns the terms that complete a normalised query, except those that only hidden GIFs contain. The counts are from
   * the build, so they include hidden GIFs until the next build.
   */
  suggest(query: string, limit: number, without: TakenOut['terms']): Suggestion[] {
    const found = this.#suggester.suggest(query, { limit, names: emojiNames(query), without });
    const retired = this.#build.safeDocuments - this.#build.shownDocuments;
    // The counts include documents that deltas replaced or removed, so a term can be in no document that is shown.
    return found.filter(({ term, n }) => n > retired || this.#isVisible(term));
  }

  gifs(documents: Uint32Array): StoredGif[] {
    return Array.from(documents, (document) => decodeStored(this.#build.stored(document)));
  }

  /** Returns the GIF with this id, unless it is unknown, adult or hidden. */
  find(id: string): StoredGif | undefined {
    const document = this.#findDocument(id);
    return document < 0 ? undefined : decodeStored(this.#build.stored(document));
  }

  /** Returns the document with this id, or -1 if no document has this id, or if the document is adult or hidden. */
  #findDocument(id: string): number {
    const document = this.#build.find(id);
    return document < 0 || this.#build.isAdult(document) || this.#isHidden(document) ? -1 : document;
  }

  #isHidden(document: number): boolean {
    return (this.#hidden[document >> 3]! & (1 << (document & 7))) !== 0;
  }
}

function rankIn(documents: Uint32Array, document: number): number | null {
  return documents.indexOf(document) + 1 || null;
}

function openMeaning(shared: SharedBuild, reader: IndexReader, words: Searcher): MeaningLeg | undefined {
  const space = shared.segments[0]!.manifest.spaces.meaning;
  if (space === undefined || space.model !== reader.embedder) return undefined;
  const vectors = openVectors('meaning', words.build, { shared, thread: reader.thread })!;
  return { vectors, mixed: new MixedSearcher(words, vectors, space.meanCosine) };
}

/**
 * Returns the vectors of a space, or undefined if the base has no vectors of that space. In that case, its deltas have
 * none either.
 */
function openVectors(
  space: SpaceName,
  build: Build,
  { shared, thread }: { shared: SharedBuild; thread: number },
): Vectors | undefined {
  const memories = shared.segments.map(({ spaces }) => spaces[space]);
  const [base] = memories;
  if (base === undefined || memories.length === 1) return base && new VectorSearcher(base, thread);
  return new SegmentedVectors(build, memories, thread);
}

/** Returns the number of GIFs of a build that have a vector in a space. */
export function countVectors({ segments }: SharedBuild, space: SpaceName): number {
  const build = openShared(segments);
  let count = 0;
  for (const { spaces } of segments) count += spaces[space]?.vectors ?? 0;
  for (const { retired } of build.segments) {
    for (const document of retired) {
      const segment = build.numbering.segmentOf(document);
      const memory = segments[segment]!.spaces[space];
      if (memory !== undefined && hasVector(memory, document - build.numbering.starts[segment]!)) count--;
    }
  }
  return count;
}

/** Result of setting tombstones. */
interface Buried {
  /** Whether the tombstones have changed. */
  changed: boolean;
  /** Ids of the safe documents that have a tombstone or that a delta has retired. Their terms are still counted. */
  ids: string[];
  /** Returns whether there is a safe document with this id. */
  has(id: string): boolean;
}

/** The known facts about an id in a build. */
interface Place {
  /** The document's number, or -1 if no document has the id. */
  document: number;
  /** Whether any segment has a safe document with the id. */
  wasSafe: boolean;
}

/**
 * Caches look-ups of ids in each build, because a look-up takes about forty reads from disk and most hidden ids stay
 * hidden.
 */
const places = new WeakMap<SharedBuild, Map<string, Place>>();

/** Sets a build's tombstones. All threads see the tombstones immediately. */
export function setTombstones(shared: SharedBuild, ids: Iterable<string>): Buried {
  const build = openShared(shared.segments);
  const known = places.get(shared) ?? new Map<string, Place>();
  places.set(shared, known);
  const wanted = build.numbering.retired.slice();
  const buried: string[] = [];
  for (const id of ids) {
    const place = known.get(id) ?? { document: build.find(id), wasSafe: build.numbering.wasSafe(id) };
    known.set(id, place);
    if (place.document >= 0) wanted[place.document >> 3]! |= 1 << (place.document & 7);
    if (place.wasSafe) buried.push(id);
  }
  const hidden = new Uint8Array(shared.hidden);
  const changed = wanted.some((byte, at) => byte !== hidden[at]);
  hidden.set(wanted);
  const has = (id: string): boolean => {
    const document = build.find(id);
    return document >= 0 && !build.isAdult(document);
  };
  return { changed, ids: buried, has };
}
