import { analyse } from '../analysis/analyse.ts';
import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import type { Languages } from '../languages/languages.ts';
import { MAX_COVERED } from './candidates.ts';

/** A name, texts in parentheses that describe it, and a last text in parentheses: "serika (swimsuit) (blue archive)". */
const IN_PARENTHESES = /^([^()]+)((?:\([^()]+\)\s*)*)\(([^()]+)\)$/;
/** Minimum length of a word that can be a name. */
const SHORTEST_NAME = 3;
/** Minimum length of a series name of one word. Shorter names are abbreviations: "sao", "sv". */
const SHORTEST_SERIES = 4;
const LETTERS = /^\p{L}+$/u;

/**
 * Weight of a name before its series. If no GIF has both, GIFs of the series are closer than GIFs of another Yamato.
 */
const BEFORE_SERIES_SHARE = 0.3;
/** Weight of words that say what kind of thing has the name. They only decide between GIFs that have the name. */
const KIND_SHARE = 0.1;

/** Maximum length of a word that many names have: "von", "rin". */
const LONGEST_PARTICLE = 3;
const HONORIFICS: ReadonlySet<string> = new Set(['chan', 'kun', 'sama', 'sensei', 'senpai']);

/** If the last word in parentheses is one of these, the parentheses say what kind of thing has the name. */
const KINDS: ReadonlySet<string> = new Set(
  `actor actress album animal anime art artist athlete band book boy cartoon casual category celebrity character city
  classic classification club comic comics company competition competitor cosplay costume country creator dance director
  disambiguation event female field film food form franchise function game games genre girl group hobby industry
  invention language location male manga meme movie musician network outfit person personality place player politician
  presenter profession program programme rapper series show singer sitcom software song species sport sports swimsuit team
  technology tv uniform vehicle wrestler writer young youtuber`.split(/\s+/),
);

/** How the words of a short query name something. Each list is empty if the query has no such words. */
export interface NamedWords {
  /** Words that are probably names, because no list of English words has them. */
  names: readonly string[];
  /** The words before the parentheses: "yamato" in "yamato (kancolle)". */
  before: readonly string[];
  /** The words in parentheses after a name, if they are the name of a series. */
  series: readonly string[];
  /** The words in parentheses after a name that say what kind of thing has the name, or describe it: "video game". */
  kind: readonly string[];
}

export const NOTHING_NAMED: NamedWords = { names: [], before: [], series: [], kind: [] };

/**
 * Returns how the words of a query name something.
 * @param query normalised, and not translated
 */
export function readNames(query: string, languages: Languages | undefined): NamedWords {
  const isName = (word: string) => isProbablyName(word, languages);
  const [, outside, between = '', inside] = IN_PARENTHESES.exec(query) ?? [];
  if (outside === undefined || inside === undefined) return readBareName(analyse(query), isName);
  const before = contentOf(analyse(outside));
  const inner = analyse(inside);
  const isLong = before.length + inner.length > MAX_COVERED;
  const isTitle = before.length === 0 || before.length > MAX_COVERED || inner.some(isFunctionWord);
  if (isTitle || (isLong && !isName(inner[0]!))) return NOTHING_NAMED;
  const described = analyse(between).filter((word) => !before.includes(word) && !inner.includes(word));
  if (KINDS.has(inner.at(-1)!)) return { names: before, before, series: [], kind: [...described, ...inner] };
  return { names: [...before, ...inner].filter(isName), before, series: inner, kind: described };
}

/** Reads names without parentheses. They are followed by one English word that belongs to them. */
function readBareName(words: readonly string[], isName: (word: string) => boolean): NamedWords {
  const names = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  const belongs = LETTERS.test(last) && last.length >= SHORTEST_NAME && !isFunctionWord(last) && !isName(last);
  const isBareName = belongs && names.length > 0 && words.length <= MAX_COVERED && names.every(isName);
  return isBareName ? { ...NOTHING_NAMED, names } : NOTHING_NAMED;
}

/** Returns the words that are probably names, because no list of English words has them. */
export function namesAmong(words: readonly string[], languages: Languages | undefined): string[] {
  return words.filter((word) => isProbablyName(word, languages));
}

/** Returns whether a word of a name says little about whose name it is, such as "chan" in "kemomimi-chan". */
export function saysLittle(word: string): boolean {
  return word.length <= LONGEST_PARTICLE || HONORIFICS.has(word);
}

/** Returns the names that count twice. A name before its series counts less than the series: "lana (pokemon)". */
export function countedTwice(names: readonly string[], { series, before }: NamedWords): readonly string[] {
  return series.length > 0 ? names.filter((name) => !before.includes(name)) : names;
}

/** Returns a word's share of the weight that it has in other queries. */
export function namedShareOf(word: string, { before, series, kind }: NamedWords): number {
  if (kind.includes(word)) return KIND_SHARE;
  return series.length > 0 && before.includes(word) ? BEFORE_SERIES_SHARE : 1;
}

/**
 * Returns the names without which a word means something else: "impact" is a part of "genshin impact". Returns
 * undefined for a name, and for a word of a series, whose words count only together (`leastWordsOf`).
 */
export function namesBeside(word: string, { names, series }: NamedWords): readonly string[] | undefined {
  return names.length === 0 || names.includes(word) || series.includes(word) ? undefined : names;
}

/**
 * Returns the minimum number of words that a document must match. One word of "blue archive" is not the series, and one
 * word of "warrior of light" is not the character.
 */
export function leastWordsOf({ before, series }: NamedWords): number {
  return series.length > 0 && before.length + series.length > 2 ? 2 : 1;
}

/**
 * Returns the word of the query that another word covers, too. A name of one word counts like two words of its series,
 * and a series of one word counts like two words of the name.
 */
export function alsoCoveredBy(word: string, named: NamedWords): string | undefined {
  const { names, before, series } = named;
  if (leastWordsOf(named) < 2) return undefined;
  if (series.length === 1 && series.includes(word)) return word.length < SHORTEST_SERIES ? undefined : before[0];
  return series.length > 1 && before.includes(word) && names.includes(word) ? series[0] : undefined;
}

/**
 * Returns the series without which a word before it names something else: "lucy" in "lucy (cyberpunk)". Returns undefined
 * for other words, and for a series that is probably an abbreviation, because titles have its whole name.
 */
export function seriesOf(word: string, { before, series }: NamedWords): readonly string[] | undefined {
  const isWhole = series.length > 1 || (series[0]?.length ?? 0) >= SHORTEST_SERIES;
  return isWhole && before.includes(word) && !series.includes(word) ? series : undefined;
}

function isProbablyName(word: string, languages: Languages | undefined): boolean {
  if (word.length < SHORTEST_NAME || !LETTERS.test(word)) return false;
  return languages?.isEnglish(word) === false && !languages.isSpeltRight(word);
}

function contentOf(words: readonly string[]): string[] {
  return [...new Set(words)].filter((word) => !isFunctionWord(word));
}

function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}
