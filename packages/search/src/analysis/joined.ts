import { analyse } from './analyse.ts';

/** Words that are looked for as one: tags of more words are sentences, which nobody writes together. */
export const MAX_JOINED = 4;

/** A tag as one term, `high five` and `high_five` as `highfive`; none if it has too many words. */
export function wholeTag(tag: string): string[] {
  const words = analyse(tag);
  return words.length > 0 && words.length <= MAX_JOINED ? [words.join('')] : [];
}
