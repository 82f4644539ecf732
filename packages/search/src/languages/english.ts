import { calmed } from '../analysis/drawn-out.ts';
import type { Dictionaries } from './dictionaries.ts';
import { plainerKey, RARE_ENGLISH, spellingKey } from './format.ts';
import { INFLECTED_WORTH } from './readings.ts';
import type { Unit } from './units.ts';

/** Share of its worth that a word with accents keeps: "café" and "fiancé" are English, but not typical. */
const ACCENTED_SHARE = 0.5;
const LATIN = /^[a-z0-9]+$/;
const NUMBER = /^\d+$/;
const ENDINGS = ['s', 'd', 'ed', 'r', 'er', 'ers', 'est', 'ly', 'y', 'ing', 'ness', 'ful', 'less', 'able'];
/** Matches "boxes", but not the German "rotes". */
const PLURAL = /(?:[sxz]|[cs]h|o)es$/;
const SHORTEST_REST = 3;
const DOUBLED = /([bdgklmnprt])\1$/;

/** Returns how much of a query is English: at most 1 for each word, as in `Reading.covered`. */
export function englishShare(units: readonly Unit[], dictionaries: Dictionaries): number {
  let share = 0;
  for (const { text, accents } of units)
    share += englishWorth(text, dictionaries) * (accents === '' ? 1 : ACCENTED_SHARE);
  return share;
}

/**
 * Returns how strongly a folded word counts as English: 1 if it is common, less if it is rare or an inflected form, 0
 * if it is unknown.
 */
export function englishWorth(word: string, dictionaries: Dictionaries): number {
  return dictionaries.worths.get(word, () => findWorth(word, dictionaries));
}

function findWorth(word: string, dictionaries: Dictionaries): number {
  if (!LATIN.test(word)) return 0;
  if (NUMBER.test(word) || dictionaries.findEnglish(word) !== undefined) return 1;
  const isRare = dictionaries.find(word).some(({ language }) => language === RARE_ENGLISH);
  return isRare || [word, ...calmed(word)].some((form) => isInflected(form, dictionaries)) ? INFLECTED_WORTH : 0;
}

/**
 * Returns whether a folded word is in a list of common or rare English words, or has plainer synonyms. The endings of a
 * word prove nothing, because misspelt words have them, too: "definitly".
 */
export function isInDictionary(word: string, dictionaries: Dictionaries): boolean {
  return (
    dictionaries.findEnglish(word) !== undefined ||
    dictionaries.find(word).some(({ language }) => language === RARE_ENGLISH) ||
    dictionaries.find(spellingKey(word)).length > 0 ||
    dictionaries.find(plainerKey(word)).length > 0
  );
}

function isInflected(word: string, dictionaries: Dictionaries): boolean {
  const known = (form: string) => form.length > 1 && dictionaries.findEnglish(form) !== undefined;
  if (known(word) || (PLURAL.test(word) && known(word.slice(0, -2)))) return true;
  return ENDINGS.some((ending) => word.endsWith(ending) && beforeEnding(word.slice(0, -ending.length)).some(known));
}

/**
 * Returns the words to which an ending may have been added: "hott" and "hot", "wav" and "wave", "happi" and "happy". A
 * letter that should be doubled counts, too, because people who write "hotest" mean an English word.
 */
function beforeEnding(rest: string): string[] {
  if (rest.length < SHORTEST_REST) return [];
  if (DOUBLED.test(rest)) return [rest, rest.slice(0, -1)];
  return [rest, `${rest}e`, rest.replace(/i$/, 'y')];
}
