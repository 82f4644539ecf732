import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { normalise } from '../analysis/normalise.ts';
import { stem } from '../analysis/stem.ts';
import { foldBeginning, foldTerm, type Suggestion, type TermKind } from './term.ts';
import { TermCounter } from './term-counter.ts';
import type { TermTable } from './term-table.ts';
import { Terms } from './terms.ts';

/**
 * Minimum length of a query, in characters, for suggesting terms that do not start with the query. Source: the API
 * contract.
 */
const FUZZY_MIN_CHARACTERS = 4;

/**
 * A query with at least this number of completions is a beginning, not a misspelling. Next to the completions of
 * `futu`, similar terms such as `full` would be noise. This limit hardly affects misspellings: of 983 misspellings
 * (`npm run eval -- --sets typo`), only one was found after more completions than this.
 */
const ENOUGH = 3;

/**
 * A query with this number of letters is read as a slip only if no term starts with it: `bore` is not a slip of `ore`.
 */
const BARELY_LONG = 4;
/**
 * If a term that starts with the query is in at least this number of GIFs, the query is not a slip: `birth` is not a
 * slip of `with`.
 */
const COMMON = 10;

/** Minimum length of a word that can have two slips. */
const LONG_WORD = 8;
/** Kinds of terms that people gave to a GIF as names. Terms of the other kinds come from the GIF's texts. */
const NAMES: ReadonlySet<TermKind> = new Set(['tag', 'character']);
/**
 * The rank of a similar term is its number of edits, minus EASY if the slip is easy, plus OTHER_BEGINNING if the first
 * letter differs, minus USE for each factor of ten in the number of documents.
 */
const EASY = 0.3;
const OTHER_BEGINNING = 0.3;
const USE = 0.15;

export interface SuggestOptions {
  /** Maximum number of terms. */
  limit: number;
  /**
   * Alternatives to the query, such as an emoji's names, in groups. The first group with results is used. Each
   * suggested term starts with one of the names in that group.
   */
  names?: readonly (readonly string[])[];
  /**
   * Number of hidden documents that have each term (see `countTerms`). Terms that only hidden documents have are
   * omitted.
   */
  without?: ReadonlyMap<string, number>;
}

/** Returns how many of the given safe documents have each term, keyed by its folded form. */
export function countTerms(documents: Iterable<Parameters<TermCounter['add']>[0]>): Map<string, number> {
  const counter = new TermCounter();
  for (const document of documents) counter.add(document);
  const counts = new Map<string, number>();
  for (const { folded, n } of counter.finish()) counts.set(folded, Math.max(n, counts.get(folded) ?? 0));
  return counts;
}

type SuggestLimits = Required<Pick<SuggestOptions, 'limit' | 'without'>>;

/**
 * Completes the beginnings of a catalogue's terms. Each thread has its own suggester, which uses one byte of working
 * memory per term after the first misspelt query.
 */
export class Suggester {
  readonly #terms: Terms;

  /** @param tables the terms of each segment, the base first */
  constructor(tables: readonly TermTable[]) {
    this.#terms = new Terms(tables);
  }

  /**
   * Returns the terms that start with a normalised query, most used first. If there are too few, similar terms follow,
   * most similar first.
   */
  suggest(query: string, options: SuggestOptions): Suggestion[] {
    const { limit, names = [], without = new Map() } = options;
    const beginning = foldBeginning(query);
    if (beginning === '') return [];
    const known = this.#firstKnown(names);
    const suggestions =
      known.length > 0
        ? this.#completeAny([beginning, ...known], { limit, without })
        : this.#complete(query, { limit, without });
    const isShort = suggestions.length < Math.min(limit, ENOUGH) && names.length === 0;
    if (!isShort || !canBeSlip(query, suggestions)) return suggestions;
    const missing = limit - suggestions.length;
    const fuzzy = this.#carried(this.#terms.similar(beginning.trimEnd(), missing + without.size), without);
    return [...suggestions, ...fuzzy.slice(0, missing).map((number) => this.#terms.suggestion(number, true))];
  }

  /** Returns the most used terms that start with a normalised query, as they are displayed. */
  completions(query: string, limit: number): string[] {
    if (foldBeginning(query) === '') return [];
    return this.#complete(query, { limit, without: new Map() }).map(({ term }) => term);
  }

  /** Returns whether a folded word is a tag, character or series, and not only a word in titles. */
  isName(word: string): boolean {
    const number = this.#terms.find(word);
    return number >= 0 && NAMES.has(this.#terms.suggestion(number, false).kind);
  }

  /**
   * Returns the known word most similar to a folded word. It is at most one edit away, or two if the given word has
   * eight or more letters, or if both have the same letters. Terms of several words are ignored. Among words of similar
   * distance, a word in many GIFs is preferred.
   * @param isLikely whether a word that is two edits away can be meant
   */
  nearest(word: string, isLikely: (word: string) => boolean = () => true): string | undefined {
    if (word.length < LONG_WORD) return this.#nearestOf(word, this.#terms.near(word, 1)) ?? this.#rearranged(word);
    const near = [...this.#terms.near(word, 2)];
    // Hardly anybody gets two letters wrong, and the first one, too: "arknights" is not "knights".
    const isMeant = (term: string) => term[0] === word[0] && isLikely(term);
    const likely = near.filter(([number, edits]) => edits < 2 || isMeant(this.#terms.folded(number)));
    return this.#nearestOf(word, new Map(likely));
  }

  /** Returns the most similar word that differs only in the order of its letters, or in doubled letters. */
  #rearranged(word: string): string | undefined {
    const near = this.#terms.near(word, 2);
    return this.#nearestOf(word, new Map([...near].filter(([number]) => isEasySlip(word, this.#terms.folded(number)))));
  }

  #nearestOf(word: string, distances: ReadonlyMap<number, number>): string | undefined {
    const near = Array.from(distances, ([number, distance]) => {
      const folded = this.#terms.folded(number);
      const cost = distance - (isEasySlip(word, folded) ? EASY : 0) + (folded[0] === word[0] ? 0 : OTHER_BEGINNING);
      return { folded, rank: cost - USE * Math.log10(this.#terms.count(number)) };
    });
    const words = near.filter(({ folded }) => !folded.includes(' '));
    return words.sort((a, b) => a.rank - b.rank || (a.folded < b.folded ? -1 : 1))[0]?.folded;
  }

  /** Returns the most used terms that start with the query. */
  #complete(query: string, { limit, without }: SuggestLimits): Suggestion[] {
    const beginning = foldBeginning(query);
    // Several terms can have the same displayed form, so more than `limit` terms may have to be read.
    for (let wanted = limit; ; wanted *= 2) {
      const numbers = this.#terms.mostUsed(beginning, wanted);
      const useful = this.#useful(this.#carried(numbers, without));
      const suggestions = distinct(useful.map((number) => this.#continuation(number, query, beginning)));
      if (suggestions.length >= limit || numbers.length < wanted) return suggestions.slice(0, limit);
    }
  }

  /**
   * Returns a term in its most frequent spelling that starts with the typed text: `cafe` is completed to `cafe noir`,
   * and `caf` to `café noir`.
   */
  #continuation(number: number, query: string, beginning: string): Suggestion {
    const suggestion = this.#terms.suggestion(number, false);
    if (query !== beginning || normalise(suggestion.term).startsWith(query)) return suggestion;
    return { ...suggestion, term: this.#terms.folded(number) };
  }

  /** Returns the terms that at least one visible document has. */
  #carried(numbers: readonly number[], without: SuggestLimits['without']): readonly number[] {
    if (without.size === 0) return numbers;
    return numbers.filter((number) => this.#terms.count(number) > (without.get(this.#terms.folded(number)) ?? 0));
  }

  /**
   * Leaves out useless words from texts: other forms of a more used word, and function words. Names stay. Function
   * words stay if nothing else is left.
   */
  #useful(numbers: readonly number[]): readonly number[] {
    const listed = new Set<string>();
    const distinctly = numbers.filter((number) => {
      const base = stem(this.#terms.folded(number));
      const isOther = listed.has(base) && !this.#terms.isName(number);
      listed.add(base);
      return !isOther;
    });
    const content = distinctly.filter(
      (number) => !FUNCTION_WORDS.has(this.#terms.folded(number)) || this.#terms.isName(number),
    );
    return content.length > 0 ? content : distinctly;
  }

  #firstKnown(groups: readonly (readonly string[])[]): string[] {
    const folded = groups.map((group) => group.map(foldTerm).filter((name) => name !== ''));
    return folded.find((group) => group.some((name) => this.#terms.has(name))) ?? [];
  }

  /** Returns the most used terms that start with any of these beginnings. */
  #completeAny(beginnings: readonly string[], { limit, without }: SuggestLimits): Suggestion[] {
    const wanted = limit + without.size;
    const best = beginnings.flatMap((beginning) => this.#carried(this.#terms.mostUsed(beginning, wanted), without));
    return this.#terms
      .byUse([...new Set(best)])
      .slice(0, limit)
      .map((number) => this.#terms.suggestion(number, false));
  }
}

/** Returns whether a query with these completions can be a misspelt word. */
function canBeSlip(query: string, [best]: readonly Suggestion[]): boolean {
  const { length } = [...query];
  if (length < FUZZY_MIN_CHARACTERS || query.endsWith(' ')) return false;
  return best === undefined || (length > BARELY_LONG && best.n < COMMON);
}

/** Keeps only the first suggestion for each displayed form. */
function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  const byTerm = new Map<string, Suggestion>();
  for (const suggestion of suggestions) if (!byTerm.has(suggestion.term)) byTerm.set(suggestion.term, suggestion);
  return [...byTerm.values()];
}

/** Returns whether two words differ in the order of their letters, or in doubled letters. */
export function isEasySlip(a: string, b: string): boolean {
  return (a.length === b.length && sorted(a) === sorted(b)) || single(a) === single(b);
}

function sorted(word: string): string {
  return [...word].sort().join('');
}

function single(word: string): string {
  return word.replace(/(.)\1/gu, '$1');
}
