import { analyse } from './analyse.ts';

/** Maximum number of words that are joined. Longer tags are sentences, which nobody writes as one word. */
export const MAX_JOINED = 4;

/**
 * Returns a tag as one term, such as `highfive` for `high five` and `high_five`, or no term if the tag has too many
 * words.
 */
export function wholeTag(tag: string): string[] {
  const words = analyse(tag);
  return words.length > 0 && words.length <= MAX_JOINED ? [words.join('')] : [];
}
