/**
 * The file of words in all languages. The numbers in its head are little-endian u32. A *phrase* is English. A *term* is
 * in any language, or is an emoji. A *letter* is a UTF-16 code unit.
 *
 *   head           version, number of blocks B, number of phrases P, words of the filter F, number of letters A, bytes
 *                  of lists
 *   filter         u32[F]      a bit for the hash of each term, of each English word, and of each stem in a language,
 *                              so that most unknown texts need no look-up
 *   block offsets  u32[B + 1]  where each block starts in the bytes of blocks
 *   phrase offsets u32[P + 1]  where each phrase starts in the bytes of phrases
 *   letters        u16[A]      the letters of terms, A rounded up to an even number
 *   phrases        ASCII, without separators
 *   lists          u8 number of alternatives, and for each of them
 *                    varint phrase << 3 | weight - 1, best first, weights in eighths
 *   blocks         BLOCK terms each, ascending by UTF-16 code units, each term as
 *                    u8 number of letters shared with the previous term, u8 number of other letters, these letters,
 *                    varint bytes of entries, entries
 *   entry          u8 language, varint place of its alternatives in the bytes of lists
 *
 * Phrases, letters and lists are sorted by how often they occur, so that the frequent ones take few bytes. The most
 * frequent letters take one byte and the others two (`oneByteLetters`). Many terms have the same alternatives, because
 * all words of a row of our tables have the same meaning, so each list is stored once. The empty list is the first.
 *
 * The blocks also have keys that
 * are not terms. *~stem/term* leads from an inflected form to its term; its entries have no alternatives. *=word* is
 * the key of a function word that is the whole query (no, ja). Its entries are the translations of the word. *^word* is
 * the key of a word or phrase with its accents. Its entries are the meanings of this spelling alone. *+word* is
 * the key of an English word or phrase. Its entry has plainer words with the same meaning. *-word* is the key of a
 * correctly spelt English word that is too rare to decide the language of a query. Its entry has no alternatives.
 *
 * Front coding (Witten, Moffat & Bell, "Managing Gigabytes", §4.1) halves the letters, and a look-up reads one block.
 */
export const LANGUAGES_VERSION = 5;

export const HEAD = 6;
/** Terms per block. */
export const BLOCK = 16;
/** Maximum length of a term. Longer terms are picture names that nobody types. */
export const MAX_TERM_LENGTH = 32;
/** Maximum length of the key of a stem and its term. */
export const MAX_KEY_LENGTH: number = 2 * MAX_TERM_LENGTH + 2;
/**
 * Marks the key of a stem. It sorts after ASCII letters and before the letters of other scripts. No term contains it.
 */
const STEM_MARK = '~';

/** Returns the key for the meaning of a function word that is the whole query: "no", "ja". */
export function aloneKey(word: string): string {
  return `=${word}`;
}

/** Returns the key of a term in exactly this spelling, with its accents: "tắm" (to bathe), which is not "tám" (eight). */
export function accentedKey(term: string): string {
  return `^${term}`;
}

/** Returns the key for plainer English words for an English word or phrase: "furious", "fed up". */
export function plainerKey(term: string): string {
  return `+${term}`;
}

/** Returns the key of a rare English word that is spelt right: "famished". */
export function spellingKey(word: string): string {
  return `-${word}`;
}

/**
 * Minimum number of filter bits per hash. With this number, at most a quarter of the look-ups of unknown texts pass the
 * filter.
 */
export const FILTER_BITS = 4;
/** The language number in the hash of a term, which does not depend on the language. */
export const ANY_LANGUAGE = 255;

/**
 * Returns the hash that gives the bit of a term in any language, of an English word, or of a stem in a language: FNV-1a
 * (Fowler, Noll and Vo) over the language and the letters.
 */
export function filterHash(text: string, language: number): number {
  let hash = Math.imul(0x811c9dc5 ^ language, 0x01000193);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** Returns the stem of a key of `stemKey`, or undefined for other keys. */
export function stemOfKey(key: string): string | undefined {
  return key.startsWith(STEM_MARK) ? key.slice(1, key.indexOf('/')) : undefined;
}

/** Returns the prefix of the keys of all terms with this stem. */
export function stemKey(stem: string): string {
  return `${STEM_MARK}${stem}/`;
}

/**
 * Returns the number of letters that take one byte. The other values of the first byte are for letters of two bytes,
 * and are no more than necessary.
 */
export function oneByteLetters(letters: number): number {
  return 256 - Math.ceil(Math.max(0, letters - 256) / 255);
}

export const WEIGHT_UNITS = 8;

/** Language numbers with a special meaning: English, its rarer words, emoji. */
export const ENGLISH = 0;
export const RARE_ENGLISH = 1;
export const EMOJI = 2;
/**
 * Languages with fixed numbers: English, its rarer words, emoji, the languages with a column in our tables, ordered by
 * estimated number of searches, and languages in Latin letters that are usually written in another script. All others
 * follow, sorted by code.
 */
export const LANGUAGES: readonly string[] = [
  ...'en en-rare emoji es pt fr de it ru ja zh ko ar hi tr id vi nl pl sv th uk fa cs ro el hu da fi no he'.split(' '),
  ...'bn ur tl ms ta sw hr sr bg sk ca az uz sq et gl sl'.split(' '),
  ...'hi-Latn zh-Latn ar-Latn ru-Latn ja-Latn el-Latn uk-Latn bg-Latn'.split(' '),
];
/** Codes for languages that have another code here. Sources: Unicode CLDR, languageAlias; Bosnian is read as Croatian. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', fil: 'tl', iw: 'he', in: 'id', bs: 'hr' };

/**
 * Returns the number of a language with a column in our tables, or undefined. @param tag a BCP 47 tag: `pt`, `pt-BR`.
 */
export function languageOf(tag: string): number | undefined {
  const [code = '', script = ''] = tag.toLowerCase().split(/[-_]/);
  const own = code === 'sr' && script === 'latn' ? 'hr' : (SAME_LANGUAGE[code] ?? code);
  const number = LANGUAGES.indexOf(own);
  return number === ENGLISH || (number > EMOJI && number < FIRST_ROMANISED) ? number : undefined;
}

/**
 * The first of the less searched languages. English texts rarely have words of this language or of the following
 * languages.
 */
export const FIRST_LESS_SEARCHED: number = LANGUAGES.indexOf('bn');
/** The first of the languages in Latin letters that are usually written in another script. */
export const FIRST_ROMANISED: number = LANGUAGES.indexOf('hi-Latn');

/** Returns whether the number stands for a language in Latin letters that is usually written in another script. */
export function isRomanised(language: number): boolean {
  return language >= FIRST_ROMANISED && language < LANGUAGES.length;
}

export interface Alternative {
  phrase: string;
  /** Weight of the term's meaning relative to the best alternative, above 0 and at most 1. */
  weight: number;
}

/** A term in one language. A term without alternatives is an English term or a word with little meaning (der, el). */
export interface Entry {
  language: number;
  /** Alternatives, best first. English entries have alternatives only if they are slang. */
  alternatives: readonly Alternative[];
}
