import { FuzzyFinder } from './fuzzy.ts';
import type { Suggestion } from './term.ts';
import type { TermTable } from './term-table.ts';

/**
 * Maximum number of terms of a table. A term's number is its number in its table + STRIDE × the number of earlier
 * tables.
 */
const STRIDE = 2 ** 20;

/**
 * The terms of all segments of a build. The number of a term comes from the first segment that contains it. The count
 * of a term is the sum over the segments in which it has the same kind as in the first segment.
 */
export class Terms {
  readonly #tables: readonly TermTable[];
  readonly #fuzzy: readonly FuzzyFinder[];

  constructor(tables: readonly TermTable[]) {
    this.#tables = tables;
    this.#fuzzy = tables.map((table) => new FuzzyFinder(table));
  }

  /** Returns the number of the term with this folded form, or -1. */
  find(folded: string): number {
    for (const [i, table] of this.#tables.entries()) {
      const number = table.find(folded);
      if (number >= 0) return i * STRIDE + number;
    }
    return -1;
  }

  /** Returns whether any term has this beginning. */
  has(beginning: string): boolean {
    return this.#tables.some((table) => {
      const { low, high } = table.range(beginning);
      return low < high;
    });
  }

  folded(number: number): string {
    return this.#tableOf(number).folded(number % STRIDE);
  }

  /** Returns how many documents have the term in the field of its kind. */
  count(number: number): number {
    const count = this.#tableOf(number).counts[number % STRIDE]!;
    return this.#tables.length === 1 ? count : count + this.#countLater(number);
  }

  /** Returns whether a term is a tag, series or character of any document. */
  isName(number: number): boolean {
    const folded = this.folded(number);
    return this.#tables.some((table, i) => {
      const own = i === Math.floor(number / STRIDE) ? number % STRIDE : table.find(folded);
      return own >= 0 && table.isName(own);
    });
  }

  suggestion(number: number, fuzzy: boolean): Suggestion {
    return { ...this.#tableOf(number).suggestion(number % STRIDE, fuzzy), n: this.count(number) };
  }

  /**
   * Returns the most used terms with this beginning, most used first. Equally used terms are in the order of their
   * numbers.
   */
  mostUsed(beginning: string, limit: number): number[] {
    const found = this.#tables.map((table) => table.mostUsed(table.range(beginning), limit));
    return found.length === 1 ? found[0]! : this.byUse(this.#joined(found)).slice(0, limit);
  }

  /** Sorts terms by use. */
  byUse(numbers: readonly number[]): number[] {
    const counts = new Map(numbers.map((number) => [number, this.count(number)]));
    return numbers.toSorted((a, b) => counts.get(b)! - counts.get(a)! || a - b);
  }

  /**
   * Returns the terms most similar to a folded word: nearest first, then most used, then in the order of their numbers.
   * Terms that start with the word are left out.
   */
  similar(word: string, limit: number): number[] {
    const near = this.#near((fuzzy) => fuzzy.similar(word));
    return Array.from(near, ([number, distance]) => ({ number, distance, count: this.count(number) }))
      .sort((a, b) => a.distance - b.distance || b.count - a.count || a.number - b.number)
      .slice(0, limit)
      .map(({ number }) => number);
  }

  /**
   * Returns the terms that are at most this many edits from a folded word, with their distances. Terms that start with
   * the word are left out.
   */
  near(word: string, most: number): Map<number, number> {
    return this.#near((fuzzy) => fuzzy.near(word, most));
  }

  #near(find: (fuzzy: FuzzyFinder) => { number: number; distance: number }[]): Map<number, number> {
    const found = this.#fuzzy.map(find);
    return new Map(
      found.flatMap((near, i) => near.map(({ number, distance }) => [this.#first(i, number), distance] as const)),
    );
  }

  #joined(found: readonly (readonly number[])[]): number[] {
    return [...new Set(found.flatMap((numbers, i) => numbers.map((number) => this.#first(i, number))))];
  }

  /** Returns the number of a term of the i-th table in the first table that has it. */
  #first(i: number, number: number): number {
    return i === 0 ? number : this.find(this.#tables[i]!.folded(number));
  }

  #countLater(number: number): number {
    const { kind } = this.#tableOf(number).suggestion(number % STRIDE, false);
    const folded = this.folded(number);
    let count = 0;
    for (const table of this.#tables.slice(Math.floor(number / STRIDE) + 1)) {
      const other = table.find(folded);
      if (other >= 0 && table.suggestion(other, false).kind === kind) count += table.counts[other]!;
    }
    return count;
  }

  #tableOf(number: number): TermTable {
    return this.#tables[Math.floor(number / STRIDE)]!;
  }
}
