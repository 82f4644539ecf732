import type { Dictionary, StoredEntry } from './dictionary.ts';
import { baseForms } from './endings.ts';
import { EMOJI, LANGUAGES } from './format.ts';
import { termOf, type Unit } from './units.ts';

/** Part of a query that is a term of one language. */
export interface Match {
  /** Units from `start` to `end`, exclusive. */
  start: number;
  end: number;
  entry: StoredEntry;
}

/** A query as one language reads it. */
export interface Reading {
  language: number;
  /** How much of the query it knows: about one for each word. */
  covered: number;
  matches: readonly Match[];
}

interface Span {
  end: number;
  entries: readonly StoredEntry[];
  /** What it counts for when it matches. */
  worth: number;
  /** Several words, which may be known one by one too. */
  several: boolean;
}

const LONGEST_NGRAM = 4;
/** Letters of a run, because a term of more is rare. */
const LONGEST_PREFIX = 8;
/** A word in another form than the one that is listed. */
export const INFLECTED_WORTH = 0.8;
/** Two letters of a script without spaces are about a word. */
const LETTER_WORTH = 0.5;
/** Words or letters that are listed together are surer than each alone. */
const TOGETHER_WORTH = 0.1;
/** The least weight of a phrase that is taken for its words together. */
const SURE = 0.8;
const PLAIN_LETTER = /^[a-z]$/;
const HAN = /^\p{sc=Han}/u;

/** How each language that knows something of a query reads it; English and emoji aside. */
export function readingsOf(units: readonly Unit[], dictionary: Dictionary): Reading[] {
  const spans = units.map((_, start) => spansAt(units, start, dictionary));
  const languages = new Set(spans.flat().flatMap((span) => span.entries.map(({ language }) => language)));
  return Array.from(languages)
    .filter((language) => language > EMOJI)
    .map((language) => read(language, spans));
}

/** What starts at a unit, in the order in which it is tried: longest first, inflected last. */
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

/** One letter is a sound or a sign, unless it is known as a particle; a single Chinese character is a word. */
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

/** From left to right, always the first span that the language is sure of, or else the first that it has. */
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

/** Names of pictures say more than their words: "gato feliz" is a grinning cat only where it is not a happy one. */
function isSure({ several, entries }: Span, language: number): boolean {
  return !several || entries.some((entry) => entry.language === language && entry.weight >= SURE);
}

/** A hundred languages of which we know nothing else have a word for any sequence of letters. */
function certaintyOf({ language, weight }: StoredEntry): number {
  return language < LANGUAGES.length ? 1 : weight;
}
