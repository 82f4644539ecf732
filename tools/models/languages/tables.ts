import fs from 'node:fs';
import { type Alternative, LANGUAGES } from '../../../packages/search/src/languages/format.ts';
import { keyOf } from '../../../packages/search/src/languages/segments.ts';

/** A term of our own tables, as `keyOf` spells it. */
interface OwnTerm {
  term: string;
  language: string;
  alternatives: readonly Alternative[];
}

/** Of our own phrases, each weighs so much less than the one before it. */
const STEP = 0.125;
const REGIONAL_INDICATOR_A = 0x1f1e6;

/**
 * slang.tsv: what people look for in GIF searches, in many languages, and how it is said in English. A term that stands
 * in several rows of a language means all of that, the first of each row first.
 */
export function readSlang(): OwnTerm[] {
  const [[, ...languages] = [], ...rows] = readTable('slang.tsv');
  const terms = new Map<string, OwnTerm>();
  for (const [meaning = '', ...cells] of rows) {
    for (const [i, cell] of cells.entries()) {
      const language = languages[i]!;
      for (const term of cell.split(' / ').map(keyOf)) {
        const known = terms.get(`${language} ${term}`)?.alternatives ?? [];
        const alternatives = [...known, ...alternativesOf(meaning)].toSorted((a, b) => b.weight - a.weight);
        terms.set(`${language} ${term}`, { term, language, alternatives: distinct(alternatives) });
      }
    }
  }
  return [...terms.values()];
}

/** emoji.tsv and flags.tsv: what people mean by an emoji, by the emoji as `keyOf` spells it. */
export function readEmoji(): Map<string, Alternative[]> {
  const emoji = readTable('emoji.tsv').slice(1);
  const flags = readTable('flags.tsv').slice(1);
  return new Map([
    ...emoji.map(([text = '', meanings = '']) => [keyOf(text), alternativesOf(meanings)] as const),
    ...flags.map(([region = '', meanings = '']) => [flagOf(region), alternativesOf(meanings)] as const),
  ]);
}

/**
 * function-words.tsv: words that mean little, by language; for English also what is a function word elsewhere and
 * nonetheless a word of English ("die", "hat").
 */
export function readFunctionWords(): Map<string, Set<string>> {
  const words = new Map<string, Set<string>>(LANGUAGES.map((language) => [language, new Set<string>()]));
  for (const [language = '', cell = ''] of readTable('function-words.tsv').slice(1)) {
    for (const word of cell.split(' ')) words.get(language)!.add(keyOf(word));
  }
  return words;
}

function readTable(name: string): string[][] {
  const lines = fs
    .readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => line.split('\t'));
}

function alternativesOf(meanings: string): Alternative[] {
  return meanings.split('; ').map((phrase, i) => ({ phrase: keyOf(phrase), weight: Math.max(STEP, 1 - i * STEP) }));
}

/** The flag of a region is its two letters as regional indicators. */
function flagOf(region: string): string {
  return String.fromCodePoint(...Array.from(region, (letter) => REGIONAL_INDICATOR_A + letter.charCodeAt(0) - 65));
}

/** The alternatives without those whose phrase has come already. */
export function distinct(alternatives: readonly Alternative[]): Alternative[] {
  const phrases = new Map<string, Alternative>();
  for (const alternative of alternatives) {
    if (!phrases.has(alternative.phrase)) phrases.set(alternative.phrase, alternative);
  }
  return [...phrases.values()];
}
