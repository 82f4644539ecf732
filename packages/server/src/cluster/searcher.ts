import {
  areWordsEnough,
  FewVectors,
  findSimilar,
  fuseLegs,
  joinLists,
  type Languages,
  quantise,
  SAME_PICTURE,
  Suggester,
  type Suggestion,
  scaleCosine,
  TypedReader,
  type TypingHelp,
  VectorComparer,
  type Vocabulary,
  type WeighedQuery,
  weighQuery,
} from '@zoetrope/search';
import { decodeStored, emojiNames, type StoredGif, type TakenOut } from '../index/index.ts';
import type { ClusterClient } from '../platform/opensearch/index.ts';
import {
  byAlias,
  byComparing,
  byPopularity,
  byVector,
  byWords,
  type ClusterSearch,
  type Extra,
  type Hit,
  readStored,
  type Scope,
  searchCluster,
} from './queries.ts';
import type { ClusterState } from './state.ts';

export interface ClusterReader {
  client: ClusterClient;
  languages: Languages;
  /** Id of the running embedder. */
  embedder: string | undefined;
  typing: TypingHelp;
  /** Returns the ids that were hidden after the state was published. */
  hidden: () => readonly string[];
  /** Maximum time for one request to the cluster, in milliseconds. */
  deadlineMs: number;
}

/** A search whose words leg has run. */
export interface Begun {
  query: string;
  limit: number;
  weighed: WeighedQuery;
  words: Hit[];
  /** Whether the query needs no meaning leg (see `areWordsEnough`). */
  isEnough: boolean;
}

/** A query that finds this many GIFs (two pages) needs no completion. */
const ENOUGH = 48;
/** Number of candidates for similar GIFs in each space. */
const MAX_NEAR = 200;

/**
 * One published state of the catalogue's index in a cluster. The vocabulary on this machine plans and completes queries;
 * the cluster finds and scores the GIFs; and the legs are combined here, as in `LiveIndex`.
 */
export class ClusterIndex {
  readonly state: ClusterState;
  readonly #reader: ClusterReader;
  readonly #vocabulary: Vocabulary;
  readonly #suggester: Suggester;
  readonly #typed: TypedReader;
  readonly #comparer: VectorComparer | undefined;

  constructor(state: ClusterState, vocabulary: Vocabulary, reader: ClusterReader) {
    this.state = state;
    this.#reader = reader;
    this.#vocabulary = vocabulary;
    this.#suggester = new Suggester(vocabulary.suggestions);
    this.#typed = new TypedReader(vocabulary, this.#suggester, reader.languages, reader.typing);
    this.#comparer = state.looks && new VectorComparer(state.looks.dimensions);
  }

  /** Returns whether the index has vectors from the running embedder. */
  get hasMeaning(): boolean {
    return this.state.meaning !== undefined && this.state.meaning.model === this.#reader.embedder;
  }

  /** Runs the words leg. Its result shows whether the query needs a vector. */
  async begin(query: string, limit: number): Promise<Begun> {
    const weighed = weighQuery(this.#vocabulary, query, this.#reader.languages);
    const [words] = await this.#run([this.#byWords(weighed, limit)]);
    const isEnough = this.hasMeaning && areWordsEnough(weighed, words!.length === limit);
    return { query, limit, weighed, words: words!, isEnough };
  }

  /** Ends a search without the meaning leg. */
  endWithWords({ query, words, limit }: Begun): Promise<Hit[]> {
    return this.#continued(query, words, words, limit);
  }

  /** Adds the meaning leg. @param vector the query's vector; null if the embedder knows none of the query's words */
  async endWithMeaning(begun: Begun, vector: Float32Array | null): Promise<Hit[]> {
    const { meaning } = this.state;
    if (vector === null || meaning === undefined || !this.hasMeaning) return this.endWithWords(begun);
    const { query, weighed, words, limit } = begun;
    const steps = [...quantise(vector)];
    const [near] = await this.#run([byVector('meaning', steps, this.#scope(limit, 'pictured'))]);
    const close = near!.filter(({ score }) => score > 0);
    const known = { words: scoresOf(words), meaning: scoresOf(close) };
    const onlyNear = close.filter(({ id }) => !known.words.has(id));
    const onlyWords = words.filter(({ id }) => !known.meaning.has(id));
    const [byWordsToo, byMeaningToo] = await this.#run([
      this.#byWords(weighed, limit, idsOf(onlyNear)),
      onlyWords.length === 0 ? undefined : byComparing('meaning', steps, idsOf(onlyWords)),
    ]);
    for (const { id, score } of byWordsToo!) known.words.set(id, score);
    for (const { id, score } of byMeaningToo!) known.meaning.set(id, score);
    const all = [...words, ...onlyNear];
    const legs = {
      words: Float64Array.from(all, ({ id }) => known.words.get(id) ?? 0),
      meaning: Float64Array.from(all, ({ id }) => scaleCosine(known.meaning.get(id) ?? 0, meaning.meanCosine)),
    };
    const { order } = fuseLegs(weighed, legs, (a, b) => compareHits(all[a]!, all[b]!), limit);
    const ranked = Array.from(order, (place) => ({ hit: all[place]!, words: legs.words[place]! }));
    const matched = ranked.filter((one) => one.words > 0).map(({ hit }) => hit);
    return this.#continued(
      query,
      matched,
      ranked.map(({ hit }) => hit),
      limit,
    );
  }

  /** Adds the GIFs that the query finds when its last word is completed, as `LiveIndex` does. */
  async #continued(query: string, byWords: readonly Hit[], all: readonly Hit[], limit: number): Promise<Hit[]> {
    const { further, isFinished } = this.#typed.read(query, byWords.length >= ENOUGH);
    if (further.length === 0) return this.#collapse(all);
    const weighed = further.map((text) => weighQuery(this.#vocabulary, text, this.#reader.languages));
    const found = await this.#run(weighed.map((one) => this.#byWords(one, limit)));
    const hits = [...new Map([...all, ...found.flat()].map((hit) => [hit.id, hit])).values()];
    const places = new Map(hits.map(({ id }, i) => [id, i]));
    const placesOf = (list: readonly Hit[]) => Uint32Array.from(list, ({ id }) => places.get(id)!);
    const first = joinLists(placesOf(isFinished ? byWords : []), found.map(placesOf), limit);
    return this.#collapse(Array.from(joinLists(first, [placesOf(all)], limit), (place) => hits[place]!));
  }

  /**
   * Returns the query with its unknown words corrected. Returns undefined if all words are known, if no known word is
   * similar, or if only hidden GIFs have the similar words.
   */
  async correct(query: string): Promise<string | undefined> {
    const corrected = this.#typed.correct(query);
    if (corrected === undefined) return undefined;
    const words = corrected.split(' ').map((term) => ({ term, n: this.#vocabulary.frequencyOf(term) }));
    return (await this.#visible(words)).length === words.length ? corrected : undefined;
  }

  /** Keeps only terms that at least one shown GIF has. The vocabulary also counts GIFs that were removed, replaced or hidden. */
  async #visible<Term extends { term: string; n: number }>(terms: readonly Term[]): Promise<Term[]> {
    const gone = this.state.retired + this.#reader.hidden().length;
    const doubtful = terms.filter(({ n }) => n <= gone);
    const weighed = doubtful.map(({ term }) => weighQuery(this.#vocabulary, term, this.#reader.languages));
    const found = await this.#run(weighed.map((one) => this.#byWords(one, 1)));
    return terms.filter((term) => !doubtful.includes(term) || found[doubtful.indexOf(term)]!.length > 0);
  }

  /** Returns the GIFs with the most similar meaning. */
  async searchMeaning(vector: Float32Array | null, limit: number): Promise<Hit[]> {
    if (vector === null || !this.hasMeaning) return [];
    const [near] = await this.#run([byVector('meaning', [...quantise(vector)], this.#scope(limit, 'pictured'))]);
    return this.#collapse(near!.filter(({ score }) => score > 0));
  }

  /** Returns the GIFs that are most like a given one, as `LiveIndex` does; undefined if no shown GIF has this id. */
  async similar(id: string, limit: number): Promise<Hit[] | undefined> {
    const extra = ['meant', 'pictured'] as const;
    const [named] = await this.#run([byAlias(id, this.#scope(1, ...extra))]);
    const [own] = named!;
    if (own === undefined) return undefined;
    const near = (space: 'looks' | 'meaning', vector: Int8Array | undefined) =>
      vector && byVector(space, [...vector], this.#scope(MAX_NEAR, ...extra));
    const meant = this.hasMeaning ? own.meant : undefined;
    const found = await this.#run([near('looks', own.pictured), near('meaning', meant)]);
    const others = [...new Map(found.flat().map((hit) => [hit.id, hit])).values()].filter((hit) => hit.id !== own.id);
    const all = [own, ...others.sort(compareHits)];
    const { looks, meaning } = this.state;
    const spaces = {
      looks:
        looks &&
        new FewVectors(
          all.map(({ pictured }) => pictured),
          looks.dimensions,
        ),
      meaning:
        meant &&
        new FewVectors(
          all.map(({ meant }) => meant),
          meaning!.dimensions,
        ),
    };
    return Array.from(findSimilar(spaces, 0, { limit }), (place) => all[place]!);
  }

  /** Returns the most popular GIFs. */
  async popular(limit: number): Promise<Hit[]> {
    const [found] = await this.#run([byPopularity(this.#scope(limit))]);
    return found!;
  }

  /** Returns the terms that complete a normalised query, except those that only hidden GIFs contain. */
  suggest(query: string, limit: number, without: TakenOut['terms']): Promise<Suggestion[]> {
    return this.#visible(this.#suggester.suggest(query, { limit, names: emojiNames(query), without }));
  }

  /** Returns the GIFs of hits, in order. GIFs that were removed in the meantime are left out. */
  async gifs(hits: readonly Hit[]): Promise<StoredGif[]> {
    const stored = await readStored(this.#reader.client, this.state.index, idsOf(hits), this.#reader.deadlineMs);
    return stored.flatMap((bytes) => (bytes === undefined ? [] : [decodeStored(bytes)]));
  }

  /** Returns the GIF with this id or former id, unless it is unknown or hidden. */
  async find(id: string): Promise<StoredGif | undefined> {
    const [named] = await this.#run([byAlias(id, this.#scope(1))]);
    return (await this.gifs(named!))[0];
  }

  #byWords(weighed: WeighedQuery, limit: number, only?: readonly string[]): ClusterSearch | undefined {
    if (weighed.terms.length === 0 || only?.length === 0) return undefined;
    return byWords(weighed, { ...this.#scope(limit, 'pictured'), ...(only && { only }) });
  }

  #scope(limit: number, ...extra: Extra[]): Scope {
    return { limit, extra, hidden: this.#reader.hidden() };
  }

  /** Runs searches together. The result of a search that is undefined is empty. */
  async #run(searches: readonly (ClusterSearch | undefined)[]): Promise<Hit[][]> {
    const asked = searches.filter((search) => search !== undefined);
    if (asked.length === 0) return searches.map(() => []);
    const found = await searchCluster(this.#reader.client, this.state.index, asked, this.#reader.deadlineMs);
    return searches.map((search) => (search === undefined ? [] : found[asked.indexOf(search)]!));
  }

  /** If several GIFs in a list are the same picture in different sizes, keeps only the best GIF. */
  #collapse(hits: readonly Hit[]): Hit[] {
    if (this.#comparer === undefined) return [...hits];
    const kept = this.#comparer.distinct(
      hits.map(({ pictured }) => pictured),
      SAME_PICTURE,
    );
    return Array.from(kept, (place) => hits[place]!);
  }
}

function idsOf(hits: readonly Hit[]): string[] {
  return hits.map(({ id }) => id);
}

function scoresOf(hits: readonly Hit[]): Map<string, number> {
  return new Map(hits.map(({ id, score }) => [id, score]));
}

/** Compares two GIFs as `compareDocuments` does. */
function compareHits(a: Hit, b: Hit): number {
  return b.popularity - a.popularity || (a.id < b.id ? -1 : 1);
}
