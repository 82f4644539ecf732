import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyOf } from '../../../packages/search/src/languages/segments.ts';

/** How strongly an emoji stands for a term. */
export type Pictures = Map<string, number>;

/** The terms of a language, as `keyOf` spells them, with the emoji they stand for. */
export type Vocabulary = Map<string, Pictures>;

export interface EnglishName {
  name: string;
  keywords: readonly string[];
}

const KEYWORD_WEIGHT = 1;
export const NAME_WEIGHT = 2;
const FACE = /^(?:\w+ )?face with | face$/;
/** What CLDR writes where a language takes the word of a wider one. */
const INHERITED = '\u2191';
/** One language under two codes. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { nn: 'no', nb: 'no', fil: 'tl' };

const folder = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('cldr-annotations-full/package.json'))),
  'annotations',
);

interface Annotation {
  default?: string[];
  tts?: string[];
}

/** The vocabularies of all languages in Unicode CLDR, by language code; its regions and scripts are joined. */
export function readVocabularies(): Map<string, Vocabulary> {
  const vocabularies = new Map<string, Vocabulary>();
  for (const locale of fs.readdirSync(folder).sort()) {
    const [code = ''] = locale.split('-');
    const language = SAME_LANGUAGE[code] ?? code;
    const vocabulary: Vocabulary = vocabularies.get(language) ?? new Map();
    vocabularies.set(language, vocabulary);
    for (const [emoji, { default: keywords = [], tts: names = [] }] of Object.entries(readAnnotations(locale))) {
      for (const keyword of keywords) addTerm(vocabulary, keyword, { emoji, weight: KEYWORD_WEIGHT });
      for (const name of names) addTerm(vocabulary, name, { emoji, weight: NAME_WEIGHT });
    }
  }
  return vocabularies;
}

/** English terms without what most names of emoji have: "cat face" is a cat, "face with tears of joy" tears of joy. */
export function withoutFaces(term: string): string {
  return term.replace(FACE, '');
}

/** Name and key words of each emoji in English, by the emoji as `keyOf` spells it. */
export function readEnglishNames(): Map<string, EnglishName> {
  const names = new Map<string, EnglishName>();
  for (const [emoji, { default: keywords = [], tts = [] }] of Object.entries(readAnnotations('en'))) {
    names.set(keyOf(emoji), { name: withoutFaces(keyOf(tts[0] ?? '')), keywords: keywords.map(keyOf) });
  }
  return names;
}

function readAnnotations(locale: string): Record<string, Annotation> {
  const file = path.join(folder, locale, 'annotations.json');
  // Some locales only say that they are like another.
  return JSON.parse(fs.readFileSync(file, 'utf8')).annotations.annotations ?? {};
}

function addTerm(vocabulary: Vocabulary, term: string, { emoji, weight }: { emoji: string; weight: number }): void {
  const key = term.includes(INHERITED) ? '' : keyOf(term);
  if (key === '') return;
  const pictures: Pictures = vocabulary.get(key) ?? new Map();
  vocabulary.set(key, pictures);
  pictures.set(emoji, Math.max(weight, pictures.get(emoji) ?? 0));
}
