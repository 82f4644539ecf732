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
import type { Ranked, SearchEngine, SearchInProgress } from './engine.ts';
import { openShared, type SharedBuild } from './load.ts';
import { decodeStored, type StoredGif } from './stored-gif.ts';
import { emojiNames } from './suggest-emoji.ts';
import type { Withheld } from './withheld.ts';

/** A ranked list of documents. */
class RankedDocuments implements Ranked {
  readonly documents: Uint32Array;
  readonly #build: Build;

  constructor(documents: Uint32Array, build: Build) {
    this.documents = documents;
    this.#build = build;
  }

  get count(): number {
    return this.documents.length;
  }

  gifs(from: number, to: number): StoredGif[] {
    return Array.from(this.documents.subarray(from, to), (document) => decodeStored(this.#build.stored(document)));
  }
}

/** The words leg's result. */
interface Words extends Pick<WordHits, 'documents' | 'scores' | 'isEnough'> {
  query: string;
  limit: number;
  /** The interpretation of the query. Undefined if this index has no meaning leg. */
  plan?: WordHits['plan'];
}

/** A search that has begun in memory. */
interface SearchInMemory extends SearchInProgress {
  endWithWords(): RankedDocuments;
  endWithMeaning(vector: Float32Array | null): RankedDocuments;
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
export class LiveIndex implements SearchEngine {
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

  get hasMeaning(): boolean {
    return this.#meaning !== undefined;
  }

  /** Memory needs no deadline. */
  forRequest(): this {
    return this;
  }

  get hasLooks(): boolean {
    return this.#looks !== undefined;
  }

  /** Returns the best GIFs by text search, at most `limit` (<= 200). */
  searchWords(query: string, limit: number): RankedDocuments {
    return this.begin(query, limit).endWithWords();
  }

  begin(query: string, limit: number): SearchInMemory {
    const words = this.#findWords(query, limit);
    return {
      isEnough: words.isEnough,
      endWithWords: () => this.#endWithWords(words),
      endWithMeaning: (vector) => this.#endWithMeaning(words, vector),
    };
  }

  #findWords(query: string, limit: number): Words {
    const options = { limit, hidden: this.#hidden };
    if (this.#meaning !== undefined) return { query, limit, ...this.#meaning.mixed.searchWords(query, options) };
    return { query, limit, ...this.#searcher.search(query, options), isEnough: false };
  }

  #endWithWords({ query, documents, limit }: Words): RankedDocuments {
    return this.#continued(query, documents, documents, limit);
  }

  #endWithMeaning(words: Words, vector: Float32Array | null): RankedDocuments {
    const { query, limit, plan } = words;
    if (vector === null || this.#meaning === undefined || plan === undefined) return this.#endWithWords(words);
    const options = { limit, hidden: this.#hidden };
    const { documents, words: scores } = this.#meaning.mixed.search({ ...words, plan }, vector, options);
    const byWords = documents.filter((_, i) => scores[i]! > 0);
    return this.#continued(query, byWords, documents, limit);
  }

  /**
   * Adds the GIFs that the query finds when its last word is completed. The added GIFs come after the GIFs that contain
   * the query's words. If the last word is only a prefix of a word, the added GIFs come first.
   */
  #continued(query: string, byWords: Uint32Array, all: Uint32Array, limit: number): RankedDocuments {
    const { further, isFinished } = this.#typed.read(query, byWords.length >= ENOUGH);
    if (further.length === 0) return this.#collapse(all);
    const found = further.map((text) => this.#searcher.search(text, { limit, hidden: this.#hidden }).documents);
    const known = isFinished ? byWords : new Uint32Array();
    return this.#collapse(joinLists(joinLists(known, found, limit), [all], limit));
  }

  correct(query: string): string | undefined {
    const corrected = this.#typed.correct(query);
    if (corrected === undefined) return undefined;
    const plan = this.#searcher.plan(corrected);
    const { words } = plan;
    const [score = 0] = this.#searcher.searchPlan(plan, { limit: 1, hidden: this.#hidden }).scores;
    return score >= words && score > 0 ? corrected : undefined;
  }

  #isVisible(query: string): boolean {
    return this.#searcher.search(query, { limit: 1, hidden: this.#hidden }).documents.length > 0;
  }

  searchMeaning(vector: Float32Array | null, limit: number): RankedDocuments {
    if (vector === null || this.#meaning === undefined) return this.#ranked(new Uint32Array());
    return this.#collapse(this.#meaning.vectors.search(vector, { limit, hidden: this.#hidden }).documents);
  }

  explain(query: string, vector: Float32Array | null | undefined, ids: readonly string[]): Explanation[] {
    const documents = Uint32Array.from(ids, (id) => this.#build.find(id));
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
  #collapse(documents: Uint32Array): RankedDocuments {
    return this.#ranked(this.#looks?.distinct(documents, SAME_PICTURE) ?? documents);
  }

  #ranked(documents: Uint32Array): RankedDocuments {
    return new RankedDocuments(documents, this.#build);
  }

  similar(id: string, limit: number): RankedDocuments | undefined {
    const document = this.#findDocument(id);
    if (document < 0) return undefined;
    const spaces = { looks: this.#looks, meaning: this.#meaning?.vectors };
    const hidden = this.#unasked();
    hidden[document >> 3]! &= ~(1 << (document & 7));
    return this.#ranked(findSimilar(spaces, document, { limit, hidden }));
  }

  /** Returns the bits of the documents that are hidden, or have an offensive word, which nobody asks for in a list. */
  #unasked(): Uint8Array {
    const { offensive } = this.#build;
    return this.#hidden.map((bits, i) => bits | offensive[i]!);
  }

  popular(limit: number): RankedDocuments {
    const documents: number[] = [];
    const hidden = this.#unasked();
    for (const document of this.#build.byRank()) {
      if (documents.length === limit) break;
      if (!isIn(hidden, document)) documents.push(document);
    }
    return this.#ranked(Uint32Array.from(documents));
  }

  /** The counts are from the build, so they include hidden GIFs until the next build. */
  suggest(query: string, limit: number, without: Withheld['terms']): Suggestion[] {
    const found = this.#suggester.suggest(query, { limit, names: emojiNames(query), without });
    const retired = this.#build.safeDocuments - this.#build.shownDocuments;
    // The counts include documents that deltas replaced or removed, so a term can be in no document that is shown.
    return found.filter(({ term, n }) => n > retired || this.#isVisible(term));
  }

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
    return isIn(this.#hidden, document);
  }
}

function isIn(bits: Uint8Array, document: number): boolean {
  return (bits[document >> 3]! & (1 << (document & 7))) !== 0;
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
interface TombstoneChange {
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
export function setTombstones(shared: SharedBuild, ids: Iterable<string>): TombstoneChange {
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
