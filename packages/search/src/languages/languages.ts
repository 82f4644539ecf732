import { Dictionary } from './dictionary.ts';
import { type Part, readQuery } from './parts.ts';

/** What a part of a query means in English. */
export interface Meaning {
  kind: 'emoji' | 'words';
  /** The part of the query, folded; `analyse(text)` gives terms of the query. */
  text: string;
  /** English, lower case, ASCII; best first; weight above 0, up to 1. */
  phrases: readonly { phrase: string; weight: number }[];
}

const MAX_PHRASES = { emoji: 8, words: 4 } as const;
/** An emoji alone is embedded as its name and up to 15 key words, which finds half as much again as its name. */
const MAX_EMOJI_WORDS = 16;
/** Of every other part, the best phrase in one text and the three best in another, which beats either. */
const MAX_WORDS = 3;

/**
 * What queries in any language, and emoji, mean in English, without a neural net: words by the pictures they share
 * with English words in Unicode CLDR, and by a list of our own. It reads `bytes` (languages.bin) in place; they may be
 * shared between threads, but each thread needs an instance of its own. Throws RangeError for bytes of another version.
 */
export class Languages {
  readonly #dictionary: Dictionary;

  constructor(bytes: Uint8Array) {
    this.#dictionary = new Dictionary(bytes);
  }

  /**
   * What the parts of a normalised query (`normaliseQuery`) mean in English, in the order of the query: emoji always,
   * words only if the query as a whole is not English, or if they are slang. No part comes twice.
   */
  meanings(query: string): Meaning[] {
    const meanings = new Map<string, Meaning>();
    for (const { kind, text, phrases } of readQuery(query, this.#dictionary).parts) {
      if (phrases.length > 0) meanings.set(text, { kind, text, phrases: phrases.slice(0, MAX_PHRASES[kind]) });
    }
    return [...meanings.values()];
  }

  /**
   * English texts that together say what a normalised query says: average their sentence embeddings. It is the query
   * itself if that is English, and nothing if it is not and nothing of it is known.
   */
  inEnglish(query: string): string[] {
    const { english, parts } = readQuery(query, this.#dictionary);
    if (parts.every(({ phrases }) => phrases.length === 0)) return english ? [query] : [];
    const counts = parts.every(({ kind }) => kind === 'emoji') ? [MAX_EMOJI_WORDS] : [1, MAX_WORDS];
    return [...new Set(counts.map((count) => textOf(parts, count)))];
  }
}

/** English text of the parts: their best phrases, up to a number, or what they are if they are English. */
function textOf(parts: readonly Part[], count: number): string {
  return parts
    .flatMap(({ text, phrases }) =>
      phrases.length === 0 ? [text] : phrases.slice(0, count).map((each) => each.phrase),
    )
    .join(' ');
}
