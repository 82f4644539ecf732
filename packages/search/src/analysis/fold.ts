import { shortenRuns } from './drawn-out.ts';
import { normalise } from './normalise.ts';
import { foldScripts } from './scripts.ts';

/** Skin tones, variation selectors and invisible characters, except joiners and flag tags, which form emoji. */
const INVISIBLE = /[[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]--[\u200D\u{E0020}-\u{E007F}]]+/gv;
/** Zero-width joiners between letters (Sinhala, Persian), not those between pictures. */
const LETTER_JOINER = /(?<!\p{Extended_Pictographic})\u200D|\u200D(?!\p{Extended_Pictographic})/gu;
/**
 * Marks that people omit when they type: accents of European scripts, vowel points of Hebrew and Arabic. In all other
 * scripts, a mark is as important as a letter (Thai and Devanagari vowels, Japanese dakuten) and stays.
 */
const OPTIONAL_MARKS = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}])\p{M}+/gu;
/** Marks of emphasis and questions, which Armenian writes inside words. */
const ARMENIAN_MARKS = /[\u055B-\u055E]/g;
/** The stroke that only makes an Arabic word longer. The stroke can carry marks, so it is removed before them. */
const TATWEEL = /\u0640/g;
const APOSTROPHES = /[\u2018\u2019\u02BC]/gu;
const INNER_APOSTROPHE = /(?<=[\p{L}\p{N}\p{M}])'(?=[\p{L}\p{N}])/gu;

/**
 * Maps letters that do not decompose to the letters that people type instead (a subset of Lucene's ASCIIFoldingFilter).
 */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
};
const SPECIAL_LETTER = /[ßæœøđðþłıς]/gu;

/** A letter with a sign that is part of a name: "C++", "F#". */
const SYMBOL = /(?<![\p{L}\p{N}])(\p{L})(\+\+|#)(?![\p{L}\p{N}])/gu;

/** A text without these signs has no name such as "C++". This test is much faster than the search. */
const SYMBOL_SIGN = /[+#]/;

export function hasSymbol(text: string): boolean {
  return SYMBOL_SIGN.test(text) && text.search(SYMBOL) >= 0;
}

function spellSymbols(text: string): string {
  if (!SYMBOL_SIGN.test(text)) return text;
  return text.replace(SYMBOL, (_, letter: string, sign: string) => letter + (sign === '#' ? 'sharp' : 'plusplus'));
}

/**
 * Removes the characters that do not change a text's meaning: skin tones, variation selectors, invisible characters.
 */
export function withoutVariants(text: string): string {
  return text.replace(INVISIBLE, '');
}

/**
 * Returns the normal form of a text without details that only some people type: accents, apostrophes, skin tones, more
 * than three equal letters, variants of letters.
 */
export function fold(text: string): string {
  const decomposed = withoutVariants(spellSymbols(normalise(text)))
    .replace(LETTER_JOINER, '')
    .replace(TATWEEL, '')
    .replace(ARMENIAN_MARKS, '')
    .normalize('NFD')
    .replace(OPTIONAL_MARKS, '');
  return shortenRuns(
    foldScripts(decomposed)
      .normalize('NFC')
      .replace(SPECIAL_LETTER, (letter) => PLAIN_LETTERS[letter]!)
      .replace(APOSTROPHES, "'")
      .replace(INNER_APOSTROPHE, ''),
  );
}
