import { analyse } from '../analysis/analyse.ts';
import { calmed } from '../analysis/drawn-out.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { offensiveTerm } from '../analysis/offensive.ts';
import { stem } from '../analysis/stem.ts';
import type { Statistics } from '../build/statistics.ts';
import { FIRST_LESS_SEARCHED, LANGUAGES } from '../languages/format.ts';
import type { Languages } from '../languages/languages.ts';
import type { Meaning } from '../languages/meaning.ts';
import { phraseTerm } from '../postings/phrases.ts';
import { isEasySlip, type Suggester } from '../suggest/suggester.ts';

/** The kinds of help with unfinished and misspelt words that are switched on. */
export interface TypingHelp {
  completion: boolean;
  correction: boolean;
}

/** The queries that the user probably means if a query is unfinished or misspelt. */
export interface Reading {
  /**
   * The query with its rare words corrected, if they are probably misspelt, then the completed queries, most used
   * first.
   */
  further: readonly string[];
  /**
   * Whether the query itself comes before these further queries. False only if the query's last word is just the
   * beginning of a word.
   */
  isFinished: boolean;
}

/**
 * Maximum number of completions that are searched. With this number, each completion gives 6 of the 24 GIFs of a first
 * page.
 */
const MAX_COMPLETED = 4;
/** Maximum number of words in a query. Longer queries are sentences, in which one word matters less. */
const MAX_WORDS = 4;
/** Minimum length of a slip. Too many words differ from a shorter word in one letter. */
const SHORTEST_SLIP = 4;
/** Minimum length of a slip that looks like a form of a word of another language. */
const LONG_SLIP = 6;
const SHORTEST_PART = 3;
/** Endings with which English words are derived from others. */
const DERIVED =
  'able age al ance ation ence er ful ian ic ical ing ion ism ist ition ity ive less ly ment ness or ous y'.split(' ');
/** Minimum length of the common beginning of two derived words. */
const SHORTEST_ROOT = 5;
/** The first language after the five most searched languages. */
const FIRST_AFTER_MOST_SEARCHED = LANGUAGES.indexOf('ru');
const PLAIN_WORD = /^[a-z]+$/;
const PLAIN_WORDS = /^[a-z ]+$/;
const NUMBER = /^\p{N}+$/u;
/**
 * A word can be a word of another language, or the beginning of a longer word. It is read as a beginning if this many
 * times as many GIFs have the longer word as have its meaning in the other language. COMPARED_WITH_SHORT is for words
 * of at most SHORT letters. A short word is always read as a beginning if its meaning is uncertain and its language is
 * not one of the most searched. A word with a certain meaning in one of the most searched languages is never read as a
 * beginning.
 */
const COMPARED_WITH_MEANING = 10;
const COMPARED_WITH_SHORT = 2;
const SHORT = 3;
/** Meanings that people rarely search for, as they rarely search for function words. */
const NUMERALS: ReadonlySet<string> = new Set(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'ten']);
/** A letter followed only by digits, up to the end: "area51". */
const NUMBER_AT_END = /^\p{L}\p{N}+$/u;
const NOTHING: Reading = { further: [], isFinished: true };
/** A word in at most MAX_SLIPPED GIFs is a slip if a similar word is in at least COMPARED_WITH_SLIP times as many. */
const MAX_SLIPPED = 10;
const COMPARED_WITH_SLIP = 20;
/**
 * Minimum number of GIFs that must have a word so that a word of a less searched language can be a slip of it. It also
 * applies to a name and its slips with two wrong letters.
 */
const FREQUENT = 50;
/**
 * The same minimum for slips that are words of another language with an uncertain meaning: "taht" is Turkish for
 * throne.
 */
const VERY_FREQUENT = 1_000;
/**
 * A word counts as the beginning of another word if the other word is at least this many times as frequent.
 * COMPARED_WITH_WORD is for English words, and for tags and names.
 */
const COMPARED_WITH_BEGINNING = 10;
const COMPARED_WITH_WORD = 40;

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
   * @param isEnough whether the query itself has found so many GIFs that no more are needed
   * @param preferred number of the user's language (`languageOf`)
   */
  read(query: string, isEnough: boolean, preferred?: number): Reading {
    const words = analyse(query);
    const last = words.at(-1);
    if (last === undefined || words.length > MAX_WORDS) return NOTHING;
    const isBeginning = this.#help.completion && this.#isBeginning(last, words.length > 1);
    if (isEnough && !isBeginning) return NOTHING;
    const completed = this.#help.completion ? this.#complete(query, words) : [];
    if (isBeginning && completed.length > 0 && !this.#isTerm(words) && !this.#isRatherWhole(query, words, preferred))
      return { further: completed, isFinished: false };
    const joined = words.length === 1 && !this.#occurs(last) ? this.#split(last) : undefined;
    if (joined !== undefined && this.#hasPhrase(joined.split(' '))) return { further: [joined], isFinished: false };
    const meant = this.#help.correction ? this.#meant(words) : undefined;
    return { further: meant === undefined ? completed : [meant, ...completed], isFinished: true };
  }

  /**
   * Returns the query with its unknown words corrected, or undefined. A word that is spelt right is never changed. A
   * query that has a meaning in another language is changed only if the result is a phrase of the catalogue.
   */
  correct(query: string, preferred?: number): string | undefined {
    const words = analyse(query);
    if (!this.#help.correction || words.length > MAX_WORDS) return undefined;
    const isWrong = (word: string) => !this.#occurs(word) && !this.#isSpeltRight(word);
    // The tag "dota2" is what is meant by "dota 2".
    if (!words.some(isWrong) || (words.length > 1 && this.#occurs(words.join('')))) return undefined;
    const isUnderstood = this.#isUnderstood(query, preferred);
    if (isUnderstood && words.length === 1) return this.#slipLikeForeign(query, preferred);
    const isBeginning = this.#help.completion && isWrong(words.at(-1)!) && this.#complete(query, words).length > 0;
    const corrected = isBeginning ? undefined : this.#replace(words, isWrong);
    return corrected !== undefined && isUnderstood && !this.#hasPhrase(analyse(corrected)) ? undefined : corrected;
  }

  /**
   * Returns the frequent English word that the user probably meant by a word of another language, or undefined. By
   * chance, a slip can look like a form of a foreign word, like a word of a rarely searched language, or like a word
   * with an uncertain meaning.
   */
  #slipLikeForeign(word: string, preferred: number | undefined): string | undefined {
    if (!PLAIN_WORD.test(word) || word.length < SHORTEST_SLIP) return undefined;
    const least = this.#leastForSlip(word, preferred);
    const near = least === undefined ? undefined : this.#suggester.nearest(word);
    if (least === undefined || near === undefined) return undefined;
    const documents = this.#documents(near);
    if (word.length >= LONG_SLIP && documents >= COMPARED_WITH_SLIP && this.#isForm(word)) return near;
    const isLikely = isEasySlip(word, near) && documents >= least;
    return isLikely && this.#suggester.completions(word, 1).length === 0 ? near : undefined;
  }

  /**
   * Returns how many GIFs must have an English word so that this word of another language can be a slip of it, or
   * undefined if this word cannot be a slip.
   */
  #leastForSlip(word: string, preferred: number | undefined): number | undefined {
    if (this.#isForm(word)) return FREQUENT;
    const { language, meanings } = this.#languages!.read(word, preferred);
    if (language === preferred) return undefined;
    if (language >= FIRST_LESS_SEARCHED) return FREQUENT;
    const isCertain = language < FIRST_AFTER_MOST_SEARCHED || meanings[0]?.phrases[0]?.weight === 1;
    return isCertain ? undefined : VERY_FREQUENT;
  }

  /** Returns whether a word is only a form of a word of another language. */
  #isForm(word: string): boolean {
    return this.#languages?.isTerm(word) === false;
  }

  /** Returns whether every two neighbouring words are a phrase of titles. */
  #hasPhrase(words: readonly string[]): boolean {
    return words.slice(1).every((word, i) => this.#statistics.frequencyOf(phraseTerm(words[i]!, word)) > 0);
  }

  /** Returns whether a word is in the catalogue, or the word that it draws out ("no" for "nooo"). */
  #occurs(word: string): boolean {
    const isThere = (form: string) =>
      this.#documents(form) > 0 || this.#statistics.frequencyOf(offensiveTerm(form)) > 0;
    return [word, ...calmed(word)].some((form) => isThere(form) || FUNCTION_WORDS.has(form));
  }

  #documents(word: string): number {
    return this.#statistics.frequencyOf(word) || this.#statistics.frequencyOf(stem(word));
  }

  /** A number has no spelling: 2016 is not what is meant by 2015. */
  #isSpeltRight(word: string): boolean {
    return NUMBER.test(word) || this.#languages?.isSpeltRight(word) === true;
  }

  #isUnderstood(query: string, preferred: number | undefined): boolean {
    return this.#languages?.understands(query, preferred) === true;
  }

  /** Returns whether a query has a meaning as typed, although its last word could be a beginning. */
  #isRatherWhole(query: string, words: readonly string[], preferred: number | undefined): boolean {
    const understood = this.#languages?.read(query, preferred);
    const [meaning] = understood?.meanings ?? [];
    if (meaning === undefined) return this.#isUnderstood(query, preferred);
    const { language } = understood!;
    if (language === preferred || !PLAIN_WORDS.test(query)) return true;
    if (words.length === 1) return this.#isRatherWord(query, language, meaning);
    const isUnlikely = language >= FIRST_LESS_SEARCHED || words.at(-1)!.length <= SHORT;
    const areAllMeant = analyse(meaning.text).length === words.length;
    return !isUnlikely || areAllMeant || !words.slice(0, -1).every((word) => this.#isEnglish(word));
  }

  /**
   * Returns whether a word without accents is rather a word of another language than a beginning. It is a beginning if
   * many more GIFs have its completion than its meaning: `hap` is not read as Turkish for pill, but `gato` is read as a
   * cat.
   */
  #isRatherWord(word: string, language: number, { phrases }: Meaning): boolean {
    const isMostSearched = language < FIRST_AFTER_MOST_SEARCHED;
    const isLessSearched = language >= FIRST_LESS_SEARCHED;
    if (isLessSearched && this.#isForm(word)) return false;
    const [completion] = this.#suggester.suggest(word, { limit: 1 });
    if (completion === undefined) return true;
    const { phrase, weight } = phrases[0]!;
    const meant = analyse(phrase);
    const isShort = word.length <= SHORT;
    if (isShort && meant.every((each) => FUNCTION_WORDS.has(each) || NUMERALS.has(each))) return false;
    if (isShort && isLessSearched) return false;
    if (weight === 1 && isMostSearched) return true;
    if (weight < 1 && !isMostSearched && isShort) return false;
    const factor = isShort ? COMPARED_WITH_SHORT : COMPARED_WITH_MEANING;
    return completion.n <= factor * Math.min(...meant.map((each) => this.#documents(each)));
  }

  #isTerm(words: readonly string[]): boolean {
    return this.#suggester.completions(words.join(' '), 1).some((term) => isSame(term, words));
  }

  /**
   * Returns whether the last word of a query is only the beginning of a word: it is not a word by itself, or is rarely
   * used as a word.
   */
  #isBeginning(word: string, isLater: boolean): boolean {
    if (!this.#occurs(word)) return true;
    if (word.length === 1) return isLater;
    if (FUNCTION_WORDS.has(word)) return false;
    const [most] = this.#suggester.suggest(word, { limit: 1 });
    const factor = this.#isName(word) ? COMPARED_WITH_WORD : COMPARED_WITH_BEGINNING;
    return most !== undefined && most.n >= factor * this.#documents(word);
  }

  #isEnglish(word: string): boolean {
    return this.#languages?.isEnglish(word) === true;
  }

  /** Returns whether a word is English, or a tag, character or series. */
  #isName(word: string): boolean {
    return this.#isEnglish(word) || this.#suggester.isName(word);
  }

  /** Returns whether a rare word is probably a misspelling of a frequent one. */
  #isSlip(word: string): boolean {
    const documents = this.#documents(word);
    if (documents === 0 || documents > MAX_SLIPPED || word.length < SHORTEST_SLIP) return false;
    // A name that a single GIF has is no proof that the word is right: "suprise" is a tag, too.
    const isKnown = this.#isEnglish(word) || (documents > 1 && this.#suggester.isName(word));
    if (FUNCTION_WORDS.has(word) || NUMBER.test(word) || isKnown) return false;
    const near = this.#suggester.nearest(word);
    return near !== undefined && this.#documents(near) >= COMPARED_WITH_SLIP * documents;
  }

  /** Returns the query with slips corrected and unknown words split, or undefined if it stays the same. */
  #meant(words: readonly string[]): string | undefined {
    const meant = words.map((word) => {
      if (this.#isSlip(word)) return this.#nearest(word) ?? word;
      const isUnknown = !this.#occurs(word);
      const parts = isUnknown ? this.#split(word) : undefined;
      const isLikely = parts !== undefined && (this.#hasPhrase(parts.split(' ')) || !this.#isSpeltRight(word));
      if (isLikely) return parts;
      return isUnknown ? (this.#related(word) ?? parts ?? word) : word;
    });
    return meant.every((word, i) => word === words[i]) ? undefined : meant.join(' ');
  }

  /**
   * Returns the most used word of the catalogue that is derived from the same word as an English word that no GIF has,
   * or undefined: "thrill" for "thriller".
   */
  #related(word: string): string | undefined {
    let best: { text: string | undefined; documents: number } = { text: undefined, documents: 0 };
    if (!this.#isSpeltRight(word)) return undefined;
    const roots = DERIVED.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length));
    for (const root of roots.filter(({ length }) => length >= SHORTEST_ROOT)) {
      for (const ending of ['', 'e', ...DERIVED]) {
        const documents = this.#documents(root + ending);
        if (documents > best.documents) best = { text: root + ending, documents };
      }
    }
    return best.text;
  }

  /** Returns the terms that start with the whole query, then those that start with its last word. */
  #complete(query: string, words: readonly string[]): string[] {
    const wanted = 2 * MAX_COMPLETED;
    const whole = contentFirst(this.#suggester.completions(query, wanted).filter((term) => !isSame(term, words)));
    const [last = ''] = /\S+$/.exec(query) ?? [];
    const before = query.slice(0, -last.length);
    const isSeveral = words.length > 1 && whole.length === 0 && last.length > 1;
    const endings = isSeveral
      ? contentFirst(this.#suggester.completions(last, wanted).filter((term) => !isSame(term, [last])))
      : [];
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
    // Most names that no GIF has are two edits from another rare name.
    const isLikely = (near: string) => this.#isEnglish(near) || this.#documents(near) >= FREQUENT;
    return this.#suggester.nearest(word, isLikely) ?? this.#split(word);
  }

  /**
   * Splits two words, or a word and a number, that were typed without a space between them. Chooses the split whose
   * rarer word is the most frequent.
   */
  #split(word: string): string | undefined {
    let best = { text: '', documents: 0 };
    for (let at = 1; at < word.length; at++) {
      const [first, second] = [word.slice(0, at), word.slice(at)];
      const isLong = Math.min(first.length, second.length) >= SHORTEST_PART;
      if (!isLong && !NUMBER_AT_END.test(word.slice(at - 1))) continue;
      // "bethany" is not "beth any", but "thankyou" is "thank you".
      const isRough = FUNCTION_WORDS.has(first) || FUNCTION_WORDS.has(second);
      if (isRough && !this.#hasPhrase([first, second])) continue;
      const documents = Math.min(this.#documents(first), this.#documents(second));
      if (documents > best.documents) best = { text: `${first} ${second}`, documents };
    }
    return best.documents > 0 ? best.text : undefined;
  }
}

/** Puts function words last, because people rarely search for `this` or `more`. */
function contentFirst(terms: readonly string[]): string[] {
  const isFunctionWord = (term: string) => FUNCTION_WORDS.has(term);
  return [...terms.filter((term) => !isFunctionWord(term)), ...terms.filter(isFunctionWord)];
}

function isSame(term: string, words: readonly string[]): boolean {
  return analyse(term).join(' ') === words.join(' ');
}

/**
 * Joins lists: first all documents of `first`, then one document from each of the other lists in turn.
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
