import { Dictionary, type StoredEntry } from './dictionary.ts';

/** A term of which a text could be an inflected or drawn-out form. */
export interface Form {
  entry: StoredEntry;
  /** Share of letters that the text and the term have in common, from 0 to 1. */
  likeness: number;
}

/** Number of words whose forms are remembered. Four of five words of a log of real searches were among them. */
const MOST_RECENT = 2_000;

/**
 * The terms of all languages: our own dictionary, and the packs that an operator adds. A pack is used only for terms
 * that our dictionary does not have in the pack's language. Each thread needs its own instance.
 */
export class Dictionaries {
  readonly #own: Dictionary;
  readonly #packs: readonly Dictionary[];
  /** The terms of which a word could be a form. Looking them up in all languages takes a fifth of a search. */
  readonly forms: Recent<readonly Form[]> = new Recent(MOST_RECENT);
  /** How strongly a word counts as English. */
  readonly worths: Recent<number> = new Recent(MOST_RECENT);

  /** Throws RangeError if the bytes of a dictionary have another version. */
  constructor(own: Uint8Array, packs: readonly Uint8Array[]) {
    this.#own = new Dictionary(own);
    this.#packs = packs.map((bytes) => new Dictionary(bytes));
  }

  /** Returns the meanings of a term (see `keyOf`) in each language that has it. */
  find(term: string): readonly StoredEntry[] {
    const own = this.#own.find(term);
    if (this.#packs.length === 0) return own;
    const found = [...own];
    for (const pack of this.#packs) {
      for (const entry of pack.find(term)) {
        if (found.some(({ language }) => language === entry.language)) continue;
        found.push({ ...entry, fromPack: true });
      }
    }
    return found;
  }

  /** Returns the English entry of a term, if it has one. */
  findEnglish(term: string): StoredEntry | undefined {
    return this.#own.findEnglish(term);
  }

  /** Returns false if no term of the language has this stem (stems.ts). True does not guarantee that a term has it. */
  mayHaveStem(stem: string, language: number): boolean {
    return this.#own.mayHaveStem(stem, language) || this.#packs.some((pack) => pack.mayHaveStem(stem, language));
  }

  /** Returns the terms that have this stem in any of these languages, with those languages. */
  withStem(stem: string, languages: readonly number[]): { term: string; languages: readonly number[] }[] {
    const own = this.#own.withStem(stem, languages);
    if (this.#packs.length === 0) return own;
    const others = languages.filter((language) => !own.some((each) => each.languages.includes(language)));
    return [...own, ...this.#packs.flatMap((pack) => (others.length === 0 ? [] : pack.withStem(stem, others)))];
  }
}

/** Caches the results for the keys that were added last, because the words of queries repeat. */
export class Recent<V> {
  readonly #values: Map<string, V> = new Map();
  readonly #most: number;

  /** @param most maximum number of keys. If there are more, the oldest one is forgotten. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Returns the value of a key. If the value is not cached, `make` computes it. */
  get(key: string, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const value = make();
    this.#values.set(key, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value!);
    return value;
  }
}
