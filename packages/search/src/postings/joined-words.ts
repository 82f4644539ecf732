import { FUNCTION_WORDS } from '../analysis/function-words.ts';

/** Minimum length of a word that is joined with a neighbour. Shorter ones make other words: "a live" is not "alive". */
const SHORTEST = 3;
const NUMBER = /^\p{N}+$/u;

/**
 * Returns two neighbouring words as one, such as `facepalm` for `face palm`, or undefined if people hardly write them as
 * one word.
 */
export function joinWords(first: string, second: string): string | undefined {
  if (first.length < SHORTEST || FUNCTION_WORDS.has(second)) return undefined;
  return second.length >= SHORTEST || NUMBER.test(second) ? first + second : undefined;
}

/** Returns the term of neighbouring words that were joined. It differs from the word, whose GIFs come first. */
export function joinedTerm(joined: string): string {
  return `+${joined}`;
}
