import { EditDistance } from './distance.ts';
import { gramsOf, MAX_GRAM_TERM, unitsOf } from './grams.ts';
import type { TermTable } from './term-table.ts';

/**
 * Minimum number of common trigrams, as a share of the trigrams of both words together. A share of 1/6 is a Dice
 * coefficient of 1/3.
 */
const COMMON = 1 / 6;
/**
 * Maximum length of a word for which all swaps are tried. They are needed because a swap of two letters changes all
 * trigrams of a short word.
 */
const SWAPPED_UP_TO = 7;

/**
 * Finds terms similar to a word in two steps: first the terms with enough common trigrams, then the terms among these
 * within the edit distance.
 */
export class FuzzyFinder {
  readonly #terms: TermTable;
  readonly #distance = new EditDistance();
  /** Number of common trigrams for each position (see grams.ts). All numbers are 0 between calls. */
  #common: Uint8Array | undefined;

  constructor(terms: TermTable) {
    this.#terms = terms;
  }

  /**
   * Returns the terms similar to a folded word, in no particular order. Terms that start with the word are left out.
   */
  similar(word: string): { number: number; distance: number }[] {
    return this.near(word, mostEdits(word.length));
  }

  /**
   * Returns the terms that are at most this many edits from a folded word, in no particular order. Terms that start
   * with the word are left out.
   */
  near(word: string, most: number): { number: number; distance: number }[] {
    if (word.length > MAX_GRAM_TERM) return [];
    const units = unitsOf(word);
    return this.#candidates(units, most)
      .map((number) => ({ number, distance: this.#distanceTo(number, units, most) }))
      .filter(({ distance }) => distance <= most);
  }

  #distanceTo(number: number, word: Uint16Array, most: number): number {
    const term = this.#terms.units(number);
    if (word.every((unit, i) => unit === term[i])) return most + 1;
    return this.#distance.between(word, term, most);
  }

  /** Returns the terms of similar length that share enough trigrams with the word. */
  #candidates(word: Uint16Array, most: number): number[] {
    const { lengths, places } = this.#terms.grams;
    const shortest = Math.max(1, word.length - most);
    const low = lengths[shortest]!;
    const high = lengths[Math.min(MAX_GRAM_TERM, word.length + most) + 1]!;
    this.#common ??= new Uint8Array(places.length);
    const common = this.#common;
    const touched = this.#count(common, gramsOfSwapped(word), low, high);
    const numbers: number[] = [];
    for (const place of touched) {
      const number = places[place]!;
      const length = this.#terms.units(number).length;
      if (common[place]! >= COMMON * (word.length + 1 + length + 1)) numbers.push(number);
      common[place] = 0;
    }
    return numbers;
  }

  /**
   * Counts the common trigrams of the terms in positions `low` to `high`. @returns the positions with at least one
   * common trigram
   */
  #count(common: Uint8Array, grams: ReadonlySet<string>, low: number, high: number): number[] {
    const { lists } = this.#terms.grams;
    const touched: number[] = [];
    for (const gram of grams) {
      const { start, end } = this.#list(gram);
      for (let i = firstFrom(lists, start, end, low); i < end && lists[i]! < high; i++) {
        const place = lists[i]!;
        if (common[place] === 0) touched.push(place);
        common[place]! += 1;
      }
    }
    return touched;
  }

  #list(gram: string): { start: number; end: number } {
    const { grams, offsets } = this.#terms.grams;
    let low = 0;
    let high = offsets.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareGram(grams, middle * 3, gram) < 0) low = middle + 1;
      else high = middle;
    }
    const isThere = low < offsets.length - 1 && compareGram(grams, low * 3, gram) === 0;
    return isThere ? { start: offsets[low]!, end: offsets[low + 1]! } : { start: 0, end: 0 };
  }
}

/**
 * Returns the maximum number of edits for a word of this length. People make more mistakes in longer words. One more
 * edit at every length would find .981 instead of .972 of real misspellings (`npm run eval -- --sets typo`), but would
 * put `ain't` next to `accident` for `acident`.
 */
function mostEdits(length: number): number {
  if (length < 5) return 1;
  return length < 8 ? 2 : 3;
}

/** Returns the trigrams of a word. For a short word, also returns the trigrams of all words that are one swap away. */
function gramsOfSwapped(word: Uint16Array): Set<string> {
  const grams = gramsOf(word);
  if (word.length > SWAPPED_UP_TO) return grams;
  for (let i = 1; i < word.length; i++) {
    const swapped = word.slice();
    swapped[i - 1] = word[i]!;
    swapped[i] = word[i - 1]!;
    for (const gram of gramsOf(swapped)) grams.add(gram);
  }
  return grams;
}

function compareGram(grams: Uint16Array, at: number, gram: string): number {
  return grams[at]! - gram.charCodeAt(0) || grams[at + 1]! - gram.charCodeAt(1) || grams[at + 2]! - gram.charCodeAt(2);
}

/** Returns the first position between `start` and `end` of an ascending list whose number is at least `least`. */
function firstFrom(list: Uint32Array, start: number, end: number, least: number): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
