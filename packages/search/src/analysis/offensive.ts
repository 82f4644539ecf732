import { checksum } from '../build/checksum.ts';
import { analyse } from './analyse.ts';
import { INNOCENT_PHRASES, OFFENSIVE_WORDS } from './offensive-words.ts';

/** The words and phrases that begin with the same term, each as its terms, longest first. */
type Entries = { terms: string[]; isOffensive: boolean }[];

/**
 * Words that nobody should see without asking for them. They are never completed, and only a query with such a word finds
 * the GIFs that have one (see `readTexts`).
 */
export class OffensiveWords {
  readonly #entries = new Map<string, Entries>();
  readonly #checksum: number;

  /**
   * @param words words and phrases
   * @param innocent phrases in which these words do not count. A word that is also in this list is not offensive
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

  /**
   * Returns the offensive words and phrases in these terms (from `analyse`). Each is returned as its terms, joined by
   * blanks.
   */
  findIn(terms: readonly string[]): string[] {
    const found: string[] = [];
    if (this.#entries.size === 0) return found;
    for (let i = 0; i < terms.length; ) {
      const entry = this.#longestAt(terms, i);
      if (entry?.isOffensive) found.push(entry.terms.join(' '));
      i += entry?.terms.length ?? 1;
    }
    return found;
  }

  /** Returns whether a text has an offensive word. */
  isIn(text: string): boolean {
    return this.findIn(analyse(text)).length > 0;
  }

  /** Returns whether a text consists only of offensive words and phrases. */
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

/**
 * Maximum number of terms of an offensive word or phrase, because only phrases of at most this length are looked for in
 * a query. In scripts without spaces, a word of n letters has n - 1 terms.
 */
export const MAX_OFFENSIVE_TERMS = 12;
const UNASKED = '!';

/**
 * Returns a term in the form that only queries with an offensive word find. No term of a text contains the sign `!`.
 */
export function unaskedTerm(term: string): string {
  return `${UNASKED}${term}`;
}

/** Returns the term that marks a document with this offensive word or phrase. This term has no base form. */
export function offensiveTerm(words: string): string {
  return `${UNASKED}${UNASKED}${words}`;
}

/** The term of all documents that have an offensive word. */
export const OFFENSIVE_TERM: string = offensiveTerm('');

/** Returns the base form of a term. @param stem returns the base form of a word */
export function baseOf(term: string, stem: (word: string) => string): string {
  if (!term.startsWith(UNASKED)) return stem(term);
  return term.startsWith(UNASKED, 1) ? term : unaskedTerm(stem(term.slice(1)));
}

/** Returns the terms of all offensive words and phrases that a query could contain. */
export function askedTerms(words: readonly string[]): string[] {
  return words.flatMap((_, from) =>
    Array.from({ length: Math.min(MAX_OFFENSIVE_TERMS, words.length - from) }, (_, more) =>
      offensiveTerm(words.slice(from, from + more + 1).join(' ')),
    ),
  );
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
