import { analyse } from '../analysis/analyse.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { stem } from '../analysis/stem.ts';
import type { Statistics } from '../build/statistics.ts';
import type { Languages } from '../languages/languages.ts';
import type { Suggester } from '../suggest/suggester.ts';

/** Says which help with unfinished and misspelt words is on. */
export interface TypingHelp {
  completion: boolean;
  correction: boolean;
}

/** The queries that a query probably stands for if it is unfinished or misspelt. */
export interface Typed {
  /** The query that is probably meant instead of a rare word, then completed queries, most used first. */
  further: readonly string[];
  /** Whether the query itself comes before them. False only if its last word is just the beginning of a word. */
  isFinished: boolean;
}

/**
 * Maximum number of completions that are searched. With this number, each completion gives 6 of the 24 GIFs of a first
 * page.
 */
const MAX_COMPLETED = 4;
/** Maximum number of words in a query. Longer queries are sentences, in which one word matters less. */
const MAX_WORDS = 4;
/** Minimum length of a slip. Shorter words have too many neighbours. */
const SHORTEST_SLIP = 4;
const SHORTEST_PART = 3;
const NOTHING: Typed = { further: [], isFinished: true };
/** A word in at most MAX_SLIPPED GIFs is a slip if a similar word is in at least COMPARED_WITH_SLIP times as many. */
const MAX_SLIPPED = 10;
const COMPARED_WITH_SLIP = 20;
/**
 * A word that is not English counts as a prefix of another word if the other word is at least this many times as
 * frequent.
 */
const COMPARED_WITH_BEGINNING = 10;

/** Reads queries as people type them: half a word at the end, letters swapped, a space forgotten. */
export class TypedReader {
  readonly #statistics: Statistics;
  readonly #suggester: Suggester;
  readonly #languages: Languages | undefined;
  readonly #help: TypingHelp;

  constructor(statistics: Statistics, suggester: Suggester, languages: Languages | undefined, help: TypingHelp) {
    this.#statistics = statistics;
    this.#suggester = suggester;
    this.#languages = languages;
    this.#help = help;
  }

  /**
   * @param query the normalised query
   * @param isEnough whether the query itself has found so many GIFs that no others are needed
   */
  read(query: string, isEnough: boolean): Typed {
    const words = analyse(query);
    const last = words.at(-1);
    if (last === undefined || words.length > MAX_WORDS) return NOTHING;
    const isBeginning = this.#help.completion && this.#isBeginning(last, words.length > 1);
    if (isEnough && !isBeginning) return NOTHING;
    const completed = this.#help.completion ? this.#complete(query, words) : [];
    if (isBeginning && completed.length > 0 && !this.#isTerm(words) && !this.#isUnderstood(query))
      return { further: completed, isFinished: false };
    const meant = this.#help.correction ? this.#replace(words, (word) => this.#isSlip(word)) : undefined;
    return { further: meant === undefined ? completed : [meant, ...completed], isFinished: true };
  }

  /** Returns the query with its unknown words corrected, or undefined. A word that exists is never changed. */
  correct(query: string): string | undefined {
    const words = analyse(query);
    if (!this.#help.correction || words.length > MAX_WORDS) return undefined;
    if (words.every((word) => this.#occurs(word)) || this.#isUnderstood(query)) return undefined;
    const isBeginning = this.#help.completion && this.#complete(query, words).length > 0;
    return isBeginning ? undefined : this.#replace(words, (word) => !this.#occurs(word));
  }

  #occurs(word: string): boolean {
    return this.#documents(word) > 0 || FUNCTION_WORDS.has(word);
  }

  #documents(word: string): number {
    return this.#statistics.frequencyOf(word) || this.#statistics.frequencyOf(stem(word));
  }

  #isUnderstood(query: string): boolean {
    return this.#languages?.understands(query) === true;
  }

  #isTerm(words: readonly string[]): boolean {
    return this.#suggester.completions(words.join(' '), 1).some((term) => isSame(term, words));
  }

  /** Returns whether the last word of a query is not a word by itself, or is rarely used as one. */
  #isBeginning(word: string, isLater: boolean): boolean {
    if (!this.#occurs(word)) return true;
    if (word.length === 1) return isLater;
    if (this.#isName(word)) return false;
    const [most] = this.#suggester.suggest(word, { limit: 1 });
    return most !== undefined && most.n >= COMPARED_WITH_BEGINNING * this.#documents(word);
  }

  /** Returns whether a word is English, or a tag, character or series. */
  #isName(word: string): boolean {
    return FUNCTION_WORDS.has(word) || this.#languages?.isEnglish(word) === true || this.#suggester.isName(word);
  }

  /** Returns whether a rare word is probably a misspelling of a frequent one. */
  #isSlip(word: string): boolean {
    const documents = this.#documents(word);
    if (documents === 0 || documents > MAX_SLIPPED || word.length < SHORTEST_SLIP || this.#isName(word)) return false;
    const near = this.#suggester.nearest(word);
    return near !== undefined && this.#documents(near) >= COMPARED_WITH_SLIP * documents;
  }

  /** Returns the terms that start with the whole query, then those that start with its last word. */
  #complete(query: string, words: readonly string[]): string[] {
    const wanted = MAX_COMPLETED + 1;
    const whole = this.#suggester.completions(query, wanted).filter((term) => !isSame(term, words));
    const [last = ''] = /\S+$/.exec(query) ?? [];
    const before = query.slice(0, -last.length);
    const isSeveral = words.length > 1 && whole.length === 0 && last.length > 1;
    const endings = isSeveral ? this.#suggester.completions(last, wanted).filter((term) => !isSame(term, [last])) : [];
    return [...new Set([...whole, ...endings.map((ending) => before + ending)])].slice(0, MAX_COMPLETED);
  }

  /**
   * Returns the query with some of its words replaced by the nearest known ones, or undefined if nothing could be
   * replaced.
   */
  #replace(words: readonly string[], isWrong: (word: string) => boolean): string | undefined {
    const replaced = words.map((word) => (isWrong(word) ? (this.#nearest(word) ?? word) : word));
    return replaced.every((word, i) => word === words[i]) ? undefined : replaced.join(' ');
  }

  #nearest(word: string): string | undefined {
    if (word.length < SHORTEST_SLIP) return undefined;
    return this.#suggester.nearest(word) ?? this.#split(word);
  }

  /**
   * Splits two words that were typed without the space between them. Of all ways to split them, the one whose rarer
   * word is the most frequent wins.
   */
  #split(word: string): string | undefined {
    let best = { text: '', documents: 0 };
    for (let at = SHORTEST_PART; at <= word.length - SHORTEST_PART; at++) {
      const [first, second] = [word.slice(0, at), word.slice(at)];
      const documents = Math.min(this.#documents(first), this.#documents(second));
      if (documents > best.documents) best = { text: `${first} ${second}`, documents };
    }
    return best.documents > 0 ? best.text : undefined;
  }
}

function isSame(term: string, words: readonly string[]): boolean {
  return analyse(term).join(' ') === words.join(' ');
}

/**
 * Joins lists. All documents of `first` come first, then the documents of the other lists, one from each list in turn.
 * @param limit maximum number of documents
 */
export function joinLists(first: Uint32Array, others: readonly Uint32Array[], limit: number): Uint32Array {
  const all = new Set(first);
  const longest = Math.max(0, ...others.map(({ length }) => length));
  for (let i = 0; i < longest && all.size < limit; i++) {
    for (const list of others) if (i < list.length) all.add(list[i]!);
  }
  return Uint32Array.from(all).subarray(0, limit);
}
