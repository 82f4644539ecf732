import { normalise } from '../analysis/normalise.ts';
import type { Build } from '../build/build.ts';
import { FuzzyFinder } from './fuzzy.ts';
import { foldBeginning, foldTerm, type Suggestion } from './term.ts';
import type { TermTable } from './term-table.ts';

/** Shortest query, in characters, that terms are found for which it does not begin. Source: the API contract. */
const FUZZY_MIN_CHARACTERS = 4;

/**
 * So many terms that start with a query show that it is a beginning and not a mistake: beside the completions of `futu`,
 * what looks like it would be noise (`full`), more used than they are and yet after them. Misspellings do not suffer: of
 * 983 (`npm run eval -- --sets typo`) one was only found after more completions than this.
 */
const ENOUGH = 3;

export interface SuggestOptions {
  /** At most so many terms. */
  limit: number;
  /**
   * Other ways to say the query, such as the name of an emoji, in groups: terms may start with any one of the first group
   * that any term starts with.
   */
  names?: readonly (readonly string[])[];
}

/**
 * Completes the beginnings of terms of one build. Each thread has its own: it keeps a byte a term of scratch memory,
 * from the first misspelt query on.
 */
export class Suggester {
  readonly #terms: TermTable;
  readonly #fuzzy: FuzzyFinder;

  constructor(build: Build) {
    this.#terms = build.suggestions;
    this.#fuzzy = new FuzzyFinder(build.suggestions);
  }

  /**
   * The terms that start with a normalised query, most used first; if they are too few, terms that look like it follow,
   * most alike first.
   */
  suggest(query: string, { limit, names = [] }: SuggestOptions): Suggestion[] {
    const beginning = foldBeginning(query);
    if (beginning === '') return [];
    const known = this.#firstKnown(names);
    const suggestions =
      known.length > 0 ? this.#completeAny([beginning, ...known], limit) : this.#complete(query, limit);
    const isShort = suggestions.length < Math.min(limit, ENOUGH) && names.length === 0;
    if (!isShort || [...query].length < FUZZY_MIN_CHARACTERS) return suggestions;
    const fuzzy = this.#fuzzy.find(beginning.trimEnd(), limit - suggestions.length);
    return [...suggestions, ...fuzzy.map((number) => this.#terms.suggestion(number, true))];
  }

  /** The most used of the terms that start with the query. */
  #complete(query: string, limit: number): Suggestion[] {
    const beginning = foldBeginning(query);
    const range = this.#terms.range(beginning);
    // Two spellings can come out as one, so that more have to be read.
    for (let wanted = limit; ; wanted *= 2) {
      const numbers = this.#terms.mostUsed(range, wanted);
      const suggestions = distinct(numbers.map((number) => this.#continuation(number, query, beginning)));
      if (suggestions.length >= limit || numbers.length < wanted) return suggestions.slice(0, limit);
    }
  }

  /**
   * A term as it is written most, unless it would then not go on from what was typed: `cafe` is completed by `cafe noir`
   * where `caf` is by `café noir`.
   */
  #continuation(number: number, query: string, beginning: string): Suggestion {
    const suggestion = this.#terms.suggestion(number, false);
    if (query !== beginning || normalise(suggestion.term).startsWith(query)) return suggestion;
    return { ...suggestion, term: this.#terms.folded(number) };
  }

  #firstKnown(groups: readonly (readonly string[])[]): string[] {
    const folded = groups.map((group) => group.map(foldTerm).filter((name) => name !== ''));
    return folded.find((group) => group.some((name) => this.#isKnown(name))) ?? [];
  }

  #isKnown(beginning: string): boolean {
    const { low, high } = this.#terms.range(beginning);
    return low < high;
  }

  /** The most used of the terms that start with any of these. */
  #completeAny(beginnings: readonly string[], limit: number): Suggestion[] {
    const { counts } = this.#terms;
    const best = beginnings.flatMap((beginning) => this.#terms.mostUsed(this.#terms.range(beginning), limit));
    return [...new Set(best)]
      .sort((a, b) => counts[b]! - counts[a]! || a - b)
      .slice(0, limit)
      .map((number) => this.#terms.suggestion(number, false));
  }
}

/** The first of each way of writing. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const byTerm = new Map<string, Suggestion>();
  for (const suggestion of suggestions) if (!byTerm.has(suggestion.term)) byTerm.set(suggestion.term, suggestion);
  return [...byTerm.values()];
}
