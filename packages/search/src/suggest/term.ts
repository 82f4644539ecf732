import { fold } from '../analysis/fold.ts';

/** Where GIFs carry a term. When it is most used in two places alike, the earlier of them names it. */
export const KINDS = ['tag', 'character', 'title', 'text'] as const;
export type TermKind = (typeof KINDS)[number];

export interface Suggestion {
  /** As it is written most often. */
  term: string;
  kind: TermKind;
  /** How many safe GIFs carry the term in the place that `kind` names. */
  n: number;
  /** It does not start with the query, but looks like it. */
  fuzzy: boolean;
}

const BLANKS = /[\s_]+/g;

/** The form in which terms are matched: folded as in search, `_` as the blank it stands for, apostrophes left out. */
export function foldTerm(text: string): string {
  return foldBeginning(text).trimEnd();
}

/** The same for the beginning of a term: the blank after a whole word counts (`high_` is not the beginning of `higher`). */
export function foldBeginning(text: string): string {
  return fold(text).replace(BLANKS, ' ').replaceAll("'", '').trimStart();
}
