import { type Explanation, LIMITS } from '@zoetrope/contract';
import {
  areWordsEnough,
  type Hits,
  joinLists,
  mixLegs,
  type Soon,
  type Suggestion,
  scaleCosine,
  spreadTitles,
  type WordHits,
  withMostOfName,
} from '@zoetrope/search';
import { ServiceError } from '../base/errors.ts';
import type { StoredGif } from '../builds/index.ts';
import type { Engine } from './engine.ts';
import { emojiNames } from './suggest-emoji.ts';
import type { Withheld } from './withheld.ts';

/** A ranked list, best first. Each page of results is a part of the list. */
export interface Ranked {
  readonly count: number;
  /** Returns the GIFs from place `from` to before place `to`. */
  gifs(from: number, to: number): Soon<StoredGif[]>;
}

/** A search whose words leg has run. */
export interface SearchInProgress {
  /** Whether the meaning leg is not needed. */
  readonly isEnough: boolean;
  /** Ends the search without the meaning leg. */
  endWithWords(): Promise<Ranked>;
  /**
   * Adds the meaning leg.
   * @param vector the query's vector; null if the embedder knows none of the query's words
   * @returns undefined if only the meaning leg is unavailable
   */
  endWithMeaning(vector: Float32Array | null): Promise<Ranked | undefined>;
}

/** A query that finds at least this number of GIFs, which is two pages, needs no completion. */
const ENOUGH = 48;

/**
 * Searches one state of the catalogue with the engine that holds its GIFs. All steps of a search are here or in the
 * search package. An engine only finds, scores and compares.
 */
export class Search {
  readonly #engine: Engine;
  readonly #language: number | undefined;

  /** @param language number of the user's language (`languageOf`), which decides how ambiguous words are read */
  constructor(engine: Engine, language?: number) {
    this.#engine = engine;
    this.#language = language;
  }

  /** Name of the catalogue's state, for responses. */
  get buildId(): string {
    return this.#engine.buildId;
  }

  /** Number of GIFs that can be found. */
  get documents(): number {
    return this.#engine.documents;
  }

  /** Whether the engine has vectors from the running embedder. */
  get hasMeaning(): boolean {
    return this.#engine.meaning !== undefined;
  }

  /** Whether similar GIFs are found by appearance. */
  get hasLooks(): boolean {
    return this.#engine.hasLooks;
  }

  /** Returns the search for one request. All calls for the request share one deadline. */
  forRequest(): Search {
    return new Search(this.#engine.forRequest(), this.#language);
  }

  /** Returns a search that reads ambiguous words in the user's language. */
  in(language: number | undefined): Search {
    return new Search(this.#engine, language);
  }

  /** Runs the words leg. Its result shows whether the query needs a vector. @param limit at most 200 */
  async begin(query: string, limit: number): Promise<SearchInProgress> {
    const words = await this.#searchWords(query, limit);
    return {
      isEnough: this.hasMeaning && areWordsEnough(words, words.documents.length === limit),
      endWithWords: () => this.#endWithWords(query, words, limit),
      endWithMeaning: (vector) => this.#endWithMeaning(query, words, vector, limit),
    };
  }

  async #searchWords(query: string, limit: number): Promise<WordHits> {
    return (await this.#engine.words([query], limit, this.#language))[0]!;
  }

  async #endWithWords(query: string, words: WordHits, limit: number): Promise<Ranked> {
    const documents = this.#spread(words.isName ? withMostOfName(words, words.scores) : words);
    return this.#continued(query, documents, documents, limit);
  }

  async #endWithMeaning(
    query: string,
    words: WordHits,
    vector: Float32Array | null,
    limit: number,
  ): Promise<Ranked | undefined> {
    const { meaning, isBusy } = this.#engine;
    if (vector === null || meaning === undefined) return this.#endWithWords(query, words, limit);
    // If the meaning leg is unavailable, the result of the words leg is shown, but only if it is not empty.
    const canGoOn = words.documents.length > 0;
    if (canGoOn && isBusy) return undefined;
    const mixing = mixLegs(words, vector, meaning, { limit, compare: (a, b) => this.#engine.compare(a, b) });
    const mixed = await (canGoOn ? mixing.catch(undefinedIfAway) : mixing);
    if (mixed === undefined) return undefined;
    const all = this.#spread(words.isName ? withMostOfName(mixed, mixed.words) : mixed);
    const matching = new Set(mixed.documents.filter((_, i) => mixed.words[i]! > 0));
    const byWords = all.filter((document) => matching.has(document));
    return this.#continued(query, byWords, all, limit);
  }

  /**
   * Adds the GIFs that the query finds when its last word is completed. The added GIFs come after the GIFs that contain
   * the query's words. If the last word is only a prefix of a word, the added GIFs come first.
   */
  async #continued(query: string, byWords: Uint32Array, all: Uint32Array, limit: number): Promise<Ranked> {
    const { further, isFinished } = this.#engine.typed.read(query, byWords.length >= ENOUGH, this.#language);
    if (further.length === 0) return this.#ranked(this.#engine.distinct(all));
    const found = (await this.#engine.words(further, limit, this.#language)).map((hits) =>
      isMeant(hits) ? this.#spread(hits) : new Uint32Array(),
    );
    const known = isFinished ? byWords : new Uint32Array();
    const joined = joinLists(joinLists(known, found, limit), [all], limit);
    return this.#ranked(this.#engine.distinct(joined));
  }

  #spread(hits: Pick<Hits, 'documents' | 'scores'>): Uint32Array {
    return spreadTitles(hits, this.#engine.titles(hits.documents));
  }

  /** Returns the GIFs with the most similar meaning. */
  async searchMeaning(vector: Float32Array | null, limit: number): Promise<RankedDocuments> {
    const found = vector === null ? undefined : await this.#engine.meaning?.near(vector, limit);
    return this.#ranked(this.#engine.distinct(found?.documents ?? new Uint32Array()));
  }

  /**
   * Returns the query with its unknown words corrected. Returns undefined if all words are known, if no known word is
   * similar, or if no shown GIF has all words of the corrected query. (In the last case, the unknown word is probably a
   * name that is not in the catalogue.)
   */
  async correct(query: string): Promise<string | undefined> {
    const corrected = this.#engine.typed.correct(query, this.#language);
    if (corrected === undefined) return undefined;
    const { scores, words } = await this.#searchWords(corrected, 1);
    return scores.length > 0 && scores[0]! >= words ? corrected : undefined;
  }

  /**
   * Returns at most `limit` GIFs that are most similar to a given GIF. GIFs that look alike come first, then others by
   * appearance and subject. Returns undefined if no shown GIF has this id.
   */
  async similar(id: string, limit: number): Promise<Ranked | undefined> {
    const document = await this.#engine.find(id);
    return document === undefined ? undefined : this.#ranked(await this.#engine.similar(document, limit));
  }

  /** Returns the most popular GIFs. */
  async popular(limit: number): Promise<Ranked> {
    return this.#ranked(await this.#engine.popular(limit));
  }

  /**
   * Returns the terms that complete a normalised query, except those that only hidden GIFs contain. The counts include
   * GIFs that were removed, replaced or hidden after the terms were counted.
   */
  async suggest(query: string, limit: number, without: Withheld['terms']): Promise<Suggestion[]> {
    const { suggester, retired } = this.#engine;
    const found = suggester.suggest(query, { limit, names: emojiNames(query), without });
    const doubtful = found.filter(({ n }) => n <= retired).map(({ term }) => term);
    const hits = doubtful.length === 0 ? [] : await this.#engine.words(doubtful, 1);
    const isShown = (term: string) => hits[doubtful.indexOf(term)]!.documents.length > 0;
    return found.filter(({ term, n }) => n > retired || isShown(term));
  }

  /** Returns the GIF with this id or former id, unless it is unknown, adult or hidden. */
  async find(id: string): Promise<StoredGif | undefined> {
    const document = await this.#engine.find(id);
    return document === undefined ? undefined : (await this.#engine.stored(Uint32Array.of(document)))[0];
  }

  /**
   * Explains how GIFs were found.
   * @param vector the query's vector; undefined if the meaning leg did not run
   * @param ids of GIFs that this search has found
   */
  async explain(
    query: string,
    vector: Float32Array | null | undefined,
    ids: readonly string[],
  ): Promise<Explanation[]> {
    const engine = this.#engine;
    const documents = engine.numbersOf(ids);
    const words = (await this.#searchWords(query, LIMITS.rankedListMax)).documents;
    const queries = [query, ...engine.typed.read(query, words.length >= ENOUGH, this.#language).further];
    const matches = await engine.match(queries, documents, this.#language);
    const meaning = vector ? await this.#explainMeaning(vector, documents) : undefined;
    return Array.from(documents, (document, i) => {
      // If the query itself does not match, the document was found by the first further query that matches.
      const by = Math.max(
        0,
        matches.findIndex((match) => match[i]!.terms.length > 0),
      );
      return {
        id: ids[i]!,
        words: {
          rank: rankIn(words, document),
          score: matches[0]![i]!.score,
          terms: matches[by]![i]!.terms,
          ...(by > 0 && { query: queries[by]! }),
        },
        meaning: meaning ? { rank: rankIn(meaning.near, document), score: meaning.scores[i]! } : null,
      };
    });
  }

  async #explainMeaning(vector: Float32Array, documents: Uint32Array) {
    const leg = this.#engine.meaning;
    if (leg === undefined) return undefined;
    const [near, cosines] = await Promise.all([leg.near(vector, LIMITS.rankedListMax), leg.cosines(vector, documents)]);
    return { near: near.documents, scores: cosines.map((cosine) => scaleCosine(cosine, leg.meanCosine)) };
  }

  #ranked(documents: Uint32Array): RankedDocuments {
    return new RankedDocuments(documents, this.#engine);
  }
}

export class RankedDocuments implements Ranked {
  readonly documents: Uint32Array;
  readonly #engine: Engine;

  constructor(documents: Uint32Array, engine: Engine) {
    this.documents = documents;
    this.#engine = engine;
  }

  get count(): number {
    return this.documents.length;
  }

  gifs(from: number, to: number): Soon<StoredGif[]> {
    return this.#engine.stored(this.documents.subarray(from, to));
  }
}

/**
 * Returns whether any document has all words of a completed or corrected query. If not, the query is not what was meant:
 * no GIF is about "yuki judaism", for which "judai" could be a beginning.
 */
function isMeant({ scores, words }: WordHits): boolean {
  return (scores[0] ?? 0) >= words;
}

/** Returns undefined for a leg that is unavailable, because the search can do without it. */
function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

function rankIn(documents: Uint32Array, document: number): number | null {
  return documents.indexOf(document) + 1 || null;
}
