import { Dictionary, type StoredEntry } from './dictionary.ts';

/**
 * The terms of all languages: our own dictionary, and the packs that an operator adds. A pack is used only for terms
 * that our dictionary does not have in the pack's language. Each thread needs its own instance.
 */
export class Dictionaries {
  readonly #own: Dictionary;
  readonly #packs: readonly Dictionary[];

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
