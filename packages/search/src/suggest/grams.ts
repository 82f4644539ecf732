import { packTerms } from '../postings/dictionary.ts';

/**
 * An index of terms by their trigrams. It finds the terms that look like a misspelt word. Terms are ordered by length
 * first, so that only the part of each list with terms of similar length has to be read:
 *
 *   lengths   where the terms of each length start        0 0 0 2 7 …
 *   places    the term in each position                   4 9 | 0 2 3 7 8 | …
 *   lists     for each trigram, the positions that have it, ascending
 */
export interface GramIndex {
  lengths: Uint32Array;
  places: Uint32Array;
  /** All trigrams, ascending: three code units each. */
  grams: Uint16Array;
  offsets: Uint32Array;
  lists: Uint32Array;
}

/** Maximum length of a term, in UTF-16 code units. Longer terms are sentences, which nobody types in full. */
export const MAX_GRAM_TERM = 40;
const BLANK = 0x20;

/**
 * Returns the distinct trigrams of a word with two blanks before it and one after it. With these blanks, the first
 * letters count most, because people seldom mistype the first letters. A word has at most word.length + 1 trigrams.
 */
export function gramsOf(word: ArrayLike<number>): Set<string> {
  const unit = (i: number): number => (i < 0 || i >= word.length ? BLANK : word[i]!);
  const grams = new Set<string>();
  for (let i = 0; i <= word.length; i++) grams.add(String.fromCharCode(unit(i - 2), unit(i - 1), unit(i)));
  return grams;
}

/** @param terms ascending */
export function makeGramIndex(terms: readonly string[]): GramIndex {
  const lengths = new Uint32Array(MAX_GRAM_TERM + 2);
  for (const { length } of terms) if (length <= MAX_GRAM_TERM) lengths[length + 1]! += 1;
  for (let length = 1; length < lengths.length; length++) lengths[length]! += lengths[length - 1]!;
  const places = new Uint32Array(lengths.at(-1)!);
  const next = lengths.slice();
  for (const [number, { length }] of terms.entries()) {
    if (length > MAX_GRAM_TERM) continue;
    places[next[length]!] = number;
    next[length]! += 1;
  }
  return { lengths, places, ...makeLists(terms, places) };
}

function makeLists(terms: readonly string[], places: Uint32Array): Pick<GramIndex, 'grams' | 'offsets' | 'lists'> {
  const byGram = new Map<string, number[]>();
  for (const [place, number] of places.entries()) {
    for (const gram of gramsOf(unitsOf(terms[number]!))) {
      const list = byGram.get(gram) ?? ([] as number[]);
      if (list.length === 0) byGram.set(gram, list);
      list.push(place);
    }
  }
  const grams = [...byGram.keys()].sort();
  const offsets = new Uint32Array(grams.length + 1);
  for (const [i, gram] of grams.entries()) offsets[i + 1] = offsets[i]! + byGram.get(gram)!.length;
  const lists = new Uint32Array(offsets.at(-1)!);
  for (const [i, gram] of grams.entries()) lists.set(byGram.get(gram)!, offsets[i]);
  return { grams: packTerms(grams).units, offsets, lists };
}

export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}
