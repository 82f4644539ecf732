import { writes } from './alphabets.ts';
import type { Dictionary } from './dictionary.ts';
import { englishEntry, englishShare, englishWorth } from './english.ts';
import { type Alternative, EMOJI, LANGUAGES } from './format.ts';
import { type Match, type Reading, readingsOf } from './readings.ts';
import { termOf, type Unit, unitsOf } from './units.ts';

/** A part of a query: an emoji, a term that we can put into English, or a word that is English already. */
export interface Part {
  kind: 'emoji' | 'words';
  /** Folded. */
  text: string;
  /** What it means in English, best first; empty if it is English or unknown. */
  phrases: readonly Alternative[];
}

/** A query by its parts; foreign words that are unknown or mean little are left out. */
export interface ReadQuery {
  english: boolean;
  parts: readonly Part[];
}

/** Beside better phrases, a weaker one only misleads. */
const MIN_SHARE_OF_BEST = 0.34;
/** A text with such a share of English words is English, whatever else it could be; in a long one, more are unknown. */
const ENGLISH_SHARE = 0.85;
const LONG_TEXT = 5;
const LONG_TEXT_SHARE = 0.6;
const LONGEST_SLANG = 3;
const ASCII_LETTERS = /^[a-z0-9]*$/;
const GENDERS = ['♀', '♂'];
const JOINER = '\u200D';

/** Letters without accents are English unless so much of the query is known in another language. */
const MIN_FOREIGN_SHARE = 0.5;

/**
 * How much more than others a language must know of a query: none for those most searched, a little for the others
 * whose grammar we know, so that a tie is for the first, and more for the rest.
 */
const HANDICAPS = [
  { below: LANGUAGES.indexOf('id'), handicap: 0 },
  { below: LANGUAGES.length, handicap: 0.05 },
  { below: 256, handicap: 0.25 },
] as const;

/** What it counts among other languages that one writes all the accents of a query: "Bär" is German, and not a bar. */
const ALPHABET_WORTH = 0.1;

/** Reads a normalised query as English, or else in the language that knows most of it. */
export function readQuery(query: string, dictionary: Dictionary): ReadQuery {
  const units = unitsOf(query);
  const words = units.filter(({ kind }) => kind !== 'emoji');
  const share = englishShare(words, dictionary);
  const foreign = share === words.length ? { score: 0, readings: [] } : readForeign(units, dictionary);
  const english = isEnglish(words, share, foreign.score);
  const matches = english ? slangOf(units, dictionary) : together(foreign.readings);
  return { english, parts: [...partsOf(units, { english, matches, dictionary })] };
}

function isEnglish(words: readonly Unit[], share: number, foreignScore: number): boolean {
  const plain = words.every(({ text, accents }) => accents === '' && ASCII_LETTERS.test(text));
  if (foreignScore === 0) return words.length > 0 && (share > 0 || plain);
  if (plain && foreignScore < MIN_FOREIGN_SHARE * words.length) return true;
  const enough = words.length < LONG_TEXT ? ENGLISH_SHARE : LONG_TEXT_SHARE;
  return share >= enough * words.length || share >= foreignScore;
}

/**
 * The readings that are equally best, that of the most searched language first, and their score: 0 if all they know
 * are words that mean little.
 */
function readForeign(units: readonly Unit[], dictionary: Dictionary): { score: number; readings: Reading[] } {
  const accents = units.map((unit) => unit.accents).join('');
  const ranked = readingsOf(units, dictionary).map((reading) => {
    const score = scoreOf(reading);
    return { reading, score, rank: score + (writes(reading.language, accents) ? ALPHABET_WORTH : 0) };
  });
  const highest = Math.max(...ranked.map(({ rank }) => rank));
  const best = ranked
    .filter(({ rank }) => rank > highest - 1e-6)
    .sort((a, b) => a.reading.language - b.reading.language);
  const readings = best.map(({ reading }) => reading);
  const isKnown = readings.some(({ matches }) => matches.some(({ alternatives }) => alternatives.length > 0));
  return { score: isKnown ? best[0]!.score : 0, readings };
}

function scoreOf({ language, covered }: Reading): number {
  return covered - HANDICAPS.find(({ below }) => language < below)!.handicap;
}

/** The matches of the first reading, with what the others say about the same units averaged into them. */
function together(readings: readonly Reading[]): Match[] {
  const [first, ...others] = readings;
  return (first?.matches ?? []).map((match) => {
    const same = [first!, ...others].flatMap(({ matches }) =>
      matches.filter(
        ({ start, end, alternatives }) => start === match.start && end === match.end && alternatives.length > 0,
      ),
    );
    const weights = new Map<string, number>();
    for (const { phrase, weight } of same.flatMap(({ alternatives }) => alternatives)) {
      weights.set(phrase, (weights.get(phrase) ?? 0) + weight);
    }
    const alternatives = Array.from(weights, ([phrase, weight]) => ({ phrase, weight: weight / same.length }));
    return { ...match, alternatives: strongest(alternatives) };
  });
}

function strongest(alternatives: readonly Alternative[]): Alternative[] {
  const sorted = alternatives.toSorted((a, b) => b.weight - a.weight);
  return sorted.filter(({ weight }) => weight >= MIN_SHARE_OF_BEST * sorted[0]!.weight);
}

/** The slang in an English query: the only English terms with alternatives. */
function slangOf(units: readonly Unit[], dictionary: Dictionary): Match[] {
  const matches: Match[] = [];
  let start = 0;
  while (start < units.length) {
    const match = slangAt(units, start, dictionary);
    if (match !== undefined) matches.push(match);
    start = match?.end ?? start + 1;
  }
  return matches;
}

function slangAt(units: readonly Unit[], start: number, dictionary: Dictionary): Match | undefined {
  for (let end = Math.min(units.length, start + LONGEST_SLANG); end > start; end--) {
    if (units[end - 1]!.stretch !== units[start]!.stretch) continue;
    const alternatives = englishEntry(termOf(units, start, end), dictionary)?.alternatives ?? [];
    if (alternatives.length > 0) return { start, end, alternatives };
  }
  return undefined;
}

function* partsOf(
  units: readonly Unit[],
  { english, matches, dictionary }: { english: boolean; matches: readonly Match[]; dictionary: Dictionary },
): Generator<Part> {
  let start = 0;
  while (start < units.length) {
    const { kind, text } = units[start]!;
    const match = matches.find((candidate) => candidate.start === start);
    if (kind === 'emoji') {
      const phrases = emojiPhrases(text, dictionary);
      if (phrases.length > 0) yield { kind, text, phrases };
    } else if (match !== undefined && match.alternatives.length > 0) {
      const term = termOf(units, start, match.end);
      yield { kind: 'words', text: term, phrases: match.alternatives.filter(({ phrase }) => phrase !== term) };
    } else if (match === undefined && (english || englishWorth(text, dictionary) > 0)) {
      yield { kind: 'words', text, phrases: [] };
    }
    start = match?.end ?? start + 1;
  }
}

/** What an emoji means; of pictures joined into one that is not known, what they mean in turn, whatever their gender. */
function emojiPhrases(emoji: string, dictionary: Dictionary): readonly Alternative[] {
  const find = (text: string) => dictionary.find(text).find(({ language }) => language === EMOJI)?.alternatives ?? [];
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
