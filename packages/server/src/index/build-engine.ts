import {
  type Build,
  findSimilar,
  hasVector,
  type Languages,
  type MeaningLeg,
  SAME_PICTURE,
  Searcher,
  SegmentedVectors,
  type SpaceName,
  Suggester,
  TypedReader,
  type TypingHelp,
  VectorSearcher,
  type Vectors,
  type WordHits,
} from '@zoetrope/search';
import { decodeStored, openShared, type SharedBuild, type StoredGif } from '../builds/index.ts';
import type { Engine, WordMatch } from './engine.ts';
import { Search } from './search.ts';

/** The facts that an index needs about the serving thread. */
export interface IndexReader {
  /** Number of the thread. Each thread has its own working memory for vector search. */
  thread: number;
  languages: Languages;
  /** Id of the running embedder. */
  embedder: string | undefined;
  typing: TypingHelp;
}

/** Opens a build in memory for searching on this thread. */
export function openBuildSearch(shared: SharedBuild, reader: IndexReader): Search {
  return new Search(new BuildEngine(shared, reader));
}

/**
 * One build, open for searching on this thread. A request takes the engine once and uses that engine until the request
 * ends (a lease). After a swap, later requests get the new build. The old build is released after its last request.
 */
class BuildEngine implements Engine {
  readonly buildId: string;
  readonly documents: number;
  readonly retired: number;
  readonly suggester: Suggester;
  readonly typed: TypedReader;
  readonly meaning: MeaningLeg | undefined;
  /** A build in memory has no queue. */
  readonly isBusy = false;
  readonly #build: Build;
  readonly #searcher: Searcher;
  readonly #hidden: Uint8Array;
  readonly #spaces: { meaning: Vectors | undefined; looks: Vectors | undefined };

  constructor(shared: SharedBuild, reader: IndexReader) {
    const build = openShared(shared.segments);
    this.#build = build;
    this.#hidden = new Uint8Array(shared.hidden);
    const space = shared.segments[0]!.manifest.spaces.meaning;
    const isMeaningOurs = space !== undefined && space.model === reader.embedder;
    const memory = { shared, thread: reader.thread };
    this.#spaces = {
      meaning: isMeaningOurs ? openVectors('meaning', build, memory) : undefined,
      looks: openVectors('looks', build, memory),
    };
    this.buildId = shared.manifest.build;
    this.documents = build.shownDocuments;
    // The counts in suggestions include documents that deltas replaced or removed. They also include hidden GIFs until
    // the next build.
    this.retired = build.safeDocuments - build.shownDocuments;
    this.suggester = new Suggester(build.suggestions);
    this.#searcher = new Searcher(build, reader.languages, this.suggester);
    this.typed = new TypedReader(build, this.suggester, reader.languages, reader.typing);
    this.meaning = this.#spaces.meaning && this.#meaningLeg(this.#spaces.meaning, space!.meanCosine);
  }

  #meaningLeg(vectors: Vectors, meanCosine: number): MeaningLeg {
    return {
      meanCosine,
      near: (vector, limit) => vectors.search(vector, { limit, hidden: this.#hidden }),
      cosines: (vector, documents) => vectors.score(vector, documents),
    };
  }

  get hasLooks(): boolean {
    return this.#spaces.looks !== undefined;
  }

  /** A build in memory needs no deadline. */
  forRequest(): this {
    return this;
  }

  words(queries: readonly string[], limit: number, preferred?: number): WordHits[] {
    return queries.map((query) => {
      const plan = this.#searcher.plan(query, preferred);
      const { words, translated, isName, least, isPair } = plan;
      const hits = this.#searcher.searchPlan(plan, { limit, hidden: this.#hidden });
      return {
        ...hits,
        words,
        translated,
        isName,
        least,
        isPair,
        score: (documents) => this.#searcher.scorePlan(plan, documents),
      };
    });
  }

  match(queries: readonly string[], documents: Uint32Array, preferred?: number): WordMatch[][] {
    return queries.map((query) => {
      const scores = this.#searcher.score(query, documents, preferred);
      return Array.from(documents, (document, i) => ({
        score: scores[i]!,
        terms: this.#searcher.matchedTerms(query, document, preferred),
      }));
    });
  }

  compare(a: number, b: number): number {
    return this.#build.rank(a) - this.#build.rank(b);
  }

  titles(documents: Uint32Array): Uint32Array {
    return documents.map((document) => this.#build.titleOf(document));
  }

  distinct(documents: Uint32Array): Uint32Array {
    return this.#spaces.looks?.distinct(documents, SAME_PICTURE) ?? documents;
  }

  similar(document: number, limit: number): Uint32Array {
    const hidden = this.#unasked();
    hidden[document >> 3]! &= ~(1 << (document & 7));
    return findSimilar(this.#spaces, document, { limit, hidden });
  }

  /**
   * Returns the bits of the documents that are hidden or have an offensive word. Lists without a query must not show
   * them.
   */
  #unasked(): Uint8Array {
    const { offensive } = this.#build;
    return this.#hidden.map((bits, i) => bits | offensive[i]!);
  }

  popular(limit: number): Uint32Array {
    const documents: number[] = [];
    const hidden = this.#unasked();
    for (const document of this.#build.byRank()) {
      if (documents.length === limit) break;
      if (!isIn(hidden, document)) documents.push(document);
    }
    return Uint32Array.from(documents);
  }

  find(id: string): number | undefined {
    const document = this.#build.find(id);
    return document < 0 || this.#build.isAdult(document) || isIn(this.#hidden, document) ? undefined : document;
  }

  numbersOf(ids: readonly string[]): Uint32Array {
    return Uint32Array.from(ids, (id) => this.#build.find(id));
  }

  stored(documents: Uint32Array): StoredGif[] {
    return Array.from(documents, (document) => decodeStored(this.#build.stored(document)));
  }
}

function isIn(bits: Uint8Array, document: number): boolean {
  return (bits[document >> 3]! & (1 << (document & 7))) !== 0;
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
  /**
   * Ids of the safe documents that have a tombstone or that a delta has retired. The terms of these documents are still
   * counted.
   */
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
 * Caches look-ups of ids for each build, because a look-up takes about forty reads from disk, and most hidden ids are
 * looked up repeatedly.
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
