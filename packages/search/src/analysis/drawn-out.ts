/**
 * Scripts whose words people draw out by repeating a letter, and single Korean letters (ㅋㅋㅋ, laughter). In other
 * scripts, a repeated letter can be a word of its own.
 */
const ALPHABETIC = String.raw`[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\u1100-\u11FF]`;
/** Few texts repeat a character four times, and this test is the fastest. */
const ANY_LONG_RUN = /(.)\1{3}/s;
const LONG_RUN = new RegExp(`(${ALPHABETIC})\\1{3,}`, 'gu');
const DRAWN_OUT_LETTER = /(\p{L})\1{2,}/gu;
/** Most words repeat no letter, and this test is the fastest. */
const REPETITION = /(\p{L}{1,2})\1\1/u;
const REPEATED = /^((?:\p{L}{2}))\1{2,}\p{L}?$/u;
/** Roman numerals, such as "viii", are not drawn out. */
const ROMAN = /^[ivx]+$/;
/** Minimum length of a word without its repeated letters: "nooo" is "no", but "zzz" is not "z". */
const SHORTEST = 2;

/** Reduces a letter that is repeated more than three times to three, so that all such forms of a word are one term. */
export function shortenRuns(text: string): string {
  return ANY_LONG_RUN.test(text) ? text.replace(LONG_RUN, '$1$1$1') : text;
}

/**
 * Returns the words that a drawn-out word can stand for: "no" and "noo" for "nooo", "jaja" for "jajajajaja". Returns an
 * empty array for any other word.
 */
export function calmed(word: string): string[] {
  if (!REPETITION.test(word)) return [];
  const repeated = REPEATED.exec(word)?.[1];
  if (repeated !== undefined) return [repeated + repeated];
  const once = word.replace(DRAWN_OUT_LETTER, '$1');
  if (once === word || once.length < SHORTEST || ROMAN.test(word)) return [];
  return [once, word.replace(DRAWN_OUT_LETTER, '$1$1')];
}
