import { packTerms } from '../postings/dictionary.ts';
import { makeGramIndex } from './grams.ts';
import { makeMaxima } from './maxima.ts';
import { IS_NAME, KINDS } from './term.ts';
import type { CountedTerm } from './term-counter.ts';

/**
 * The sections of a build that contain its terms for completing queries. There are T terms (S of them not shown in
 * their folded form) and G trigrams.
 *
 *   suggest-offsets        u32[T + 1]  where each term starts in suggest-terms, in code units
 *   suggest-terms          u16[…]      folded terms, ascending, as UTF-16 code units
 *   suggest-counts         u32[T]      how many safe GIFs have the term
 *   suggest-kinds          u8[T]       index in KINDS, plus IS_NAME if it is a name
 *   suggest-maxima         u32[…]      maxima of suggest-counts (maxima.ts)
 *   suggest-shown          u32[S]      terms that are not shown in their folded form, ascending
 *   suggest-shown-offsets  u32[S + 1]  where each shown form starts in suggest-shown-terms
 *   suggest-shown-terms    u16[…]      the shown forms of these terms
 *   suggest-lengths        u32[42]     see grams.ts for this and all that follow
 *   suggest-places         u32[…]
 *   suggest-grams          u16[3 G]
 *   suggest-gram-offsets   u32[G + 1]
 *   suggest-gram-lists     u32[…]
 */
export function writeTerms(terms: readonly CountedTerm[]): [name: string, bytes: Uint8Array][] {
  const folded = terms.map((term) => term.folded);
  const packed = packTerms(folded);
  const counts = Uint32Array.from(terms, ({ n }) => n);
  const others = [...terms.keys()].filter((number) => terms[number]!.shown !== terms[number]!.folded);
  const shown = packTerms(others.map((number) => terms[number]!.shown));
  const grams = makeGramIndex(folded);
  const sections: [string, Uint8Array | Uint16Array | Uint32Array][] = [
    ['suggest-offsets', packed.offsets],
    ['suggest-terms', packed.units],
    ['suggest-counts', counts],
    ['suggest-kinds', Uint8Array.from(terms, ({ kind, isName }) => KINDS.indexOf(kind) | (isName ? IS_NAME : 0))],
    ['suggest-maxima', makeMaxima(counts)],
    ['suggest-shown', Uint32Array.from(others)],
    ['suggest-shown-offsets', shown.offsets],
    ['suggest-shown-terms', shown.units],
    ['suggest-lengths', grams.lengths],
    ['suggest-places', grams.places],
    ['suggest-grams', grams.grams],
    ['suggest-gram-offsets', grams.offsets],
    ['suggest-gram-lists', grams.lists],
  ];
  return sections.map(([name, { buffer, byteOffset, byteLength }]) => [
    name,
    new Uint8Array(buffer, byteOffset, byteLength),
  ]);
}
