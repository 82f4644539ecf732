import { calmed } from '../analysis/drawn-out.ts';
import type { Dictionaries, Form } from './dictionaries.ts';
import type { StoredEntry } from './dictionary.ts';
import { accentedKey, aloneKey, EMOJI, LANGUAGES } from './format.ts';
import { inflectedLanguages, stemIn, withoutBeginnings } from './stems.ts';
import { termOf, typedTermOf, type Unit } from './units.ts';

/** A part of a query that is a term of a language. */
export interface Match {
  /** Units from `start` to `end`, exclusive. */
  start: number;
  end: number;
  entry: StoredEntry;
  /** Whether the units were typed with exactly the accents of the term. */
  accented: boolean;
  /** Whether the units are only an inflected form of the term. */
  inflected: boolean;
}

/** A query as read in one language. */
export interface Reading {
  language: number;
  /** How much of the query is known in the language: about 1 for each known word. */
  covered: number;
  matches: readonly Match[];
}

interface Span {
  end: number;
  entries: readonly StoredEntry[];
  /** Score of a match. */
  worth: number;
  /** The number of units, plus a bonus for several units. A reading maximises the sum over its spans. */
  reach: number;
  /** Whether the span has several words. Each of them can also be known individually. */
  several: boolean;
  /** Whether the span was typed with exactly the accents of the entries. */
  accented?: true;
  /** Whether the span is only an inflected form of the entries. */
  inflected?: boolean;
}

const LONGEST_NGRAM = 4;
/**
 * Maximum length of a phrase whose inflected forms are looked up. Longer phrases are looked up only in the typed form.
 */
const LONGEST_INFLECTED = 3;
/** Maximum number of letters of a run that are looked up, because longer terms are rare. */
const LONGEST_PREFIX = 8;
/** Score of an inflected form. */
export const INFLECTED_WORTH = 0.8;
/** Score of one letter in a script without spaces, in which two letters are about one word. */
const LETTER_WORTH = 0.5;
/** Bonus for a function word, because it is rare in other languages: "le chat" is French. */
const FUNCTION_WORTH = 0.05;
/** Bonus for a term that is typed with exactly its accents: "häst" is Swedish, and not an old English "hast". */
const ACCENTS_WORTH = 0.1;
/** Bonus for each word of a term of several words or letters. */
const TOGETHER_WORTH = 0.1;
/**
 * Share of its score that a term keeps if only a pack has it. With a lower share, forms of the term would be treated as
 * English.
 */
const PACK_CERTAINTY = 0.75;
/** Minimum weight for a phrase to be preferred to its words. */
const SURE = 0.8;
/** Similarity of a word to the same word without its prefixes. What looks like a prefix can be part of the word. */
const WITHOUT_BEGINNING = 0.95;
/** Minimum similarity of a phrase and its inflected form. */
const SAME_PHRASE = 0.6;
/** Matches short words, which could too easily be forms of another word. */
const SHORT_WORD = /^[a-z]{1,4}$/;
const PLAIN_LETTER = /^[a-z]$/;
const HAN = /^\p{sc=Han}/u;

/** Returns the readings of a query in each language that knows part of it, except English and emoji. */
export function readingsOf(units: readonly Unit[], dictionaries: Dictionaries): Reading[] {
  const singles = units.map((_, start) => spansOver(units, { start, end: start + 1 }, dictionaries));
  const known = singles.map((spans) => languagesOf(spans));
  const spans = units.map((_, start) => [...longerSpans(units, { start, known }, dictionaries), ...singles[start]!]);
  const languages = new Set(spans.flatMap(languagesOf));
  return Array.from(languages)
    .filter((language) => language > EMOJI)
    .map((language) => read(language, spans));
}

function languagesOf(spans: readonly Span[]): number[] {
  return spans.flatMap(({ entries }) => entries.map(({ language }) => language));
}

/** Returns candidate terms of several units that start with the same unit, the longest first. */
function longerSpans(
  units: readonly Unit[],
  { start, known }: { start: number; known: readonly (readonly number[])[] },
  dictionaries: Dictionaries,
): Span[] {
  const { kind, stretch } = units[start]!;
  if (kind === 'emoji') return [];
  const longest = kind === 'letter' ? LONGEST_PREFIX : LONGEST_NGRAM;
  let end = start + 1;
  while (end < units.length && end < start + longest && units[end]!.stretch === stretch) end += 1;
  const spans: Span[] = [];
  for (; end > start + 1; end--) {
    // A phrase can belong only to a language that has one of its words. A term of letters can belong to any language.
    const among = kind === 'letter' ? undefined : new Set(known.slice(start, end).flat());
    spans.push(...spansOver(units, { start, end, among }, dictionaries));
  }
  return spans;
}

/**
 * Returns candidate terms of exactly these units, in the order in which they are tried: exact terms before inflected
 * ones, and all terms of our own dictionary before terms of packs.
 */
function spansOver(
  units: readonly Unit[],
  { start, end, among }: { start: number; end: number; among?: ReadonlySet<number> | undefined },
  dictionaries: Dictionaries,
): Span[] {
  const { kind } = units[start]!;
  if (kind === 'emoji') return [];
  const term = termOf(units, start, end);
  const several = kind === 'word' && end > start + 1;
  const worth = worthOf(kind, end - start);
  const spans: Span[] = units.length === 1 ? alone(units[0]!, dictionaries) : [];
  const typed = typedTermOf(units, start, end);
  const accented = typed === undefined ? [] : dictionaries.find(accentedKey(typed));
  if (accented.length > 0) {
    spans.push({ end, entries: accented, worth: worth + ACCENTS_WORTH, reach: worth, several, accented: true });
  }
  const found = dictionaries.find(term).filter((entry) => canBeTerm(entry, units, start, end));
  const own = found.filter(({ fromPack }) => !fromPack);
  if (own.length > 0) spans.push({ end, entries: own, worth, reach: worth, several });
  const forms = several && end - start > LONGEST_INFLECTED ? [] : formsOf(term, { exact: own, among }, dictionaries);
  const inflected = forms.map(({ entry, likeness }) => ({
    ...{ end, several, entries: [entry], reach: worth, inflected: likeness < 1 },
    worth: worth * INFLECTED_WORTH * likeness,
  }));
  if (found.length === own.length) return [...spans, ...inflected];
  const packed = { end, several, worth, reach: worth, entries: found.filter(({ fromPack }) => fromPack) };
  const isOwn = ({ entries }: Span) => !entries[0]!.fromPack;
  return [...spans, ...inflected.filter(isOwn), packed, ...inflected.filter((span) => !isOwn(span))];
}

/** Returns the meaning of a function word that is the whole query. */
function alone({ text }: Unit, dictionaries: Dictionaries): Span[] {
  const entries = dictionaries.find(aloneKey(text));
  return entries.length === 0 ? [] : [{ end: 1, entries, worth: 1, reach: 1, several: false }];
}

function worthOf(kind: Unit['kind'], units: number): number {
  return units * (kind === 'letter' ? LETTER_WORTH : 1) + (units - 1) * TOGETHER_WORTH;
}

/**
 * Returns whether these units can be a term. A single letter can be a term only if it is a known particle, or a Chinese
 * character.
 */
function canBeTerm(entry: StoredEntry, units: readonly Unit[], start: number, end: number): boolean {
  const { kind, text } = units[start]!;
  const isWord = kind === 'word' ? !PLAIN_LETTER.test(text) : HAN.test(text);
  return end > start + 1 || isWord || entry.weight === 0;
}

/**
 * Returns the terms of which a text could be an inflected or drawn-out form, in the languages that do not have the text
 * itself as a term.
 */
function formsOf(
  text: string,
  { exact, among }: { exact: readonly StoredEntry[]; among: ReadonlySet<number> | undefined },
  dictionaries: Dictionaries,
): readonly Form[] {
  if (among === undefined) return dictionaries.forms.get(text, () => findForms(text, { exact, among }, dictionaries));
  return among.size === 0 ? [] : findForms(text, { exact, among }, dictionaries);
}

function findForms(
  text: string,
  { exact, among }: { exact: readonly StoredEntry[]; among: ReadonlySet<number> | undefined },
  dictionaries: Dictionaries,
): Form[] {
  const drawnOut = calmed(text).flatMap((form) => dictionaries.find(form).filter(({ weight }) => weight > 0));
  const isKnown = (language: number) =>
    exact.some((entry) => entry.language === language) || drawnOut.some((entry) => entry.language === language);
  const languages = inflectedLanguages(text).filter((language) => (among?.has(language) ?? true) && !isKnown(language));
  const inflected = inflectedForms(text, languages, dictionaries);
  return [...drawnOut.map((entry) => ({ entry, likeness: 1 })), ...inflected];
}

/** Returns, for each language, the term with the same stem that is most similar to the text. */
function inflectedForms(text: string, languages: readonly number[], dictionaries: Dictionaries): Form[] {
  if (SHORT_WORD.test(text)) return [];
  const forms = new Map<number, Form>();
  for (const { stem, part, having } of knownStems(text, languages, dictionaries)) {
    const terms = dictionaries.withStem(stem, having);
    if (terms.length === 0) continue;
    for (const language of having) {
      const form = nearestForm(text, { language, terms, part }, dictionaries);
      if (form !== undefined && form.likeness > (forms.get(language)?.likeness ?? -1)) forms.set(language, form);
    }
  }
  return [...forms.values()];
}

/** A stem that the dictionaries may contain in some languages, and the part of the text that has this stem. */
interface KnownStem {
  stem: string;
  part: string;
  having: number[];
}

/**
 * Returns the stems of a text that the dictionaries may contain, each with its languages. A stem that several languages
 * share is looked up once. A word can also have the stem of what remains after its prefixes are removed.
 */
function knownStems(text: string, languages: readonly number[], dictionaries: Dictionaries): Iterable<KnownStem> {
  const words = text.split(' ');
  const known = new Map<string, KnownStem>();
  const note = (part: string, stem: string, language: number) => {
    if (!dictionaries.mayHaveStem(stem, language)) return;
    const key = part === text ? stem : `${part} ${stem}`;
    const same = known.get(key);
    if (same === undefined) known.set(key, { stem, part, having: [language] });
    else same.having.push(language);
  };
  for (const language of languages) {
    if (words.length > 1) note(text, words.map((word) => stemIn(language, word)).join(' '), language);
    else for (const part of [text, ...withoutBeginnings(language, text)]) note(part, stemIn(language, part), language);
  }
  return known.values();
}

interface Candidates {
  language: number;
  terms: readonly { term: string; languages: readonly number[] }[];
  part: string;
}

function nearestForm(
  text: string,
  { language, terms, part }: Candidates,
  dictionaries: Dictionaries,
): Form | undefined {
  const own = terms.filter(({ languages }) => languages.includes(language)).map(({ term }) => term);
  if (own.length === 0) return undefined;
  const nearest = own.reduce((best, term) => (distance(term, part) < distance(best, part) ? term : best));
  const likeness =
    (1 - distance(nearest, part) / (nearest.length + part.length)) * (part === text ? 1 : WITHOUT_BEGINNING);
  if (text.includes(' ') && likeness < SAME_PHRASE) return undefined;
  const entry = dictionaries.find(nearest).find((each) => each.language === language);
  return entry && { entry, likeness };
}

/** Returns the number of letters that differ after the common prefix. */
function distance(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return a.length + b.length - 2 * shared;
}

/**
 * Divides the units into the terms with the highest total reach: "o | fim de semana", and not "o fim | de | semana". At
 * each unit, only the spans that are certain in the language are tried. If there is none, the first known span is
 * tried.
 */
function read(language: number, spans: readonly (readonly Span[])[]): Reading {
  const functionWorth = spans.length > 1 ? FUNCTION_WORTH : 0;
  const chosen = furthest(language, spans);
  const matches: Match[] = [];
  let covered = 0;
  for (let start = 0; start < spans.length; start = chosen[start]?.end ?? start + 1) {
    const span = chosen[start];
    if (span === undefined) continue;
    const entry = span.entries.find((each) => each.language === language)!;
    const { accented = false, inflected = false } = span;
    matches.push({ start, end: span.end, entry, accented, inflected });
    covered += span.worth * certaintyOf(entry) + (entry.weight === 0 ? functionWorth : 0);
  }
  return { language, covered, matches };
}

/** Returns, for each unit, the span that starts there and gives the highest total reach from there to the end. */
function furthest(language: number, spans: readonly (readonly Span[])[]): (Span | undefined)[] {
  const chosen: (Span | undefined)[] = [];
  const reaches = new Float64Array(spans.length + 1);
  for (let start = spans.length - 1; start >= 0; start--) {
    reaches[start] = reaches[start + 1]!;
    for (const span of candidatesOf(language, spans[start]!)) {
      const reach = span.reach + reaches[span.end]!;
      if (reach <= reaches[start]!) continue;
      reaches[start] = reach;
      chosen[start] = span;
    }
  }
  return chosen;
}

function candidatesOf(language: number, spans: readonly Span[]): readonly Span[] {
  const having = spans.filter(({ entries }) => entries.some((entry) => entry.language === language));
  const sure = having.filter((each) => isSure(each, language));
  return sure.length > 0 ? sure : having.slice(0, 1);
}

/**
 * Returns whether a match is certain. The name of a picture means more than its single words, so it counts only if the
 * match is certain. If the match is not certain, the single words count: "gato feliz" is a happy cat, not a grinning
 * cat.
 */
function isSure({ several, entries }: Span, language: number): boolean {
  return !several || entries.some((entry) => entry.language === language && entry.weight >= SURE);
}

/**
 * Returns how certain an entry is. For some languages we have only a list of words, in which almost any sequence of
 * letters is a word. These languages count less, and so do packs, which have hundreds of thousands of words.
 */
function certaintyOf({ language, weight, fromPack }: StoredEntry): number {
  if (fromPack) return PACK_CERTAINTY;
  return language < LANGUAGES.length ? 1 : weight;
}
