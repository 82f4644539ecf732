import { fold } from '../analysis/fold.ts';
import { normalise } from '../analysis/normalise.ts';

/** Characters that can separate two words within a phrase. Any other non-word character ends the phrase. */
const JOINT = /^[\s_'’-]*$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200D]*(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}\u200D]*)*/gu;

export interface Word {
  /** The word in lower case, with its accents and apostrophes. */
  shown: string;
  folded: string;
  /** Whether the word continues the phrase of the previous word. */
  joined: boolean;
}

/**
 * Returns the words of a title or caption, in lower case, because capitals in these texts usually mark the start of a
 * sentence. A run of a script without spaces is one word.
 */
export function wordsOf(text: string): Word[] {
  const normal = normalise(text);
  const words: Word[] = [];
  let end = 0;
  for (const match of normal.matchAll(WORD)) {
    const shown = match[0];
    const joined = words.length > 0 && JOINT.test(normal.slice(end, match.index));
    end = match.index + shown.length;
    words.push({ shown, folded: fold(shown), joined });
  }
  return words.filter(({ folded }) => folded !== '');
}
