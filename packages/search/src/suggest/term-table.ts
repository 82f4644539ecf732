import type { SectionViews } from '../build/sections.ts';
import { type GramIndex, MAX_GRAM_TERM } from './grams.ts';
import { Maxima } from './maxima.ts';
import { IS_NAME, KINDS, type Suggestion } from './term.ts';

/**
 * The terms of a segment, sorted and numbered by folded form. They are views of the segment's sections (see
 * sections.ts).
 */
export class TermTable {
  readonly length: number;
  readonly counts: Uint32Array;
  readonly grams: GramIndex;
  readonly #offsets: Uint32Array;
  readonly #units: Uint16Array;
  readonly #kinds: Uint8Array;
  readonly #maxima: Maxima;
  readonly #shown: Uint32Array;
  readonly #shownOffsets: Uint32Array;
  readonly #shownUnits: Uint16Array;

  constructor(sections: SectionViews) {
    this.counts = sections.uint32('suggest-counts');
    this.length = this.counts.length;
    this.#offsets = sections.uint32('suggest-offsets', this.length + 1);
    this.#units = sections.uint16('suggest-terms');
    this.#kinds = sections.uint8('suggest-kinds', this.length);
    this.#maxima = new Maxima(this.counts, sections.uint32('suggest-maxima'));
    this.#shown = sections.uint32('suggest-shown');
    this.#shownOffsets = sections.uint32('suggest-shown-offsets', this.#shown.length + 1);
    this.#shownUnits = sections.uint16('suggest-shown-terms');
    const grams = sections.uint16('suggest-grams');
    this.grams = {
      lengths: sections.uint32('suggest-lengths', MAX_GRAM_TERM + 2),
      places: sections.uint32('suggest-places'),
      grams,
      offsets: sections.uint32('suggest-gram-offsets', grams.length / 3 + 1),
      lists: sections.uint32('suggest-gram-lists'),
    };
  }

  /** Returns the folded form, as a view. */
  units(number: number): Uint16Array {
    return this.#units.subarray(this.#offsets[number]!, this.#offsets[number + 1]!);
  }

  folded(number: number): string {
    return String.fromCharCode(...this.units(number));
  }

  suggestion(number: number, fuzzy: boolean): Suggestion {
    const kind = KINDS[this.#kinds[number]! & ~IS_NAME]!;
    return { term: this.#shownForm(number), kind, n: this.counts[number]!, fuzzy };
  }

  /** Returns whether a term is a tag, series or character of any document. */
  isName(number: number): boolean {
    return (this.#kinds[number]! & IS_NAME) !== 0;
  }

  /** Returns the number of the term with this folded form, or -1. */
  find(folded: string): number {
    const first = this.#firstPast(folded, 0);
    return first < this.length && this.folded(first) === folded ? first : -1;
  }

  /** Returns the numbers of the terms with this beginning, from `low` to `high`. */
  range(beginning: string): { low: number; high: number } {
    return { low: this.#firstPast(beginning, 0), high: this.#firstPast(beginning, 1) };
  }

  /** Returns the most used terms, most used first. Equally used terms are ordered by folded form. */
  mostUsed({ low, high }: { low: number; high: number }, limit: number): number[] {
    return this.#maxima.largest(low, high, limit);
  }

  /**
   * Compares the beginning of each term with `beginning` (-1: before, 0: equal, 1: after). Returns the first term for
   * which this comparison gives at least `least`.
   */
  #firstPast(beginning: string, least: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, beginning) < least) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #compare(number: number, beginning: string): number {
    const start = this.#offsets[number]!;
    const length = Math.min(this.#offsets[number + 1]! - start, beginning.length);
    for (let i = 0; i < length; i++) {
      const difference = this.#units[start + i]! - beginning.charCodeAt(i);
      if (difference !== 0) return Math.sign(difference);
    }
    return length < beginning.length ? -1 : 0;
  }

  #shownForm(number: number): string {
    let low = 0;
    let high = this.#shown.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#shown[middle]! < number) low = middle + 1;
      else high = middle;
    }
    if (this.#shown[low] !== number) return this.folded(number);
    return String.fromCharCode(...this.#shownUnits.subarray(this.#shownOffsets[low]!, this.#shownOffsets[low + 1]!));
  }
}
