import { type Explanation, LIMITS } from '@zoetrope/contract';
import {
  aboutEqual,
  areWordsEnough,
  type Hits,
  isShort,
  joinLists,
  mixLegs,
  type Soon,
  type Suggestion,
  scaleCosine,
  spreadTitles,
  type WordHits,
  withoutPartial,
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
  /**
   * The text whose vector the meaning leg needs: the query, or its likeliest completion if the last word is incomplete.
   * The vector of an incomplete word has no meaning.
   */
  readonly meant: string;
  /** Whether `meant` is short (see `Search.isShort`). */
  readonly isShort: boolean;
  /** Whether the meaning leg is not needed. */
  readonly isEnough: boolean;
  /** Ends the search without the meaning leg. */
  endWithWords(): Promise<Ranked>;
  /**
   * Adds the meaning leg.
   * @param vector the vector of `meant`; null if the embedder has none of its words
   * @returns undefined if only the meaning leg is unavailable
   */
  endWithMeaning(vector: Float32Array | null): Promise<Ranked | undefined>;
}

/** The result of the words leg, for the query and for the queries that the user probably means. */
interface WordLists {
  /** The hits of the query that the user most probably means. */
  meant: WordHits;
  /** The GIFs of the other completed or corrected queries. */
  others: readonly Uint32Array[];
  /** The GIFs of the query itself, if its last word is incomplete. Undefined if the query itself is meant. */
  beginning: Uint32Array | undefined;
  limit: number;
}

const NO_DOCUMENTS = new Uint32Array();

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
    const own = await this.#searchWords(query, limit);
    const { documents } = own.isPair ? own : mostOf(own);
    const isEnough = documents.length >= ENOUGH;
    const { further, isFinished } = this.#engine.typed.read(query, isEnough, this.#language);
    const hits = further.length === 0 ? [] : await this.#engine.words(further, limit, this.#language);
    const found = further.map((text, i) => ({ text, hits: hits[i]! })).filter((each) => isMeant(each.hits));
    const meant = (isFinished ? undefined : found.shift()) ?? { text: query, hits: own };
    const lists = {
      meant: meant.hits,
      others: found.map((each) => this.#spread(mostOf(each.hits))),
      beginning: meant.hits === own ? undefined : this.#spread(mostOf(own)),
      limit,
    };
    return {
      meant: meant.text,
      isShort: isShort(meant.hits),
      isEnough:
        this.hasMeaning &&
        (isUnknownName(meant.hits) || areWordsEnough(meant.hits, meant.hits.documents.length === limit)),
      endWithWords: async () => this.#endWithWords(lists),
      endWithMeaning: (vector) => this.#endWithMeaning(lists, vector),
    };
  }

  /** Returns whether a query is so short that the meanings of its words are enough for its vector. */
  async isShort(query: string): Promise<boolean> {
    return isShort(await this.#searchWords(query, 1));
  }

  async #searchWords(query: string, limit: number): Promise<WordHits> {
    return (await this.#engine.words([query], limit, this.#language))[0]!;
  }

  #endWithWords(lists: WordLists): Ranked {
    const documents = this.#spread(mostOf(lists.meant));
    return this.#joined(lists, documents, documents);
  }

  async #endWithMeaning(lists: WordLists, vector: Float32Array | null): Promise<Ranked | undefined> {
    const { meaning, isBusy } = this.#engine;
    const { meant, limit } = lists;
    if (vector === null || meaning === undefined) return this.#endWithWords(lists);
    // If the meaning leg is unavailable, the result of the words leg is shown, but only if it is not empty.
    const canGoOn = meant.documents.length > 0;
    if (canGoOn && isBusy) return undefined;
    const mixing = mixLegs(meant, vector, meaning, { limit, compare: (a, b) => this.#engine.compare(a, b) });
    const mixed = await (canGoOn ? mixing.catch(undefinedIfAway) : mixing);
    if (mixed === undefined) return undefined;
    const all = this.#spread(withoutPartial(mixed, mixed.words, meant), aboutEqual(meant));
    const matching = new Set(mixed.documents.filter((_, i) => mixed.words[i]! > 0));
    const byWords = all.filter((document) => matching.has(document));
    return this.#joined(lists, byWords, all);
  }

  /**
   * Joins the lists: the GIFs of the text that is meant, then the GIFs of the other queries. If the last word is
   * incomplete, any of these queries can be meant, so their GIFs alternate, and the GIFs of the query itself follow.
   * @param byWords the GIFs that have words of the meant text
   * @param all these GIFs, and the GIFs that only the meaning leg found
   */
  #joined({ others, beginning, limit }: WordLists, byWords: Uint32Array, all: Uint32Array): Ranked {
    const joined =
      beginning === undefined
        ? joinLists(byWords, others, limit)
        : joinLists(joinLists(NO_DOCUMENTS, [byWords, ...others], limit), [beginning], limit);
    return this.#ranked(this.#engine.distinct(joinLists(joined, [all], limit)));
  }

  #spread({ documents, scores }: Pick<Hits, 'documents' | 'scores'>, within?: number): Uint32Array {
    return spreadTitles({ documents, scores }, this.#engine.titles(documents), within);
  }

  /** Returns the GIFs with the most similar meaning. */
  async searchMeaning(vector: Float32Array | null, limit: number): Promise<RankedDocuments> {
    const found = vector === null ? undefined : await this.#engine.meaning?.near(vector, limit);
    return this.#ranked(this.#engine.distinct(found?.documents ?? new Uint32Array()));
  }

  /**
   * Returns the query with its unknown words corrected. Returns undefined if all words are known, if no known word is
   * similar, or if no shown GIF has all words of the corrected query. (In the last case, the unknown word is probably a
   * name that the catalogue does not contain.)
   */
  async correct(query: string): Promise<string | undefined> {
    const corrected = this.#engine.typed.correct(query, this.#language);
    if (corrected === undefined) return undefined;
    return isMeant(await this.#searchWords(corrected, 1)) ? corrected : undefined;
  }

  /**
   * Returns at most `limit` GIFs that are most similar to a given GIF. Near-identical GIFs come first, then GIFs with
   * similar appearance and subject. Returns undefined if no shown GIF has this id.
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
  async explain(query: string, vector: Float32Array | null | undefined, ids: readonly string[]): Promise<Explained[]> {
    const engine = this.#engine;
    const documents = engine.numbersOf(ids);
    const words = (await this.#searchWords(query, LIMITS.rankedListMax)).documents;
    const queries = [query, ...engine.typed.read(query, words.length >= ENOUGH, this.#language).further];
    const matches = await engine.match(queries, documents, this.#language);
    const meaning = vector ? await this.#explainMeaning(vector, documents) : undefined;
    return Array.from(documents, (document, i) => {
      // If the query itself does not match, the first other query that matches has found the document.
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

/** How a GIF was found, without the encoder: the index has no information about what computed the query's vector. */
export type Explained = Omit<Explanation, 'meaning'> & {
  readonly meaning: Omit<NonNullable<Explanation['meaning']>, 'encoder'> | null;
};

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
 * Returns whether any document has all words of a completed or corrected query. Otherwise, the user did not mean the
 * query: for example, "yuki judai" can be completed to "yuki judaism", but no GIF has both words. For a long query (no
 * `words`), returns false.
 */
function isMeant({ scores, words }: WordHits): boolean {
  return words > 0 && (scores[0] ?? 0) >= words;
}

/** Returns whether the query is a name that no GIF has. Search by meaning cannot find names. */
function isUnknownName({ isName, documents }: WordHits): boolean {
  return isName && documents.length === 0;
}

/** Returns the hits of the words leg that match enough words. */
function mostOf(hits: WordHits): Pick<Hits, 'documents' | 'scores'> {
  return withoutPartial(hits, hits.scores, hits);
}

/** Returns undefined for a leg that is unavailable, because the search can do without it. */
function undefinedIfAway(error: unknown): undefined {
  if (!(error instanceof ServiceError)) throw error;
}

function rankIn(documents: Uint32Array, document: number): number | null {
  return documents.indexOf(document) + 1 || null;
}
