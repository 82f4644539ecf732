import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { keyOf } from '../../../packages/search/src/languages/segments.ts';

/** The strength with which each emoji represents a term. */
export type Pictures = Map<string, number>;

/** The terms of a language, in the spelling of `keyOf`, with the emoji that represent them. */
export type Vocabulary = Map<string, Pictures>;

export interface EnglishName {
  name: string;
  keywords: readonly string[];
}

const KEYWORD_WEIGHT = 1;
export const NAME_WEIGHT = 2;
const FACES_AND_BUTTONS =
  /^(?:\w+ )?face with |(?<! with) face$|^japanese (?=.* button$)| button$|^backhand index (?=pointing )/g;
/** Matches the English names of emoji that people use for what they express, and not for the thing that they show. */
const FACE = /\b(?:face|hands?|fingers?|thumbs|fist|palm|person|heart)\b/;
/**
 * Chinese characters. They are treated separately, because all languages list the Chinese characters on Japanese signs
 * (🈷).
 */
const CHINESE = /\p{sc=Han}/u;
const WRITTEN_IN_CHINESE = ['ja', 'zh', 'yue', 'ko'];
/** CLDR's mark for a term that a language inherits from its parent locale. */
const INHERITED = '\u2191';
/** Some English key words in CLDR 48 end with this word by mistake. */
const MISTAKE = / undefined$/;
/** Codes that CLDR uses for the same language. */
const SAME_LANGUAGE: Readonly<Record<string, string>> = { nn: 'no', nb: 'no', fil: 'tl' };

const folder = path.join(
  path.dirname(fileURLToPath(import.meta.resolve('cldr-annotations-full/package.json'))),
  'annotations',
);

interface Annotation {
  default?: string[];
  tts?: string[];
}

/**
 * Returns the vocabularies of all languages in Unicode CLDR, keyed by language code. The regions and scripts of a
 * language are joined.
 */
export function readVocabularies(): Map<string, Vocabulary> {
  const vocabularies = new Map<string, Vocabulary>();
  for (const locale of fs.readdirSync(folder).sort()) {
    const [code = ''] = locale.split('-');
    const language = SAME_LANGUAGE[code] ?? code;
    const vocabulary: Vocabulary = vocabularies.get(language) ?? new Map();
    vocabularies.set(language, vocabulary);
    for (const [emoji, { default: keywords = [], tts: names = [] }] of Object.entries(readAnnotations(locale))) {
      for (const keyword of keywords) add(vocabulary, keyword, { emoji, weight: KEYWORD_WEIGHT });
      for (const name of names) add(vocabulary, name, { emoji, weight: NAME_WEIGHT });
    }
  }
  return new Map(
    Array.from(vocabularies, ([language, vocabulary]) => {
      const isForeign = (term: string) => CHINESE.test(term) && !WRITTEN_IN_CHINESE.includes(language);
      return [language, respell(vocabulary, (term) => (isForeign(term) ? '' : spell(term)))];
    }),
  );
}

/**
 * Changes the spelling of all terms, and removes terms that become empty. Terms that become equal are merged, with the
 * emoji of both.
 */
export function respell(vocabulary: Vocabulary, spelling: (term: string) => string): Vocabulary {
  const respelled: Vocabulary = new Map();
  for (const [term, pictures] of vocabulary) {
    const spelled = spelling(term);
    const others = respelled.get(spelled);
    if (spelled !== '') respelled.set(spelled, others === undefined ? pictures : union(others, pictures));
  }
  return respelled;
}

function union(some: Pictures, others: Pictures): Pictures {
  const all: Pictures = new Map(some);
  for (const [emoji, weight] of others) all.set(emoji, Math.max(weight, all.get(emoji) ?? 0));
  return all;
}

function spell(term: string): string {
  return term.includes(INHERITED) ? '' : keyOf(term.replace(MISTAKE, ''));
}

/**
 * Returns an English term without words that only describe an emoji: "cat face" becomes "cat", and "OK button" becomes
 * "OK".
 */
export function plainName(term: string): string {
  return term.replace(FACES_AND_BUTTONS, '');
}

/** Returns the English name and keywords of each emoji. The key is the emoji as `keyOf` normalises it. */
export function readEnglishNames(): Map<string, EnglishName> {
  const names = new Map<string, EnglishName>();
  for (const [emoji, { default: keywords = [], tts = [] }] of Object.entries(readAnnotations('en'))) {
    names.set(keyOf(emoji), { name: plainName(spell(tts[0] ?? '')), keywords: keywords.map(spell) });
  }
  return names;
}

/** Returns all emoji in the spelling of CLDR, and those that are faces. */
export function readEmojiNames(): { all: string[]; faces: Set<string> } {
  const names = Object.entries(readAnnotations('en'));
  const faces = names.filter(([, { tts: [name = ''] = [] }]) => FACE.test(name));
  return { all: names.map(([emoji]) => emoji), faces: new Set(faces.map(([emoji]) => emoji)) };
}

function readAnnotations(locale: string): Record<string, Annotation> {
  const file = path.join(folder, locale, 'annotations.json');
  // Some locales have no annotations, because their annotations are the same as another locale's.
  return JSON.parse(fs.readFileSync(file, 'utf8')).annotations.annotations ?? {};
}

function add(vocabulary: Vocabulary, term: string, { emoji, weight }: { emoji: string; weight: number }): void {
  const pictures: Pictures = vocabulary.get(term) ?? new Map();
  vocabulary.set(term, pictures);
  pictures.set(emoji, Math.max(weight, pictures.get(emoji) ?? 0));
}
