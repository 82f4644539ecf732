import { type Explanation, LIMITS } from '@zoetrope/contract';
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
  Vocabulary,
  type WeighedQuery,
  weighQuery,
} from '@zoetrope/search';
import { ServiceError } from '../base/errors.ts';
import {
  decodeStored,
  emojiNames,
  type Ranked,
  type SearchEngine,
  type SearchInProgress,
  type StoredGif,
  type Withheld,
} from '../index/index.ts';
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
import { buildOf, type ClusterState, type SharedCluster } from './state.ts';

export interface ClusterReader {
  client: ClusterClient;
  languages: Languages;
  /** Id of the running embedder. */
  embedder: string | undefined;
  typing: TypingHelp;
  /** Returns the ids that were hidden after the state was published. */
  hidden: () => readonly string[];
  /** Maximum time for all that one request needs from the cluster, in milliseconds. */
  deadlineMs: number;
}

/** What all requests share. */
interface OpenCluster {
  state: ClusterState;
  reader: ClusterReader;
  vocabulary: Vocabulary;
  suggester: Suggester;
  typed: TypedReader;
  comparer: VectorComparer | undefined;
}

/** The words leg's result. */
interface Words {
  query: string;
  limit: number;
  weighed: WeighedQuery;
  words: Hit[];
}

/** A ranked list of hits. */
interface RankedHits extends Ranked {
  hits: readonly Hit[];
  gifs(from: number, to: number): Promise<StoredGif[]>;
}

/** A query that finds this many GIFs (two pages) needs no completion. */
const ENOUGH = 48;
/** Number of candidates for similar GIFs in each space. */
const MAX_NEAR = 200;

/**
 * One published state of the catalogue's index in a cluster. The vocabulary on this machine plans and completes queries;
 * the cluster finds and scores the GIFs; and the legs are combined here, as in `LiveIndex`.
 */
export class ClusterIndex implements SearchEngine {
  readonly state: ClusterState;
  readonly #opened: OpenCluster;
  readonly #reader: ClusterReader;
  readonly #vocabulary: Vocabulary;
  readonly #suggester: Suggester;
  readonly #typed: TypedReader;
  readonly #comparer: VectorComparer | undefined;
  /** Time on the clock of `performance.now` at which all calls must have ended. Undefined: each has a deadline of its own. */
  readonly #endsAt: number | undefined;

  private constructor(opened: OpenCluster, endsAt?: number) {
    this.state = opened.state;
    this.#opened = opened;
    this.#reader = opened.reader;
    this.#vocabulary = opened.vocabulary;
    this.#suggester = opened.suggester;
    this.#typed = opened.typed;
    this.#comparer = opened.comparer;
    this.#endsAt = endsAt;
  }

  /** @throws BuildError if the vocabulary is damaged */
  static open(
    { state, vocabulary: parts }: Pick<SharedCluster, 'state' | 'vocabulary'>,
    reader: ClusterReader,
  ): ClusterIndex {
    const vocabulary = new Vocabulary(parts);
    const suggester = new Suggester(vocabulary.suggestions);
    const typed = new TypedReader(vocabulary, suggester, reader.languages, reader.typing);
    const comparer = state.looks && new VectorComparer(state.looks.dimensions);
    return new ClusterIndex({ state, reader, vocabulary, suggester, typed, comparer });
  }

  forRequest(): ClusterIndex {
    return new ClusterIndex(this.#opened, performance.now() + this.#reader.deadlineMs);
  }

  /** Milliseconds that a call to the cluster may take. */
  get #deadlineMs(): number {
    return this.#endsAt === undefined ? this.#reader.deadlineMs : this.#endsAt - performance.now();
  }

  get buildId(): string {
    return buildOf(this.state);
  }

  get documents(): number {
    return this.state.gifs;
  }

  get hasMeaning(): boolean {
    return this.state.meaning !== undefined && this.state.meaning.model === this.#reader.embedder;
  }

  get hasLooks(): boolean {
    return this.state.looks !== undefined;
  }

  async begin(query: string, limit: number): Promise<SearchInProgress> {
    const search = await this.#findWords(query, limit);
    const isEnough = this.hasMeaning && areWordsEnough(search.weighed, search.words.length === limit);
    return {
      isEnough,
      endWithWords: () => this.#endWithWords(search),
      endWithMeaning: (vector) => this.#endWithMeaning(search, vector),
    };
  }

  async #findWords(query: string, limit: number): Promise<Words> {
    const weighed = weighQuery(this.#vocabulary, query, this.#reader.languages);
    const [words] = await this.#run([this.#byWords(weighed, limit)]);
    return { query, limit, weighed, words: words! };
  }

  #endWithWords({ query, words, limit }: Words): Promise<RankedHits> {
    return this.#continued(query, words, words, limit);
  }

  async #endWithMeaning(begun: Words, vector: Float32Array | null): Promise<RankedHits | undefined> {
    if (vector === null || !this.hasMeaning) return this.#endWithWords(begun);
    // Words alone are worth showing if they have found something. Otherwise, nothing is known about the query.
    const canGoOn = begun.words.length > 0;
    // A busy cluster does without the meaning leg, so that more searches get an answer.
    if (canGoOn && this.#reader.client.isBusy) return undefined;
    const adding = this.#addMeaning(begun, vector);
    const mixed = await (canGoOn ? adding.catch(undefinedIfAway) : adding);
    return mixed && this.#continued(begun.query, mixed.byWords, mixed.all, begun.limit);
  }

  /** Ranks the GIFs of both legs. @returns all GIFs, and those of the words leg */
  async #addMeaning({ weighed, words, limit }: Words, vector: Float32Array): Promise<{ all: Hit[]; byWords: Hit[] }> {
    const meaning = this.state.meaning!;
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
    const byWords = ranked.filter((one) => one.words > 0).map(({ hit }) => hit);
    return { all: ranked.map(({ hit }) => hit), byWords };
  }

  /** Adds the GIFs that the query finds when its last word is completed, as `LiveIndex` does. */
  async #continued(query: string, byWords: readonly Hit[], all: readonly Hit[], limit: number): Promise<RankedHits> {
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

  async correct(query: string): Promise<string | undefined> {
    const corrected = this.#typed.correct(query);
    if (corrected === undefined) return undefined;
    const weighed = weighQuery(this.#vocabulary, corrected, this.#reader.languages);
    const [found] = await this.#run([this.#byWords(weighed, 1)]);
    const [best] = found!;
    return best !== undefined && best.score >= weighed.words ? corrected : undefined;
  }

  /** Keeps only terms that at least one shown GIF has. The vocabulary also counts GIFs that were removed, replaced or hidden. */
  async #visible<Term extends { term: string; n: number }>(terms: readonly Term[]): Promise<Term[]> {
    const gone = this.state.retired + this.#reader.hidden().length;
    const doubtful = terms.filter(({ n }) => n <= gone);
    const weighed = doubtful.map(({ term }) => weighQuery(this.#vocabulary, term, this.#reader.languages));
    const found = await this.#run(weighed.map((one) => this.#byWords(one, 1)));
    return terms.filter((term) => !doubtful.includes(term) || found[doubtful.indexOf(term)]!.length > 0);
  }

  async searchMeaning(vector: Float32Array | null, limit: number): Promise<RankedHits> {
    if (vector === null || !this.hasMeaning) return this.#ranked([]);
    const [near] = await this.#run([byVector('meaning', [...quantise(vector)], this.#scope(limit, 'pictured'))]);
    return this.#collapse(near!.filter(({ score }) => score > 0));
  }

  async similar(id: string, limit: number): Promise<RankedHits | undefined> {
    const extra = ['meant', 'pictured'] as const;
    const [named] = await this.#run([byAlias(id, this.#scope(1, ...extra))]);
    const [own] = named!;
    if (own === undefined) return undefined;
    const near = (space: 'looks' | 'meaning', vector: Int8Array | undefined) =>
      vector && byVector(space, [...vector], { ...this.#scope(MAX_NEAR, ...extra), inoffensive: true });
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
    return this.#ranked(Array.from(findSimilar(spaces, 0, { limit }), (place) => all[place]!));
  }

  async popular(limit: number): Promise<RankedHits> {
    const [found] = await this.#run([byPopularity({ ...this.#scope(limit), inoffensive: true })]);
    return this.#ranked(found!);
  }

  suggest(query: string, limit: number, without: Withheld['terms']): Promise<Suggestion[]> {
    return this.#visible(this.#suggester.suggest(query, { limit, names: emojiNames(query), without }));
  }

  /** Returns the GIFs of hits, in order. GIFs that were removed in the meantime are left out. */
  async #gifs(hits: readonly Hit[]): Promise<StoredGif[]> {
    const stored = await readStored(this.#reader.client, this.state.index, idsOf(hits), this.#deadlineMs);
    return stored.flatMap((bytes) => (bytes === undefined ? [] : [decodeStored(bytes)]));
  }

  async find(id: string): Promise<StoredGif | undefined> {
    const [named] = await this.#run([byAlias(id, this.#scope(1))]);
    return (await this.#gifs(named!))[0];
  }

  #byWords(weighed: WeighedQuery, limit: number, only?: readonly string[], names?: 'named'): ClusterSearch | undefined {
    if (weighed.terms.length === 0 || only?.length === 0) return undefined;
    return byWords(weighed, { ...this.#scope(limit, 'pictured'), ...(only && { only }) }, names);
  }

  #scope(limit: number, ...extra: Extra[]): Scope {
    return { limit, extra, hidden: this.#reader.hidden() };
  }

  /** Runs searches together. The result of a search that is undefined is empty. */
  async #run(searches: readonly (ClusterSearch | undefined)[]): Promise<Hit[][]> {
    const asked = searches.filter((search) => search !== undefined);
    if (asked.length === 0) return searches.map(() => []);
    const found = await searchCluster(this.#reader.client, this.state.index, asked, this.#deadlineMs);
    return searches.map((search) => (search === undefined ? [] : found[asked.indexOf(search)]!));
  }

  /** If several GIFs in a list are the same picture in different sizes, keeps only the best GIF. */
  #collapse(hits: readonly Hit[]): RankedHits {
    if (this.#comparer === undefined) return this.#ranked(hits);
    const kept = this.#comparer.distinct(
      hits.map(({ pictured }) => pictured),
      SAME_PICTURE,
    );
    return this.#ranked(Array.from(kept, (place) => hits[place]!));
  }

  #ranked(hits: readonly Hit[]): RankedHits {
    return { hits, count: hits.length, gifs: (from, to) => this.#gifs(hits.slice(from, to)) };
  }

  async explain(
    query: string,
    vector: Float32Array | null | undefined,
    ids: readonly string[],
  ): Promise<Explanation[]> {
    const { words } = await this.#findWords(query, LIMITS.rankedListMax);
    const queries = [query, ...this.#typed.read(query, words.length >= ENOUGH).further];
    const matched = await this.#run(
      queries.map((text) => {
        const weighed = weighQuery(this.#vocabulary, text, this.#reader.languages);
        return this.#byWords(weighed, ids.length, ids, 'named');
      }),
    );
    const near = vector ? await this.#explainMeaning(vector, ids) : undefined;
    return ids.map((id) => {
      const found = matched.map((hits) => hits.find((hit) => hit.id === id));
      const first = found.findIndex((hit) => hit !== undefined);
      const by = first > 0 ? { query: queries[first]! } : {};
      const terms = found[first]?.terms ?? [];
      return {
        id,
        words: { rank: rankIn(words, id), score: found[0]?.score ?? 0, terms, ...by },
        meaning: near ? { rank: rankIn(near.hits, id), score: near.scores.get(id) ?? 0 } : null,
      };
    });
  }

  async #explainMeaning(vector: Float32Array, ids: readonly string[]) {
    if (!this.hasMeaning || ids.length === 0) return undefined;
    const steps = [...quantise(vector)];
    const searches = [
      byVector('meaning', steps, this.#scope(LIMITS.rankedListMax)),
      byComparing('meaning', steps, ids),
    ];
    const [hits, compared] = await this.#run(searches);
    const { meanCosine } = this.state.meaning!;
    return { hits: hits!, scores: new Map(compared!.map(({ id, score }) => [id, scaleCosine(score, meanCosine)])) };
  }
}

/** @returns the place of a GIF in a list, from 1; null if the list does not have it */
function rankIn(hits: readonly Hit[], id: string): number | null {
  return hits.findIndex((hit) => hit.id === id) + 1 || null;
}

/** For a leg that the search can do without. */
function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
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
