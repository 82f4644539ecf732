import { fold } from '../analysis/fold.ts';

/** Where GIFs have a term. Among equal counts, the earlier one is used. */
export const KINDS = ['tag', 'character', 'title', 'text'] as const;
export type TermKind = (typeof KINDS)[number];

export interface Suggestion {
  /** Its most frequent spelling. */
  term: string;
  kind: TermKind;
  /** How many safe GIFs have the term in the place named by `kind`. */
  n: number;
  /** It does not start with the query, but is similar to it. */
  fuzzy: boolean;
}

const BLANKS = /[\s_]+/g;

/** The form in which terms are matched: folded as in search, with `_` as a blank and without apostrophes. */
export function foldTerm(text: string): string {
  return foldBeginning(text).trimEnd();
}

/**
 * The same for the beginning of a term: a blank after a whole word counts (`high_` is not the beginning of `higher`).
 */
export function foldBeginning(text: string): string {
  return fold(text).replace(BLANKS, ' ').replaceAll("'", '').trimStart();
}
