import { checksum } from '../build/checksum.ts';
import { analyse } from './analyse.ts';
import { INNOCENT_PHRASES, OFFENSIVE_WORDS } from './offensive-words.ts';

/** The words and phrases that begin with the same term, each as its terms, longest first. */
type Entries = { terms: string[]; isOffensive: boolean }[];

/**
 * Words that nobody should see without asking for them. They are never completed, and GIFs with such a word come after
 * all others (see `PostingsWriter`) and have no place among the meanings.
 */
export class OffensiveWords {
  readonly #entries = new Map<string, Entries>();
  readonly #checksum: number;

  /**
   * @param words words and phrases
   * @param innocent phrases in which these words do not count. A phrase that is itself one of the words takes it off the
   * list
   */
  constructor(words: readonly string[], innocent: readonly string[] = []) {
    const all = new Map<string, { terms: string[]; isOffensive: boolean }>();
    for (const [list, isOffensive] of [[words, true] as const, [innocent, false] as const]) {
      for (const text of list) {
        const terms = analyse(text);
        if (terms.length > 0) all.set(terms.join(' '), { terms, isOffensive });
      }
    }
    const texts = [...all].map(([text, { isOffensive }]) => `${isOffensive ? '' : '!'}${text}`);
    this.#checksum = checksumOf(texts.sort().join('\n'));
    for (const entry of all.values()) {
      const first = entry.terms[0]!;
      this.#entries.set(first, [...(this.#entries.get(first) ?? []), entry]);
    }
    for (const entries of this.#entries.values()) entries.sort((a, b) => b.terms.length - a.terms.length);
  }

  /** Returns whether any of these terms (from `analyse`) is an offensive word or the beginning of an offensive phrase. */
  isIn(terms: readonly string[]): boolean {
    if (this.#entries.size === 0) return false;
    for (let i = 0; i < terms.length; ) {
      const found = this.#longestAt(terms, i);
      if (found?.isOffensive) return true;
      i += found?.terms.length ?? 1;
    }
    return false;
  }

  /** Returns whether a text consists of offensive words and phrases alone. */
  isAllOf(text: string): boolean {
    const terms = analyse(text);
    for (let i = 0; i < terms.length; ) {
      const found = this.#longestAt(terms, i);
      if (!found?.isOffensive) return false;
      i += found.terms.length;
    }
    return terms.length > 0;
  }

  /** Returns a number that differs for different lists. */
  toJSON(): number {
    return this.#checksum;
  }

  #longestAt(terms: readonly string[], at: number) {
    return this.#entries.get(terms[at]!)?.find((entry) => entry.terms.every((term, k) => terms[at + k] === term));
  }
}

/** An empty list. */
export const NO_WORDS: OffensiveWords = new OffensiveWords([]);

/**
 * Returns the list of this module, with an operator's changes.
 * @param added words and phrases that become offensive
 * @param removed words that leave the list, and phrases in which its words do not count
 */
export function offensiveWords(added: readonly string[] = [], removed: readonly string[] = []): OffensiveWords {
  const own = Object.values(OFFENSIVE_WORDS).flatMap(listOf);
  return new OffensiveWords([...own, ...added], [...listOf(INNOCENT_PHRASES), ...removed]);
}

function listOf(text: string): string[] {
  return text.split(',').map((word) => word.trim());
}

function checksumOf(text: string): number {
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return checksum(new Uint8Array(units.buffer));
}
