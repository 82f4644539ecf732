import { FUNCTION_WORDS } from '../analysis/function-words.ts';

/**
 * Minimum length of a word that is joined with a neighbour. Shorter words would form unrelated words: "a live" is not
 * "alive".
 */
const SHORTEST = 3;
/** In Korean, a letter is a syllable, and people often leave out the blanks: 생일 축하, 생일축하. */
const SHORTEST_KOREAN = 2;
const KOREAN = /^\p{sc=Hang}/u;
const NUMBER = /^\p{N}+$/u;

/**
 * Returns two neighbouring words as one, such as `facepalm` for `face palm`, or undefined if people rarely write them
 * as one word.
 */
export function joinWords(first: string, second: string): string | undefined {
  const shortest = KOREAN.test(first) ? SHORTEST_KOREAN : SHORTEST;
  if (first.length < shortest || FUNCTION_WORDS.has(second)) return undefined;
  return second.length >= shortest || NUMBER.test(second) ? first + second : undefined;
}

/**
 * Returns the term of neighbouring words that were joined. This term differs from the word that is written as one, so
 * that GIFs with that word come first.
 */
export function joinedTerm(joined: string): string {
  return `+${joined}`;
}
