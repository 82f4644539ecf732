import { fold } from '../analysis/fold.ts';

/** The fields of a GIF that can contain a term. If the counts are equal, the earlier field is used. */
export const KINDS = ['tag', 'character', 'title', 'text'] as const;
export type TermKind = (typeof KINDS)[number];
/** Set in the stored number of a term's kind if the term is a name (`CountedTerm.isName`). */
export const IS_NAME = 0x80;

export interface Suggestion {
  /** The term's most frequent spelling. */
  term: string;
  kind: TermKind;
  /** Number of safe GIFs that contain the term in the field named by `kind`. */
  n: number;
  /** Whether the term does not start with the query but is similar to it. */
  fuzzy: boolean;
}

const BLANKS = /[\s_]+/g;

/** Returns the form in which terms are matched: folded as in search, with `_` as a blank and without apostrophes. */
export function foldTerm(text: string): string {
  return foldBeginning(text).trimEnd();
}

/**
 * Returns the same form for the beginning of a term. A blank after a whole word counts (`high_` is not the beginning of
 * `higher`).
 */
export function foldBeginning(text: string): string {
  return fold(text).replace(BLANKS, ' ').replaceAll("'", '').trimStart();
}
