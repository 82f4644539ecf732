import { SIMPLIFIED, TRADITIONAL } from './han.ts';

/* Letters that are written in several ways within one script. */

/**
 * Arabic letters that are confused in writing, and the letters that Persian and Urdu keyboards type instead of them.
 */
const ARABIC: Readonly<Record<string, string>> = { ة: 'ه', ى: 'ي', ٱ: 'ا', ی: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ے: 'ي' };
const ARABIC_LETTER = new RegExp(`[${Object.keys(ARABIC).join('')}]`, 'g');
const IS_ARABIC = /\p{sc=Arabic}/u;

/**
 * Devanagari: a nasal before a consonant of its class is usually written as an anusvara, and a candrabindu (moon dot)
 * as a plain dot. The dot below a consonant is often left out. Source: The Unicode Standard, chapter 12.1.
 */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/g;
const NUKTA = /\u093C/g;
const IS_DEVANAGARI = /[\u0900-\u097F]/;

/**
 * The zeros of scripts with digits of their own, in which the other digits follow the zero: Arabic, Persian, N'Ko, the
 * scripts of India from Devanagari to Malayalam, Thai, Lao, Tibetan, Burmese, Khmer, Mongolian.
 */
const ZEROS = Array.from('٠۰߀०০੦૦୦௦౦೦൦๐໐༠၀០᠐', (zero) => zero.charCodeAt(0));
const DIGIT = /[\p{Nd}--[0-9]]/v;
const DIGITS = /[\p{Nd}--[0-9]]/gv;

/** Katakana and their distance to the hiragana with the same sound: people type ネコ, ねこ and 猫 for a cat. */
const KATAKANA = /[\u30A1-\u30F6]/g;
const TO_HIRAGANA = 0x60;

const HAN = /\p{sc=Han}/gu;
/** All these characters have one UTF-16 unit. */
const SIMPLIFIED_OF: ReadonlyMap<string, string> = new Map(
  Array.from(TRADITIONAL, (letter, i) => [letter, SIMPLIFIED[i]!]),
);

function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  const value = code - (ZEROS.findLast((zero) => zero <= code) ?? 0);
  return value < 10 ? String(value) : digit;
}

/** Folds letters of Arabic, Devanagari, Chinese and Japanese in a decomposed text (NFD). */
export function foldScripts(text: string): string {
  let folded = text;
  if (IS_ARABIC.test(folded)) {
    folded = folded.replace(ARABIC_LETTER, (letter) => ARABIC[letter]!);
  }
  if (DIGIT.test(folded)) folded = folded.replace(DIGITS, digitOf);
  if (IS_DEVANAGARI.test(folded)) folded = folded.replace(NUKTA, '').replace(NASAL, 'ं');
  folded = folded.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA));
  return folded.replace(HAN, (letter) => SIMPLIFIED_OF.get(letter) ?? letter);
}
