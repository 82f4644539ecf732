import { isAscii } from '../analysis/normalise.ts';
import { Dictionaries } from './dictionaries.ts';
import { englishWorth, isInDictionary } from './english.ts';
import { isRomanised, LANGUAGES } from './format.ts';
import type { Meaning } from './meaning.ts';
import { type Part, readQuery } from './parts.ts';
import { Synonyms } from './synonyms.ts';
import { writeLanguages } from './writer.ts';

const MAX_PHRASES = { emoji: 8, words: 4 } as const;
/**
 * Maximum number of names and keywords with which a single emoji is embedded: its name and up to 15 keywords. With
 * keywords, 50 % more GIFs are found than with the name alone.
 */
const MAX_EMOJI_WORDS = 16;
/**
 * Maximum number of phrases for each part of any other query. Such a query is embedded as two texts: one has each
 * part's best phrase, the other the three best phrases. Both together are better than either alone.
 */
const MAX_WORDS = 3;
/**
 * Maximum number of words of a query that is probably a name if no more than half of its words are known: "flandre
 * scarlet". A model knows nothing about such a name, and finds anything.
 */
const MAX_WORDS_OF_NAME = 4;
const NUMBER = /^\p{N}+$/u;

/**
 * Translates queries in any language, and emoji, into English, without a neural network. It uses our own list of words,
 * and Unicode CLDR, in which each emoji has a name in every language. Reads `bytes` (languages.bin) in place. Threads
 * can share the bytes, but each thread needs its own instance. Throws RangeError for another version of the bytes.
 */
export class Languages {
  #bytes: Uint8Array;
  #dictionaries: Dictionaries;
  /** The operator's synonyms. The synonyms can be replaced at any time. */
  synonyms: Synonyms = new Synonyms([]);

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#dictionaries = new Dictionaries(bytes, []);
  }

  /** Returns languages that know no term, until `useOwn` gives them our own dictionary. */
  static empty(): Languages {
    return new Languages(writeLanguages(new Map()));
  }

  /** Replaces our own dictionary (languages.bin), without the packs. Throws RangeError if it has another version. */
  useOwn(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.usePacks([]);
  }

  /** Replaces the packs (see `writePack`), the preferred one first. Throws RangeError if one has another version. */
  usePacks(packs: readonly Uint8Array[]): void {
    this.#dictionaries = new Dictionaries(this.#bytes, packs);
  }

  /**
   * Returns the English meanings of the parts of a normalised query (`normaliseQuery`), in order. Emoji always have
   * meanings. Words have meanings only if the query is not English, or if they are slang. A part that occurs several
   * times is returned once.
   */
  meanings(query: string): Meaning[] {
    return this.read(query).meanings;
  }

  /**
   * Returns how a normalised query is read.
   * @param preferred number of the user's language (`languageOf`), which decides how an ambiguous query is read
   */
  read(query: string, preferred?: number): Interpretation {
    const { english, language, parts, others, plainer, homograph, folded, functionWords } = readQuery(
      query,
      this.#dictionaries,
      preferred,
    );
    const meanings = distinctMeanings(parts);
    const foreign = english ? [] : meanings.filter(({ kind }) => kind === 'words');
    const words = foreign.flatMap(({ text, phrases }) => {
      const meant = new Set(phrases.flatMap(({ phrase }) => phrase.split(' ')));
      return text.split(' ').filter((word) => !meant.has(word));
    });
    const looksEnglish = (word: string) => folded.includes(word) || englishWorth(word, this.#dictionaries) > 0;
    const falseFriends = new Set(words.filter(looksEnglish));
    const synonyms = this.synonyms.meanings(query);
    return {
      meanings,
      language,
      others: [...distinctMeanings(others), ...synonyms],
      plainer: distinctMeanings(plainer),
      homograph: distinctMeanings(homograph),
      falseFriends,
      functionWords: new Set(functionWords),
    };
  }

  /** Returns whether part of a normalised query can be translated or has a synonym. */
  understands(query: string, preferred?: number): boolean {
    return this.synonyms.meanings(query).length > 0 || this.read(query, preferred).meanings.length > 0;
  }

  /** Returns whether a folded word is an English word that is not very rare, or an inflected form of such a word. */
  isEnglish(word: string): boolean {
    return englishWorth(word, this.#dictionaries) > 0;
  }

  /**
   * Returns whether a folded word is itself a term of any language in its usual script. A word that is only a form of a
   * term does not count.
   */
  isTerm(word: string): boolean {
    return this.#dictionaries.find(word).some(({ language }) => !isRomanised(language));
  }

  /** Returns whether a folded word is spelt right: it is a known English word, common or rare, or known slang. */
  isSpeltRight(word: string): boolean {
    return isInDictionary(word, this.#dictionaries);
  }

  /**
   * Returns English texts that together express a normalised query. The caller must average their sentence embeddings.
   * Returns the query itself if the query is English, and an empty array if no part of it is known in any language, or
   * too little of a short query.
   */
  inEnglish(query: string): string[] {
    const { english, language, parts } = readQuery(query, this.#dictionaries, undefined);
    // Languages without a column in our tables have mostly names of pictures, which say little about a word in Latin
    // letters.
    if (language >= LANGUAGES.length && isAscii(query)) return [];
    if (parts.every(({ phrases }) => phrases.length === 0)) {
      const words = parts.filter(({ text }) => !NUMBER.test(text));
      const known = words.filter(({ text }) => this.isEnglish(text) || this.isSpeltRight(text)).length;
      return english && known > (words.length > MAX_WORDS_OF_NAME ? 0 : words.length / 2) ? [query] : [];
    }
    const counts = parts.every(({ kind }) => kind === 'emoji') ? [MAX_EMOJI_WORDS] : [1, MAX_WORDS];
    return [...new Set(counts.map((count) => textOf(parts, count)))];
  }
}

/** How a query is read. */
export interface Interpretation {
  /** See `Languages.meanings`. */
  meanings: Meaning[];
  /** Number of the query's language (format.ts). */
  language: number;
  /** The meanings in the second-best reading, and synonyms. */
  others: Meaning[];
  /** Plainer words for English words. */
  plainer: Meaning[];
  /** The meaning of a single English word that is also a word of another language. */
  homograph: Meaning[];
  /**
   * If the query is in another language: its words that only look English, folded. For example, "kůň" (horse) does not
   * mean "kun".
   */
  falseFriends: ReadonlySet<string>;
  /** If the query is in another language: its function words, folded. */
  functionWords: ReadonlySet<string>;
}

function distinctMeanings(parts: readonly Part[]): Meaning[] {
  const meanings = new Map<string, Meaning>();
  for (const { kind, text, phrases } of parts) {
    if (phrases.length > 0) meanings.set(text, { kind, text, phrases: phrases.slice(0, MAX_PHRASES[kind]) });
  }
  return [...meanings.values()];
}

/**
 * Returns the English text of the parts: up to `count` of the best phrases of each part, or the part itself if
 * it is English.
 */
function textOf(parts: readonly Part[], count: number): string {
  return parts
    .flatMap(({ text, phrases }) =>
      phrases.length === 0 ? [text] : phrases.slice(0, count).map((each) => each.phrase),
    )
    .join(' ');
}
