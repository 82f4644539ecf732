import { fold } from '../analysis/fold.ts';
import { normalise } from '../analysis/normalise.ts';

/** What separates two words of one phrase; anything else that is no word ends the phrase. */
const JOINT = /^[\s_'’-]*$/u;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}\u200D]*(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}\u200D]*)*/gu;

export interface Word {
  /** In lower case, with its accents and apostrophes. */
  shown: string;
  folded: string;
  /** The word goes on the phrase of the word before it. */
  joined: boolean;
}

/**
 * The words of a title or caption. They are shown in lower case: a capital there tells where in the sentence a word
 * stands rather than how it is written. A run of a script without spaces is one word.
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
