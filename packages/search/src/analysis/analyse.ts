import { shortenRuns } from './drawn-out.ts';
import { fold, hasSymbol } from './fold.ts';
import { isAscii } from './normalise.ts';

/**
 * Matches one token: an emoji, a run of a script written without spaces, or a word. Emoji come first, so that a keycap
 * is not read as a digit. An emoji is a flag made of tags (England), a flag made of letters, a keycap, or one or more
 * joined pictures (family, rainbow flag).
 */
export const TOKEN: RegExp = new RegExp(
  [
    String.raw`(?<emoji>\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}|\p{RI}{2}|[0-9#*]\u20E3|\p{ExtPict}(?:\u200D\p{ExtPict})*)`,
    String.raw`(?<run>(?:SPACELESS\p{M}*)+)`,
    String.raw`(?:[[\p{L}\p{N}]--SPACELESS]\p{M}*)+`,
  ]
    .join('|')
    .replaceAll(
      'SPACELESS',
      String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Mymr}]&&[\p{L}\p{N}]]`,
    ),
  'gv',
);
const ASCII_WORD = /[a-z0-9]+/g;
const ASCII_INNER_APOSTROPHE = /(?<=[a-z0-9])'(?=[a-z0-9])/g;
/** Matches a letter with its combining marks. Bigrams are pairs of such letters. */
const CLUSTER = /\P{M}\p{M}*/gu;

/**
 * Returns the terms of a query, in order, including repetitions: words, emoji, and overlapping pairs of letters for
 * scripts written without spaces (Chinese, Japanese, Thai, Lao, Khmer, Burmese). A run of only one letter is itself a
 * term. Everything else (punctuation, search syntax) only separates terms. Accepts any string. Returns an empty array
 * if there is nothing to search for.
 */
export function analyse(text: string): string[] {
  return isPlain(text) ? plainWords(text) : tokens(text, pairs);
}

/**
 * Returns the terms of a document's text: those of {@link analyse}, and each single letter of a run without spaces. The
 * single letters double the postings of the run, but with them, a query of a single letter (猫) is an ordinary look-up.
 * Longer queries use only the pairs, because pairs are more specific and have shorter lists.
 */
export function analyseDocument(text: string): string[] {
  return isPlain(text) ? plainWords(text) : tokens(text, pairsAndLetters);
}

/** Returns whether a text is ASCII and has no name such as "C++". Most texts are like this. */
export function isPlain(text: string): boolean {
  return isAscii(text) && !hasSymbol(text);
}

/**
 * Returns the words of a plain text. For a plain text, `fold` has the same effect as these steps. A property test
 * checks that both functions agree.
 */
function plainWords(text: string): string[] {
  return shortenRuns(text.toLowerCase().replace(ASCII_INNER_APOSTROPHE, '')).match(ASCII_WORD) ?? [];
}

function tokens(text: string, split: (letters: string[]) => string[]): string[] {
  const terms: string[] = [];
  for (const match of fold(text).matchAll(TOKEN)) {
    const run = match.groups?.['run'];
    if (run === undefined) terms.push(match[0]);
    else for (const term of split(run.match(CLUSTER) ?? [])) terms.push(term);
  }
  return terms;
}

function pairs(letters: string[]): string[] {
  return letters.length === 1 ? letters : letters.slice(1).map((letter, i) => letters[i]! + letter);
}

function pairsAndLetters(letters: string[]): string[] {
  return letters.length === 1 ? letters : [...letters, ...pairs(letters)];
}
