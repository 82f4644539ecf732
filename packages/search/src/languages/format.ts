/**
 * The file of words in all languages. Numbers in its head are little-endian u32; a *phrase* is English, a *term* is
 * in any language, or an emoji:
 *
 *   head           version, number of blocks B, number of phrases P
 *   block offsets  u32[B + 1]  where each block starts in the bytes of blocks
 *   phrase offsets u32[P + 1]  where each phrase starts in the bytes of phrases
 *   phrases        ASCII, without separators
 *   blocks         BLOCK terms each, ascending by UTF-16 code units, each term as
 *                    u8 letters shared with the term before it, u8 more letters, those letters as varints,
 *                    varint bytes of entries, entries
 *   entry          u8 language, u8 number of alternatives, and for each of them
 *                    u16 phrase << 3 | weight - 1, best first, weights in eighths
 *
 * Front coding (Witten, Moffat & Bell, "Managing Gigabytes", §4.1) halves the letters, and a look-up reads one block.
 */
export const LANGUAGES_VERSION = 1;

export const HEAD = 3;
/** Terms per block. */
export const BLOCK = 16;
/** Longer terms are picture names that nobody types. */
export const MAX_TERM_LENGTH = 32;
/** 13 bits. */
export const MAX_PHRASES: number = 2 ** 13;
export const WEIGHT_UNITS = 8;

/** Numbers with a special meaning: English, its rarer words, emoji. */
export const ENGLISH = 0;
export const RARE_ENGLISH = 1;
export const EMOJI = 2;
/**
 * Languages with fixed numbers: those three, and the languages whose endings and function words are known, by estimated
 * number of searches. All others follow, sorted by code.
 */
export const LANGUAGES: readonly string[] =
  'en en-rare emoji es pt fr de it ru ja zh ko ar hi tr id vi nl pl sv th uk fa cs ro el hu da fi no he'.split(' ');

export interface Alternative {
  phrase: string;
  /** Above 0, up to 1: share of the term's meaning relative to the best alternative. */
  weight: number;
}

/** A term in one language. Without alternatives, it is English, or a word with little meaning (der, el). */
export interface Entry {
  language: number;
  /** Best first; English entries have some only for slang. */
  alternatives: readonly Alternative[];
}
