import { fold } from './fold.ts';
import { isAscii } from './normalise.ts';

/**
 * One token: an emoji, a run of a script written without spaces, or a word. Emoji come first so that a keycap is
 * not read as a digit; within emoji, a flag by tags (England), a flag by letters, a keycap, and pictures joined
 * into one (family, rainbow flag).
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
/** A letter with the marks that belong to it: the unit of bigrams. */
const CLUSTER = /\P{M}\p{M}*/gu;

/**
 * The terms of a query, in order, repetitions kept: words, emoji, and overlapping pairs of letters where a script
 * (Chinese, Japanese, Thai, Lao, Khmer, Burmese) is written without spaces; a run of one letter is a term itself.
 * Everything else (punctuation, search syntax) only separates. Works on any string; an empty array means that
 * there is nothing to search for.
 */
export function analyse(text: string): string[] {
  return isAscii(text) ? asciiWords(text) : tokens(text, pairs);
}

/**
 * The terms of a document's text: those of {@link analyse}, and also each single letter of a run without spaces.
 * The letters cost as many postings again for such text, and let a query of one letter (猫) be an ordinary
 * lookup; queries of more letters do without them, because a pair says more and its list is shorter.
 */
export function analyseDocument(text: string): string[] {
  return isAscii(text) ? asciiWords(text) : tokens(text, pairsAndLetters);
}

/** Most text is ASCII, where the steps of `fold` come down to these; a property test holds the two together. */
function asciiWords(text: string): string[] {
  return text.toLowerCase().replace(ASCII_INNER_APOSTROPHE, '').match(ASCII_WORD) ?? [];
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
