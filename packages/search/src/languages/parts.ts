import { calmed } from '../analysis/drawn-out.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { stem } from '../analysis/stem.ts';
import { writes } from './alphabets.ts';
import type { Dictionaries } from './dictionaries.ts';
import type { StoredEntry } from './dictionary.ts';
import { englishShare, englishWorth } from './english.ts';
import { type Alternative, EMOJI, ENGLISH, FIRST_LESS_SEARCHED, LANGUAGES, plainerKey } from './format.ts';
import { type Match, type Reading, readingsOf } from './readings.ts';
import { termOf, type Unit, unitsOf } from './units.ts';

/** A part of a query: an emoji, a term that can be translated, or an English word. */
export interface Part {
  kind: 'emoji' | 'words';
  /** The folded text. */
  text: string;
  /** English meanings, best first; empty if the part is English or unknown. */
  phrases: readonly Alternative[];
}

/** A parsed query. Foreign words that are unknown or have little meaning are left out. */
export interface ReadQuery {
  english: boolean;
  /** Number of the language (format.ts). */
  language: number;
  parts: readonly Part[];
  /** The meanings that the parts could have in another language. */
  others: readonly Part[];
  /** Plainer words for the parts of a short English query. */
  plainer: readonly Part[];
  /** The meaning of an English word that is also a word of another language: Italian *cane* is a dog. */
  homograph: readonly Part[];
  /** The folded words that have lost accents, if the query is in another language. */
  folded: readonly string[];
  /** The function words, if the query is in another language. */
  functionWords: readonly string[];
}

/** A translated term, from unit `start` to `end` (exclusive). A term with little meaning has no phrases. */
interface Translation {
  start: number;
  end: number;
  phrases: readonly Alternative[];
}

interface ForeignReadings {
  score: number | undefined;
  /** The best reading. If several readings are equally good, all of them, with the most searched language first. */
  readings: readonly Reading[];
  /** The reading that is next best after these. */
  second: Reading | undefined;
}

const NOT_FOREIGN: ForeignReadings = { score: undefined, readings: [], second: undefined };
/** Minimum rank of the second reading, as a share of the best rank. */
const MIN_SECOND_SHARE = 0.6;
/** Weight of the meanings in the second reading, compared with those in the best reading. */
const SECOND_WEIGHT = 0.75;
/** Minimum weight of a phrase, as a share of the best weight. Weaker phrases would only mislead. */
const MIN_SHARE_OF_BEST = 0.34;
/**
 * A text with this share of English words is English, whatever else it could be. For longer texts, LONG_TEXT_SHARE is
 * enough, because longer texts have more unknown words.
 */
const ENGLISH_SHARE = 0.85;
const LONG_TEXT = 5;
const LONG_TEXT_SHARE = 0.6;
/** Maximum number of words of a phrase that is looked up as a whole. */
const LONGEST_PHRASE = 4;
/** Maximum number of words of slang, and of a phrase with plainer words. */
const LONGEST_ENGLISH = 3;
/**
 * Maximum number of words of a query that is also searched in plainer words, without function words. In a longer
 * sentence, plainer words mislead.
 */
const MOST_WITH_PLAINER = 3;
const LATIN = /\p{sc=Latin}/u;
const ASCII_LETTERS = /^[a-z0-9]*$/;
const GENDERS = ['♀', '♂'];
const JOINER = '\u200D';

/** A query without accents is English unless at least this share is known in another language. */
const MIN_FOREIGN_SHARE = 0.5;

/**
 * An English word counts as foreign only if its meaning in the other language has at least this weight: "chat" in "le
 * chat", not "happy" in "happy da".
 */
const SURE_WORTH = 0.75;

/**
 * If a query also has English words, its other words must be known at least this well in another language: "bye
 * felicia" does not mean "happy".
 */
const MIN_EVIDENCE = 0.58;

/**
 * How much more of a query a language must know to win. The most searched languages have no handicap. The next ones
 * have a small handicap, so that the most searched languages win ties. The less searched ones and spellings in Latin
 * letters have a larger one: with .05, the share of understood English slips fell by .013, because slips look like
 * forms of words in some language. Languages without a column in our tables have the largest.
 */
const HANDICAPS = [
  { below: LANGUAGES.indexOf('id'), handicap: 0 },
  { below: FIRST_LESS_SEARCHED, handicap: 0.05 },
  { below: LANGUAGES.length, handicap: 0.13 },
  { below: 256, handicap: 0.25 },
] as const;

/** Bonus for a language that uses all accents of a query: "Bär" is a German word (bear), not the English "bar". */
const ALPHABET_WORTH = 0.1;

/**
 * Reads a normalised query as English, or in the language that knows most of it.
 * @param preferred number of the user's language, which is chosen if the query can be read in it
 */
export function readQuery(query: string, dictionaries: Dictionaries, preferred: number | undefined): ReadQuery {
  const units = unitsOf(query);
  const words = units.filter(({ kind }) => kind !== 'emoji');
  const { english, foreign } = chooseLanguage(units, words, { dictionaries, preferred });
  const translations = english ? slangOf(units, dictionaries) : translate(foreign.readings);
  const homograph = english ? homographOf(units, dictionaries) : [];
  const isPhrase = units.length > 1;
  const others = english
    ? isPhrase
      ? homograph
      : []
    : translate(foreign.second === undefined ? [] : [foreign.second]);
  const content = words.filter(({ text }) => !FUNCTION_WORDS.has(text));
  const plainer =
    english && content.length <= MOST_WITH_PLAINER
      ? eachTerm(units, (start, end) => plainerAt(units, { start, end }, dictionaries))
      : [];
  return {
    english,
    parts: [...partsOf(units, { english, translations, dictionaries })],
    language: english ? ENGLISH : (foreign.readings[0]?.language ?? ENGLISH),
    others: others.flatMap(({ start, end, phrases }) => {
      const text = termOf(units, start, end);
      const weaker = phrases.map(({ phrase, weight }) => ({ phrase, weight: weight * SECOND_WEIGHT }));
      return weaker.length === 0 ? [] : [{ kind: 'words', text, phrases: weaker } as const];
    }),
    ...(english ? { folded: [], functionWords: [] } : foreignWordsOf(units, foreign.readings[0])),
    plainer: plainer.map((each) => toPart(each, units)),
    homograph: isPhrase ? [] : homograph.map((each) => toPart(each, units)),
  };
}

function chooseLanguage(
  units: readonly Unit[],
  words: readonly Unit[],
  { dictionaries, preferred }: { dictionaries: Dictionaries; preferred: number | undefined },
): { english: boolean; foreign: ForeignReadings } {
  const own = preferred === undefined ? undefined : readingIn(preferred, units, dictionaries);
  if (own !== undefined && own.covered >= words.length)
    return { english: false, foreign: { ...NOT_FOREIGN, readings: [own] } };
  const share = englishShare(words, dictionaries);
  if (isForeignPhrase(units, share, dictionaries)) return { english: false, foreign: readForeign(units, dictionaries) };
  if (isMostlyEnglish(words, share, dictionaries)) return { english: words.length > 0, foreign: NOT_FOREIGN };
  const foreign = readForeign(units, dictionaries);
  return { english: isEnglish(words, share, foreign.score), foreign };
}

/** Returns the words that only look English, and the function words of the other language. */
function foreignWordsOf(
  units: readonly Unit[],
  reading: Reading | undefined,
): Pick<ReadQuery, 'folded' | 'functionWords'> {
  const functionWords = reading?.matches.filter(({ entry }) => entry.weight === 0) ?? [];
  return {
    folded: units.filter(({ accents }) => LATIN.test(accents)).map(({ text }) => text),
    functionWords: functionWords.flatMap(({ start, end }) => units.slice(start, end).map(({ text }) => text)),
  };
}

function toPart({ start, end, phrases }: Translation, units: readonly Unit[]): Part {
  return { kind: 'words', text: termOf(units, start, end), phrases };
}

/** Returns the reading in one language, if the language knows more than function words of the query. */
function readingIn(language: number, units: readonly Unit[], dictionaries: Dictionaries): Reading | undefined {
  const own = readingsOf(units, dictionaries).find((reading) => reading.language === language);
  return own?.matches.some(({ entry }) => entry.weight > 0) ? own : undefined;
}

function isMostlyEnglish(words: readonly Unit[], share: number, dictionaries: Dictionaries): boolean {
  if (share >= ENGLISH_SHARE * words.length) return true;
  if (words.length < LONG_TEXT || share < LONG_TEXT_SHARE * words.length) return false;
  return !hasForeignGrammar(words, dictionaries);
}

/**
 * Returns whether the words that are not English are mostly function words of one language: "en attendant le week-end".
 */
function hasForeignGrammar(words: readonly Unit[], dictionaries: Dictionaries): boolean {
  const unknown = words.filter(({ text }) => englishWorth(text, dictionaries) === 0);
  const counts = new Map<number, number>();
  for (const { text } of unknown) {
    for (const { language, weight } of dictionaries.find(text)) {
      if (weight === 0 && language > EMOJI) counts.set(language, (counts.get(language) ?? 0) + 1);
    }
  }
  return Math.max(0, ...counts.values()) > unknown.length / 2;
}

/**
 * Returns whether a query is a phrase of another language, and has a word that is English only in a rare form: the
 * Hungarian "fogd be", in which "fogd" could be a form of "fog".
 */
function isForeignPhrase(units: readonly Unit[], share: number, dictionaries: Dictionaries): boolean {
  if (units.length < 2 || units.length > LONGEST_PHRASE || share >= units.length) return false;
  if (units.some(({ kind, stretch }) => kind !== 'word' || stretch !== units[0]!.stretch)) return false;
  const found = dictionaries.find(termOf(units, 0, units.length));
  if (found.some(({ language }) => language === ENGLISH)) return false;
  return found.some((entry) => isOwnLanguage(entry) && entry.weight >= SURE_WORTH);
}

function isOwnLanguage({ language, fromPack }: StoredEntry): boolean {
  return language > EMOJI && language < LANGUAGES.length && !fromPack;
}

function isEnglish(words: readonly Unit[], share: number, foreignScore: number | undefined): boolean {
  const plain = words.every(({ text, accents }) => accents === '' && ASCII_LETTERS.test(text));
  if (words.length === 0 || (share === 0 && !plain)) return false;
  if (foreignScore === undefined || share >= foreignScore) return true;
  const unknown = words.length - share;
  if (plain && share > 0 && foreignScore - share < MIN_EVIDENCE * unknown) return true;
  return plain && foreignScore < MIN_FOREIGN_SHARE * words.length;
}

/**
 * Returns the readings in languages other than English. A language is left out if it knows only words with little
 * meaning.
 */
function readForeign(units: readonly Unit[], dictionaries: Dictionaries): ForeignReadings {
  const accents = units.map((unit) => unit.accents).join('');
  const ranked = readingsOf(units, dictionaries).map((reading) => {
    const score = scoreOf(reading);
    return { reading, score, rank: score + (writes(reading.language, accents) ? ALPHABET_WORTH : 0) };
  });
  const highest = Math.max(...ranked.map(({ rank }) => rank));
  const best = ranked
    .filter(({ rank }) => rank > highest - 1e-6)
    .sort((a, b) => a.reading.language - b.reading.language);
  const readings = best.map(({ reading }) => reading);
  const isEvident = (match: Match) => match.entry.weight >= SURE_WORTH || isUnknown(match, units, dictionaries);
  const isMeant = readings.some(({ matches }) => matches.some(isEvident));
  if (!isMeant || isByChance(units, readings[0]!)) return NOT_FOREIGN;
  const next = ranked.filter(({ rank }) => rank <= highest - 1e-6 && rank >= MIN_SECOND_SHARE * highest);
  const second = next.sort((a, b) => b.rank - a.rank || a.reading.language - b.reading.language)[0]?.reading;
  return { score: best[0]!.score, readings, second };
}

/**
 * Returns whether a language knows several words only because each looks like a form of one of its words, like the name
 * "amane kanata" in Turkish. For a query of one word, a form is sufficient evidence.
 */
function isByChance(units: readonly Unit[], { matches }: Reading): boolean {
  const isPlain = units.every(({ text, accents }) => accents === '' && ASCII_LETTERS.test(text));
  return units.length > 1 && isPlain && matches.every(({ inflected }) => inflected);
}

/** Returns whether a translated term has a word that is not English, or was typed with its accents. */
function isUnknown(
  { start, end, entry, accented }: Match,
  units: readonly Unit[],
  dictionaries: Dictionaries,
): boolean {
  const isForeign = ({ text }: Unit) => accented || englishWorth(text, dictionaries) === 0;
  return entry.weight > 0 && units.slice(start, end).some(isForeign);
}

function scoreOf({ language, covered }: Reading): number {
  return covered - HANDICAPS.find(({ below }) => language < below)!.handicap;
}

/** Returns the matches of the first reading, translated, with the meanings of the same units in the other readings. */
function translate(readings: readonly Reading[]): Translation[] {
  return (readings[0]?.matches ?? []).map(({ start, end }) => {
    const same = readings
      .flatMap(({ matches }) => matches.filter((match) => match.start === start && match.end === end))
      .filter(({ entry }) => entry.weight > 0);
    const weights = new Map<string, number>();
    for (const { phrase, weight } of same.flatMap(({ entry }) => entry.alternatives())) {
      weights.set(phrase, Math.max(weights.get(phrase) ?? 0, weight));
    }
    const phrases = Array.from(weights, ([phrase, weight]) => ({ phrase, weight }));
    return { start, end, phrases: strongest(phrases) };
  });
}

function strongest(alternatives: readonly Alternative[]): Alternative[] {
  const sorted = alternatives.toSorted((a, b) => b.weight - a.weight);
  return sorted.filter(({ weight }) => weight >= MIN_SHARE_OF_BEST * sorted[0]!.weight);
}

/**
 * Translates a query of English words if the whole query is also a word or phrase of another language: "cane", "me
 * vale".
 */
function homographOf(units: readonly Unit[], dictionaries: Dictionaries): Translation[] {
  const [first, ...rest] = units;
  if (first?.kind !== 'word' || rest.some(({ stretch }) => stretch !== first.stretch)) return [];
  const term = termOf(units, 0, units.length);
  // Other languages also use English phrases for the same thing: "happy dance".
  const isBorrowed = (entry: StoredEntry) =>
    units.length > 1 && entry.alternatives().some(({ phrase }) => phrase === term);
  const sure = dictionaries
    .find(term)
    .find((entry) => entry.language > EMOJI && entry.language < LANGUAGES.length && entry.weight === 1);
  return sure === undefined || isBorrowed(sure)
    ? []
    : [{ start: 0, end: units.length, phrases: strongest(sure.alternatives()) }];
}

/** Returns the translations of slang in an English query. Slang terms are the only English terms with alternatives. */
function slangOf(units: readonly Unit[], dictionaries: Dictionaries): Translation[] {
  return eachTerm(units, (start, end) => {
    const term = termOf(units, start, end);
    for (const form of [term, ...calmed(term)]) {
      const entry = dictionaries.findEnglish(form);
      if (entry !== undefined && entry.weight > 0) return entry.alternatives();
    }
    return undefined;
  });
}

/** Returns plainer words for an English term, in any form. */
function plainerAt(
  units: readonly Unit[],
  { start, end }: { start: number; end: number },
  dictionaries: Dictionaries,
): readonly Alternative[] | undefined {
  const term = termOf(units, start, end);
  const forms = new Set([term, ...(end === start + 1 ? [stem(term), ...calmed(term)] : [])]);
  for (const form of forms) {
    const [entry] = dictionaries.find(plainerKey(form));
    if (entry !== undefined) return entry.alternatives();
  }
  return undefined;
}

/** Looks up the terms of an English query, from left to right, the longest one first. Terms do not overlap. */
function eachTerm(
  units: readonly Unit[],
  find: (start: number, end: number) => readonly Alternative[] | undefined,
): Translation[] {
  const found: Translation[] = [];
  let start = 0;
  while (start < units.length) {
    const next = termAt(units, start, find);
    if (next !== undefined) found.push(next);
    start = next?.end ?? start + 1;
  }
  return found;
}

function termAt(
  units: readonly Unit[],
  start: number,
  find: (start: number, end: number) => readonly Alternative[] | undefined,
): Translation | undefined {
  for (let end = Math.min(units.length, start + LONGEST_ENGLISH); end > start; end--) {
    if (units[end - 1]!.stretch !== units[start]!.stretch) continue;
    const phrases = find(start, end);
    if (phrases !== undefined) return { start, end, phrases };
  }
  return undefined;
}

function* partsOf(
  units: readonly Unit[],
  {
    english,
    translations,
    dictionaries,
  }: { english: boolean; translations: readonly Translation[]; dictionaries: Dictionaries },
): Generator<Part> {
  let start = 0;
  while (start < units.length) {
    const { kind, text } = units[start]!;
    const translation = translations.find((candidate) => candidate.start === start);
    if (kind === 'emoji') {
      const phrases = emojiPhrases(text, dictionaries);
      if (phrases.length > 0) yield { kind, text, phrases };
    } else if (translation !== undefined && translation.phrases.length > 0) {
      const term = termOf(units, start, translation.end);
      yield { kind: 'words', text: term, phrases: translation.phrases.filter(({ phrase }) => phrase !== term) };
    } else if (translation === undefined && (english || englishWorth(text, dictionaries) > 0)) {
      yield { kind: 'words', text: calmed(text).find((form) => isCommon(form, dictionaries)) ?? text, phrases: [] };
    }
    start = translation?.end ?? start + 1;
  }
}

function isCommon(word: string, dictionaries: Dictionaries): boolean {
  return dictionaries.findEnglish(word) !== undefined;
}

/** Returns the meaning of an emoji. An unknown joined emoji has the meanings of its parts, ignoring gender. */
function emojiPhrases(emoji: string, dictionaries: Dictionaries): readonly Alternative[] {
  const find = (text: string) =>
    dictionaries
      .find(text)
      .find(({ language }) => language === EMOJI)
      ?.alternatives() ?? [];
  const whole = find(emoji);
  if (whole.length > 0 || !emoji.includes(JOINER)) return whole;
  const parts = emoji
    .split(JOINER)
    .filter((part) => !GENDERS.includes(part))
    .map(find);
  const longest = Math.max(...parts.map(({ length }) => length));
  const phrases = new Map<string, Alternative>();
  for (let i = 0; i < longest; i++) {
    for (const part of parts) {
      const alternative = part[i];
      if (alternative !== undefined && !phrases.has(alternative.phrase)) phrases.set(alternative.phrase, alternative);
    }
  }
  return [...phrases.values()].toSorted((a, b) => b.weight - a.weight);
}
