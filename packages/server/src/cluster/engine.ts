import {
  FewVectors,
  findSimilar,
  type Languages,
  type MeaningLeg,
  quantise,
  SAME_PICTURE,
  Suggester,
  TypedReader,
  type TypingHelp,
  VectorComparer,
  type VectorHits,
  Vocabulary,
  type WeighedQuery,
  type WordHits,
  weighQuery,
} from '@zoetrope/search';
import { decodeStored, type StoredGif } from '../builds/index.ts';
import { type Engine, Search, type WordMatch } from '../index/index.ts';
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
  /** Returns the ids of the GIFs that were hidden after the state was published. */
  hidden: () => readonly string[];
  /** Maximum time for all calls to the cluster of one request, in milliseconds. */
  deadlineMs: number;
}

/** Number of candidates for similar GIFs in each space. */
const MAX_NEAR = 200;

/**
 * Opens a published state of the catalogue's index in a cluster, for searches.
 * @throws BuildError if the vocabulary is damaged
 */
export function openClusterSearch(shared: Pick<SharedCluster, 'state' | 'vocabulary'>, reader: ClusterReader): Search {
  return new Search(new ClusterEngine(openState(shared, reader)));
}

/** The data that all requests share. */
interface OpenState {
  state: ClusterState;
  reader: ClusterReader;
  vocabulary: Vocabulary;
  suggester: Suggester;
  typed: TypedReader;
  comparer: VectorComparer | undefined;
}

function openState(
  { state, vocabulary: parts }: Pick<SharedCluster, 'state' | 'vocabulary'>,
  reader: ClusterReader,
): OpenState {
  const vocabulary = new Vocabulary(parts);
  const suggester = new Suggester(vocabulary.suggestions);
  const typed = new TypedReader(vocabulary, suggester, reader.languages, reader.typing);
  const comparer = state.looks && new VectorComparer(state.looks.dimensions);
  return { state, reader, vocabulary, suggester, typed, comparer };
}

/** Searches that are sent to the cluster together. */
interface Batch {
  searches: ClusterSearch[];
  found: Promise<Hit[][]>;
}

/**
 * One published state of the catalogue's index in a cluster. This machine plans and completes queries with the
 * vocabulary, and the cluster finds and scores the GIFs. The number of a document is the position of its hit among all
 * hits of the request.
 */
class ClusterEngine implements Engine {
  readonly #opened: OpenState;
  /**
   * Time on the clock of `performance.now` by which all calls must have ended. If it is undefined, each call has its
   * own deadline.
   */
  readonly #endsAt: number | undefined;
  readonly #hits: Hit[] = [];
  readonly #numbers = new Map<string, number>();
  readonly meaning: MeaningLeg | undefined;
  #batch: Batch | undefined;

  constructor(opened: OpenState, endsAt?: number) {
    this.#opened = opened;
    this.#endsAt = endsAt;
    const { state, reader } = opened;
    const isMeaningOurs = state.meaning !== undefined && state.meaning.model === reader.embedder;
    this.meaning = isMeaningOurs ? this.#meaningLeg(state.meaning!.meanCosine) : undefined;
  }

  get buildId(): string {
    return buildOf(this.#opened.state);
  }

  get documents(): number {
    return this.#opened.state.gifs;
  }

  get retired(): number {
    return this.#opened.state.retired + this.#opened.reader.hidden().length;
  }

  get suggester(): Suggester {
    return this.#opened.suggester;
  }

  get typed(): TypedReader {
    return this.#opened.typed;
  }

  get hasLooks(): boolean {
    return this.#opened.state.looks !== undefined;
  }

  get isBusy(): boolean {
    return this.#opened.reader.client.isBusy;
  }

  forRequest(): ClusterEngine {
    return new ClusterEngine(this.#opened, performance.now() + this.#opened.reader.deadlineMs);
  }

  async words(queries: readonly string[], limit: number, preferred?: number): Promise<WordHits[]> {
    const weighed = queries.map((query) => this.#weigh(query, preferred));
    const found = await this.#run(weighed.map((one) => this.#byWords(one, limit)));
    return weighed.map((one, i) => ({
      ...this.#numbered(found[i]!),
      words: one.words,
      translated: one.translated,
      isName: one.isName,
      least: one.least,
      isPair: one.isPair,
      score: async (documents) => {
        const [hits] = await this.#run([this.#byWords(one, documents.length, this.#idsOf(documents))]);
        return this.#scoresOf(hits!, documents);
      },
    }));
  }

  async match(queries: readonly string[], documents: Uint32Array, preferred?: number): Promise<WordMatch[][]> {
    const ids = this.#idsOf(documents);
    const weighed = queries.map((query) => this.#weigh(query, preferred));
    const found = await this.#run(weighed.map((one) => this.#byWords(one, ids.length, ids, 'named')));
    return found.map((hits) =>
      ids.map((id) => {
        const hit = hits.find((one) => one.id === id);
        return { score: hit?.score ?? 0, terms: hit?.terms ?? [] };
      }),
    );
  }

  #weigh(query: string, preferred: number | undefined): WeighedQuery {
    const { vocabulary, suggester, reader } = this.#opened;
    return weighQuery(vocabulary, query, { languages: reader.languages, preferred, suggester });
  }

  #meaningLeg(meanCosine: number): MeaningLeg {
    return {
      meanCosine,
      near: async (vector, limit) => {
        const [near] = await this.#run([
          byVector('meaning', [...quantise(vector)], this.#scope(limit, 'titled', 'pictured')),
        ]);
        return this.#numbered(near!.filter(({ score }) => score > 0));
      },
      cosines: async (vector, documents) => {
        if (documents.length === 0) return new Float64Array();
        const [hits] = await this.#run([byComparing('meaning', [...quantise(vector)], this.#idsOf(documents))]);
        return this.#scoresOf(hits!, documents);
      },
    };
  }

  compare(a: number, b: number): number {
    return compareHits(this.#hits[a]!, this.#hits[b]!);
  }

  titles(documents: Uint32Array): Uint32Array {
    return documents.map((document) => this.#hits[document]!.titled ?? 0);
  }

  distinct(documents: Uint32Array): Uint32Array {
    const { comparer } = this.#opened;
    if (comparer === undefined) return documents;
    const vectors = Array.from(documents, (document) => this.#hits[document]!.pictured);
    return comparer.distinct(vectors, SAME_PICTURE).map((place) => documents[place]!);
  }

  async similar(document: number, limit: number): Promise<Uint32Array> {
    const { state } = this.#opened;
    const own = this.#hits[document]!;
    const near = (space: 'looks' | 'meaning', vector: Int8Array | undefined) =>
      vector && byVector(space, [...vector], { ...this.#scope(MAX_NEAR, 'meant', 'pictured'), inoffensive: true });
    const meant = this.meaning && own.meant;
    const found = await this.#run([near('looks', own.pictured), near('meaning', meant)]);
    const others = [...new Map(found.flat().map((hit) => [hit.id, hit])).values()].filter((hit) => hit.id !== own.id);
    const all = [own, ...others.sort(compareHits)];
    const vectorsOf = (space: 'meant' | 'pictured', dimensions: number) =>
      new FewVectors(
        all.map((hit) => hit[space]),
        dimensions,
      );
    const spaces = {
      looks: state.looks && vectorsOf('pictured', state.looks.dimensions),
      meaning: meant && vectorsOf('meant', state.meaning!.dimensions),
    };
    const { documents } = this.#numbered(all);
    return findSimilar(spaces, 0, { limit }).map((place) => documents[place]!);
  }

  async popular(limit: number): Promise<Uint32Array> {
    const [found] = await this.#run([byPopularity({ ...this.#scope(limit), inoffensive: true })]);
    return this.#numbered(found!).documents;
  }

  async find(id: string): Promise<number | undefined> {
    const [named] = await this.#run([byAlias(id, this.#scope(1, 'meant', 'pictured'))]);
    return this.#numbered(named!).documents[0];
  }

  numbersOf(ids: readonly string[]): Uint32Array {
    return Uint32Array.from(ids, (id) => this.#numberOf({ id, popularity: 0, score: 0 }));
  }

  async stored(documents: Uint32Array): Promise<StoredGif[]> {
    const { reader, state } = this.#opened;
    const stored = await readStored(reader.client, state.index, this.#idsOf(documents), this.#deadlineMs);
    return stored.flatMap((bytes) => (bytes === undefined ? [] : [decodeStored(bytes)]));
  }

  /** Gives a number to each hit. */
  #numbered(hits: readonly Hit[]): VectorHits {
    return {
      documents: Uint32Array.from(hits, (hit) => this.#numberOf(hit)),
      scores: Float64Array.from(hits, ({ score }) => score),
    };
  }

  #numberOf(hit: Hit): number {
    const number = this.#numbers.get(hit.id) ?? this.#hits.length;
    this.#numbers.set(hit.id, number);
    // Some searches return fewer fields of a GIF than other searches.
    if (number === this.#hits.length || hit.pictured) this.#hits[number] = hit;
    return number;
  }

  #idsOf(documents: Uint32Array): string[] {
    return Array.from(documents, (document) => this.#hits[document]!.id);
  }

  #scoresOf(hits: readonly Hit[], documents: Uint32Array): Float64Array {
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    return Float64Array.from(documents, (document) => scores.get(this.#hits[document]!.id) ?? 0);
  }

  #byWords(weighed: WeighedQuery, limit: number, only?: readonly string[], names?: 'named'): ClusterSearch | undefined {
    if (weighed.terms.length === 0 || only?.length === 0) return undefined;
    return byWords(weighed, { ...this.#scope(limit, 'titled', 'pictured'), ...(only && { only }) }, names);
  }

  #scope(limit: number, ...extra: Extra[]): Scope {
    return { limit, extra, hidden: this.#opened.reader.hidden() };
  }

  /** Maximum time for a call to the cluster, in milliseconds. */
  get #deadlineMs(): number {
    return this.#endsAt === undefined ? this.#opened.reader.deadlineMs : this.#endsAt - performance.now();
  }

  /**
   * Runs searches, together with all other searches that are requested at the same time. An undefined search finds
   * nothing.
   */
  async #run(searches: readonly (ClusterSearch | undefined)[]): Promise<Hit[][]> {
    const asked = searches.filter((search) => search !== undefined);
    if (asked.length === 0) return searches.map(() => []);
    this.#batch ??= this.#beginBatch();
    const batch = this.#batch;
    const first = batch.searches.push(...asked) - asked.length;
    const found = await batch.found;
    let next = first;
    return searches.map((search) => (search === undefined ? [] : found[next++]!));
  }

  #beginBatch(): Batch {
    const searches: ClusterSearch[] = [];
    const found = Promise.resolve().then(() => {
      this.#batch = undefined;
      const { reader, state } = this.#opened;
      return searchCluster(reader.client, state.index, searches, this.#deadlineMs);
    });
    return { searches, found };
  }
}

/** Compares two GIFs as `compareDocuments` does. */
function compareHits(a: Hit, b: Hit): number {
  return b.popularity - a.popularity || (a.id < b.id ? -1 : 1);
}
