import { SIMPLIFIED, TRADITIONAL } from './han.ts';

/* Letters that are written in several ways within one script. */

/**
 * Arabic letters that are confused in writing, and the letters that Persian and Urdu keyboards type instead of them.
 */
const ARABIC: Readonly<Record<string, string>> = { ة: 'ه', ى: 'ي', ٱ: 'ا', ی: 'ي', ک: 'ك', ہ: 'ه', ھ: 'ه', ے: 'ي' };
const ARABIC_LETTER = new RegExp(`[${Object.keys(ARABIC).join('')}]`, 'g');
const ARABIC_DIGIT = /[\u0660-\u0669\u06F0-\u06F9]/g;
const IS_ARABIC = /\p{sc=Arabic}|[\u0660-\u0669]/u;

/**
 * Devanagari: a nasal before a consonant of its class is usually written as an anusvara, and a candrabindu (moon dot)
 * as a plain dot. The dot below a consonant is often left out. Source: The Unicode Standard, chapter 12.1.
 */
const NASAL = /ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])|ँ/g;
const NUKTA = /\u093C/g;
const IS_DEVANAGARI = /[\u0900-\u097F]/;

/** Katakana and their distance to the hiragana with the same sound: people type ネコ, ねこ and 猫 for a cat. */
const KATAKANA = /[\u30A1-\u30F6]/g;
const TO_HIRAGANA = 0x60;

const HAN = /\p{sc=Han}/gu;
/** All these characters have one UTF-16 unit. */
const SIMPLIFIED_OF: ReadonlyMap<string, string> = new Map(
  Array.from(TRADITIONAL, (letter, i) => [letter, SIMPLIFIED[i]!]),
);

/** Folds letters of Arabic, Devanagari, Chinese and Japanese in a decomposed text (NFD). */
export function foldScripts(text: string): string {
  let folded = text;
  if (IS_ARABIC.test(folded)) {
    folded = folded
      .replace(ARABIC_LETTER, (letter) => ARABIC[letter]!)
      .replace(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 15));
  }
  if (IS_DEVANAGARI.test(folded)) folded = folded.replace(NUKTA, '').replace(NASAL, 'ं');
  folded = folded.replace(KATAKANA, (letter) => String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA));
  return folded.replace(HAN, (letter) => SIMPLIFIED_OF.get(letter) ?? letter);
}
