import { fold } from '../analysis/fold.ts';

/**
 * The fields of a GIF that can contain a term. If a term is equally frequent in two fields, its kind is the earlier
 * one.
 */
export const KINDS = ['tag', 'character', 'title', 'text'] as const;
export type TermKind = (typeof KINDS)[number];
/** This bit is set in the stored number of a term's kind if the term is a name (`CountedTerm.isName`). */
export const IS_NAME = 0x80;

export interface Suggestion {
  /** The term's most frequent spelling. */
  term: string;
  kind: TermKind;
  /** Number of safe GIFs that contain the term in the field named by `kind`. */
  n: number;
  /** Whether the term is only similar to the query and does not start with it. */
  fuzzy: boolean;
}

const BLANKS = /[\s_]+/g;

/**
 * Returns the form in which terms are matched: folded as in search, with blanks instead of `_`, and without
 * apostrophes.
 */
export function foldTerm(text: string): string {
  return foldBeginning(text).trimEnd();
}

/**
 * Returns the form of `foldTerm` for the beginning of a term. A blank after a word counts (`high_` is not the beginning
 * of `higher`).
 */
export function foldBeginning(text: string): string {
  return fold(text).replace(BLANKS, ' ').replaceAll("'", '').trimStart();
}
