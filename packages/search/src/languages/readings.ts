import type { Dictionary, StoredEntry } from './dictionary.ts';
import { baseForms } from './endings.ts';
import { EMOJI, LANGUAGES } from './format.ts';
import { termOf, type Unit } from './units.ts';

/** A part of a query that is a term of a language. */
export interface Match {
  /** Units from `start` to `end`, exclusive. */
  start: number;
  end: number;
  entry: StoredEntry;
}

/** A query as read in one language. */
export interface Reading {
  language: number;
  /** How much of the query it knows: about one per word. */
  covered: number;
  matches: readonly Match[];
}

interface Span {
  end: number;
  entries: readonly StoredEntry[];
  /** Score of a match. */
  worth: number;
  /** Whether it has several words, which may also be known individually. */
  several: boolean;
}

const LONGEST_NGRAM = 4;
/** Maximum letters of a run to look up, because longer terms are rare. */
const LONGEST_PREFIX = 8;
/** Score of an inflected form. */
export const INFLECTED_WORTH = 0.8;
/** In a script without spaces, two letters are about a word. */
const LETTER_WORTH = 0.5;
/** Bonus per word for words or letters that are listed together. */
const TOGETHER_WORTH = 0.1;
/** Minimum weight for a phrase to be preferred to its words. */
const SURE = 0.8;
const PLAIN_LETTER = /^[a-z]$/;
const HAN = /^\p{sc=Han}/u;

/** Readings of a query in each language that knows part of it, except English and emoji. */
export function readingsOf(units: readonly Unit[], dictionary: Dictionary): Reading[] {
  const spans = units.map((_, start) => spansAt(units, start, dictionary));
  const languages = new Set(spans.flat().flatMap((span) => span.entries.map(({ language }) => language)));
  return Array.from(languages)
    .filter((language) => language > EMOJI)
    .map((language) => read(language, spans));
}

/** Candidate terms at a unit, in the order of trying: longest first, inflected last. */
function spansAt(units: readonly Unit[], start: number, dictionary: Dictionary): Span[] {
  const { kind, stretch } = units[start]!;
  if (kind === 'emoji') return [];
  const longest = kind === 'letter' ? LONGEST_PREFIX : LONGEST_NGRAM;
  const spans: Span[] = [];
  let end = start + 1;
  while (end < units.length && end < start + longest && units[end]!.stretch === stretch) end += 1;
  for (; end > start; end--) {
    const entries = dictionary.find(termOf(units, start, end)).filter((entry) => canBeTerm(entry, units, start, end));
    if (entries.length > 0)
      spans.push({ end, entries, worth: worthOf(kind, end - start), several: kind === 'word' && end > start + 1 });
  }
  return kind === 'letter' ? spans : [...spans, ...inflected(units[start]!.text, start, dictionary)];
}

function worthOf(kind: Unit['kind'], units: number): number {
  return units * (kind === 'letter' ? LETTER_WORTH : 1) + (units - 1) * TOGETHER_WORTH;
}

/** A single letter counts only if it is known as a particle, or is a Chinese character. */
function canBeTerm(entry: StoredEntry, units: readonly Unit[], start: number, end: number): boolean {
  const { kind, text } = units[start]!;
  const isWord = kind === 'word' ? !PLAIN_LETTER.test(text) : HAN.test(text);
  return end > start + 1 || isWord || entry.weight === 0;
}

function inflected(word: string, start: number, dictionary: Dictionary): Span[] {
  return baseForms(word).flatMap(({ form, languages }) => {
    const entries = dictionary
      .find(form)
      .filter(({ language, weight }) => weight > 0 && (languages?.has(language) ?? true));
    return entries.length === 0 ? [] : [{ end: start + 1, entries, worth: INFLECTED_WORTH, several: false }];
  });
}

/** Reads from left to right: at each unit the first span that the language is sure of, otherwise the first it knows. */
function read(language: number, spans: readonly (readonly Span[])[]): Reading {
  const matches: Match[] = [];
  let covered = 0;
  let start = 0;
  while (start < spans.length) {
    const having = spans[start]!.filter(({ entries }) => entries.some((entry) => entry.language === language));
    const span = having.find((each) => isSure(each, language)) ?? having[0];
    if (span === undefined) {
      start += 1;
      continue;
    }
    const entry = span.entries.find((each) => each.language === language)!;
    matches.push({ start, end: span.end, entry });
    covered += span.worth * certaintyOf(entry);
    start = span.end;
  }
  return { language, covered, matches };
}

/**
 * Picture names mean more than their words, so they need a certain match: "gato feliz" is a grinning cat only if it is
 * not just a happy one.
 */
function isSure({ several, entries }: Span, language: number): boolean {
  return !several || entries.some((entry) => entry.language === language && entry.weight >= SURE);
}

/** Languages of which we know only words have a word for almost any sequence of letters, so they count less. */
function certaintyOf({ language, weight }: StoredEntry): number {
  return language < LANGUAGES.length ? 1 : weight;
}
