import fs from 'node:fs';
import { type Alternative, isRomanised, LANGUAGES } from '../../../packages/search/src/languages/format.ts';
import { accentedForm, keyOf } from '../../../packages/search/src/languages/segments.ts';
import { SPELLINGS } from './romanise.ts';

/** A term in our own tables, in the spelling of `keyOf`, or with its accents. */
export interface OwnTerm {
  term: string;
  /** The term is also stored in this spelling, if `term` has lost its accents. */
  accented: string | undefined;
  language: string;
  alternatives: readonly Alternative[];
}

/** The weight of each phrase of a meaning is lower by this value than that of the previous phrase. */
const STEP = 0.125;
/**
 * The first forms in a cell are the usual ones. This is their maximum number. Later forms must weigh less than a usual
 * form in another language.
 */
const FIRST_FORMS = 2;
const LATER_FORM = 0.875;
/**
 * The weight is lower by this value for each later form. The value is small, because it only orders the meanings of one
 * term: "bom dia" means "good morning" first, and then "great day".
 */
const NEXT_FORM = 0.01;
/** Matches phrases, also in scripts without spaces. They are unambiguous. */
export const SEVERAL_WORDS: RegExp = / |^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]{4}/u;
/** The weight of a meaning that is rare in English. Half of the words in the encoder's vocabulary count as rare. */
const RARE = 0.875;
const USUAL_FREQUENCY = 0.4;
const REGIONAL_INDICATOR_A = 0x1f1e6;

/**
 * Reads the folder `everyday`. It has a file for each topic, with the things that people look for in GIF searches, in
 * many languages and in English. If a term is in several rows of a language, it has the meanings of all these rows,
 * with the first meaning of each row first. If a term means different things in two languages, the more usual meaning
 * weighs more. `frequency` returns the frequency of an English word, from 0 to 1.
 */
export function readEveryday(frequency: (word: string) => number): OwnTerm[] {
  const terms = new Map<string, OwnTerm>();
  for (const file of fs.readdirSync(new URL('everyday/', import.meta.url)).sort()) {
    const [[, ...languages] = [], ...rows] = readTable(`everyday/${file}`);
    for (const [names = '', ...cells] of rows) {
      const [first = ''] = names.split('; ');
      const isUsual = !first.includes(' ') && frequency(first) >= USUAL_FREQUENCY;
      const meaning = alternativesOf(names);
      for (const [i, cell] of cells.entries()) {
        const language = languages[i]!;
        const forms = cell.split(' / ');
        addForms(terms, forms, { language, meaning, isUsual });
        const spelling = SPELLINGS[language];
        if (spelling === undefined) continue;
        addForms(terms, forms.flatMap(spelling.spell), { language: spelling.code, meaning, isUsual });
      }
    }
  }
  return [...terms.values()];
}

function addForms(
  terms: Map<string, OwnTerm>,
  forms: readonly string[],
  { language, meaning, isUsual }: { language: string; meaning: readonly Alternative[]; isUsual: boolean },
): void {
  for (const [place, typed] of forms.entries()) {
    const term = keyOf(typed);
    if (term === '') continue;
    const accented = accentedForm(typed);
    const form = place < FIRST_FORMS ? 1 - place * NEXT_FORM : LATER_FORM;
    const share = (isUsual || SEVERAL_WORDS.test(term) ? 1 : RARE) * form;
    const alternatives = meaning.map(({ phrase, weight }) => ({ phrase, weight: weight * share }));
    add(terms, { term, accented: undefined, language, alternatives });
    if (accented !== undefined) add(terms, { term, accented, language, alternatives });
  }
}

function add(terms: Map<string, OwnTerm>, own: OwnTerm): void {
  const { term, accented, language, alternatives } = own;
  const key = `${language}\t${accented ?? term}\t${accented === undefined}`;
  const known = terms.get(key)?.alternatives ?? [];
  const words = ({ phrase }: Alternative) => (SEVERAL_WORDS.test(term) ? 0 : phrase.split(' ').length);
  const all = [...known, ...alternatives].toSorted((a, b) => b.weight - a.weight || words(a) - words(b));
  terms.set(key, { ...own, alternatives: distinct(all) });
}

/**
 * Reads emoji.tsv and flags.tsv: the meanings of each emoji for people, keyed by the emoji in the spelling of `keyOf`.
 */
export function readEmoji(): Map<string, Alternative[]> {
  const emoji = readTable('emoji.tsv').slice(1);
  const flags = readTable('flags.tsv').slice(1);
  return new Map([
    ...emoji.map(([text = '', meanings = '']) => [keyOf(text), alternativesOf(meanings)] as const),
    ...flags.map(([region = '', meanings = '']) => [flagOf(region), alternativesOf(meanings)] as const),
  ]);
}

/** Weight of a plainer word whose meaning is the same, close, or only related. */
const NEARNESS: Readonly<Record<string, number>> = { '1': 0.75, '2': 0.625, '3': 0.5 };
/**
 * Reads thesaurus.tsv: plainer words for English words and phrases, best first, each with the closeness of its meaning.
 */
export function readThesaurus(): Map<string, Alternative[]> {
  const rows = readTable('thesaurus.tsv').slice(1);
  return new Map(
    rows.map(([word = '', plain = '', nearness = '']) => [
      keyOf(word),
      plain.split('|').map((phrase, i) => ({
        phrase: keyOf(phrase),
        weight: Math.max(STEP, NEARNESS[nearness]! - i * STEP),
      })),
    ]),
  );
}

/**
 * Reads function-words.tsv: words with little meaning, keyed by language. The English list also has English words that
 * are function words in another language ("die", "hat").
 */
export function readFunctionWords(): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>(LANGUAGES.map((language) => [language, new Set<string>()]));
  for (const [language = '', cell = ''] of readTable('function-words.tsv').slice(1)) {
    const own = cell.split(' ');
    for (const word of own) words.get(language)!.add(keyOf(word));
    const spelling = SPELLINGS[language];
    // Function words in Latin letters are as short as words of other languages.
    if (spelling === undefined || isRomanised(LANGUAGES.indexOf(spelling.code))) continue;
    for (const word of own.flatMap(spelling.spell)) words.get(spelling.code)!.add(keyOf(word));
  }
  return words;
}

function readTable(name: string): string[][] {
  const lines = fs
    .readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.split('\t'));
}

function alternativesOf(meanings: string): Alternative[] {
  return meanings.split('; ').map((phrase, i) => ({ phrase: keyOf(phrase), weight: Math.max(STEP, 1 - i * STEP) }));
}

/** Returns the flag of a region: its two letters as regional indicators. */
function flagOf(region: string): string {
  return String.fromCodePoint(...Array.from(region, (letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65));
}

/** Removes alternatives whose phrase occurred before. */
export function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const phrases = new Map<string, Alternative>();
  for (const alternative of alternatives) {
    if (!phrases.has(alternative.phrase)) phrases.set(alternative.phrase, alternative);
  }
  return [...phrases.values()];
}
