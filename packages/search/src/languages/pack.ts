import { stem } from '../analysis/stem.ts';
import { Dictionaries } from './dictionaries.ts';
import { englishWorth } from './english.ts';
import {
  EMOJI,
  type Entry,
  FIRST_ROMANISED,
  LANGUAGES,
  LANGUAGES_VERSION,
  MAX_KEY_LENGTH,
  MAX_TERM_LENGTH,
} from './format.ts';
import { keyOf } from './segments.ts';
import { stemKeysOf } from './stem-keys.ts';
import { writeLanguages } from './writer.ts';

/** The codes of the languages that a pack can have: those whose endings and function words are known. */
const PACK_LANGUAGES: readonly string[] = LANGUAGES.slice(EMOJI + 1, FIRST_ROMANISED);

/** Version of the pack format. A pack of another version cannot be read. */
export const PACK_VERSION: number = LANGUAGES_VERSION;

/**
 * Weights of a term's meanings, best first. They are low, because a dictionary does not say which meanings people
 * search for.
 */
const WEIGHTS = [5 / 8, 4 / 8, 3 / 8, 3 / 8];
/** Maximum number of words in a phrase. Longer phrases are explanations. */
const MAX_PHRASE_WORDS = 3;
/** Maximum number of words in an n-gram that is looked up. */
const MAX_TERM_WORDS = 4;
const PHRASE = /^[a-z0-9 ]+$/;
/**
 * Matches one or two hiragana. They are usually grammar (して), although dictionaries also list them as readings of
 * words.
 */
const PARTICLE = /^\p{sc=Hira}{1,2}$/u;

/** A dictionary of one language, in the form that `Languages.usePacks` reads. */
export interface Pack {
  bytes: Uint8Array;
  /** Number of terms that have a meaning. */
  terms: number;
}

/**
 * Makes a pack.
 * @param language code of a language whose endings we know: de, ja
 * @param meanings terms with their English meanings, best first. Explanations, meanings that are not English, and
 *   terms that are too long to be looked up are left out
 * @param own our own dictionary (languages.bin), which knows English
 * Throws RangeError if the language is not one of PACK_LANGUAGES.
 */
export function writePack(language: string, meanings: ReadonlyMap<string, readonly string[]>, own: Uint8Array): Pack {
  if (!PACK_LANGUAGES.includes(language)) throw new RangeError(`${language} is not the code of a language for packs`);
  const number = LANGUAGES.indexOf(language);
  const worthOf = englishIn(own);
  const entries = new Map<string, Entry[]>();
  for (const [term, phrases] of byKey(meanings)) {
    const best = distinctPhrases(phrases, worthOf).slice(0, WEIGHTS.length);
    if (best.length === 0 || (best.length === 1 && best[0] === term)) continue;
    const alternatives = best.map((phrase, i) => ({ phrase, weight: WEIGHTS[i]! }));
    entries.set(term, [{ language: number, alternatives }]);
  }
  const count = entries.size;
  for (const { key } of stemKeysOf(entries)) {
    if (key.length <= MAX_KEY_LENGTH) entries.set(key, [{ language: number, alternatives: [] }]);
  }
  return { bytes: writeLanguages(entries), terms: count };
}

/**
 * Returns the meanings, keyed by the form in which terms are looked up. Several terms can have the same look-up form.
 */
function byKey(meanings: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  const terms = new Map<string, string[]>();
  for (const [text, phrases] of meanings) {
    const term = keyOf(text);
    if (term === '' || term.length > MAX_TERM_LENGTH || term.split(' ').length > MAX_TERM_WORDS) continue;
    if (PARTICLE.test(term)) continue;
    const known = terms.get(term);
    if (known === undefined) terms.set(term, [...phrases]);
    else known.push(...phrases);
  }
  return terms;
}

/**
 * Returns a function that rates how common an English phrase is. The rating is the worth of the phrase's rarest word,
 * or 0 if any of its words is not English.
 */
function englishIn(own: Uint8Array): (phrase: string) => number {
  const dictionaries = new Dictionaries(own, []);
  const known = new Map<string, number>();
  return (phrase) => {
    const worths = phrase.split(' ').map((word) => {
      const worth = known.get(word) ?? englishWorth(word, dictionaries);
      known.set(word, worth);
      return worth;
    });
    return Math.min(...worths);
  };
}

/**
 * Returns the phrases that are English, those with common words first. Only one phrase with the same stems is returned.
 */
function distinctPhrases(phrases: readonly string[], worthOf: (phrase: string) => number): string[] {
  const found = new Map<string, { phrase: string; worth: number }>();
  for (const text of phrases) {
    const phrase = keyOf(text);
    if (!PHRASE.test(phrase) || phrase.split(' ').length > MAX_PHRASE_WORDS) continue;
    const root = phrase.split(' ').map(stem).join(' ');
    const worth = worthOf(phrase);
    if (worth > 0 && (found.get(root)?.worth ?? 0) < worth) found.set(root, { phrase, worth });
  }
  return Array.from(found.values())
    .toSorted((a, b) => b.worth - a.worth)
    .map(({ phrase }) => phrase);
}
