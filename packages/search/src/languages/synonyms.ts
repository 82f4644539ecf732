import { analyse } from '../analysis/analyse.ts';
import type { Meaning } from './meaning.ts';

/** Words and phrases with the same meaning. */
export type SynonymSet = readonly string[];

/** The synonyms of an operator, in addition to the table of languages. */
export class Synonyms {
  /** For each member of a set, the other members. The key consists of the member's terms. */
  readonly #others = new Map<string, Set<string>>();
  #longest = 0;

  constructor(sets: readonly SynonymSet[]) {
    for (const set of sets) {
      for (const text of set) {
        const terms = analyse(text);
        const others = this.#others.get(terms.join(' ')) ?? new Set();
        for (const other of set) if (other !== text) others.add(other);
        this.#others.set(terms.join(' '), others);
        this.#longest = Math.max(this.#longest, terms.length);
      }
    }
  }

  /**
   * Returns the synonyms of the parts of a query, in order. If two parts overlap, only the longer or earlier one
   * counts.
   */
  meanings(query: string): Meaning[] {
    if (this.#longest === 0) return [];
    const terms = analyse(query);
    const meanings: Meaning[] = [];
    let start = 0;
    while (start < terms.length) {
      const meaning = this.#meaningAt(terms, start);
      if (meaning !== undefined) meanings.push(meaning);
      start += meaning === undefined ? 1 : analyse(meaning.text).length;
    }
    return meanings;
  }

  #meaningAt(terms: readonly string[], start: number): Meaning | undefined {
    for (let end = Math.min(terms.length, start + this.#longest); end > start; end--) {
      const text = terms.slice(start, end).join(' ');
      const others = this.#others.get(text);
      if (others !== undefined)
        return { kind: 'words', text, phrases: Array.from(others, (phrase) => ({ phrase, weight: 1 })) };
    }
    return undefined;
  }
}
