import { createRequire } from 'node:module';
import { analyse } from '@zoetrope/search';

const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;
const JOINER = '\u200D';

/**
 * Words that many names contain and for which nobody searches, such as `face`. Such a word is ignored if the name
 * contains other words.
 */
const COMMON = new Set(
  `face with of and the on in for to sign symbol button mark emoji flag keycap person man woman light dark medium
  red orange yellow green blue purple brown black white`.split(/\s+/),
);

let loaded: Map<string, string[]> | undefined;

/**
 * Returns the words for each emoji, the emoji's name first. The keys are the engine's form of the emoji, without skin
 * tone and selectors.
 */
function load(): Map<string, string[]> {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const words = Object.entries(require('emojilib') as Record<string, string[]>);
  loaded = new Map(words.flatMap(([emoji, list]) => analyse(emoji).map((plain) => [plain, list.map(spaced)] as const)));
  return loaded;
}

/**
 * Returns the names for a query that consists only of emoji, in three groups: the names, the distinctive words of the
 * names, and synonyms. The caller uses the first group with results. Returns an empty list if the query contains
 * anything other than known emoji.
 */
export function emojiNames(query: string): string[][] {
  if (!PICTURE.test(query)) return [];
  const emoji = [...new Set(analyse(query))].map(wordsFor);
  if (!emoji.every((words) => words !== undefined)) return [];
  return [
    emoji.map(([name]) => name!),
    emoji.flatMap(([name]) => tellingWords(name!)),
    emoji.flatMap(([, ...words]) => words),
  ];
}

/** Returns the words for an emoji. A joined emoji without a name counts as its first known part. */
function wordsFor(emoji: string): string[] | undefined {
  return [emoji, ...emoji.split(JOINER)].map((part) => load().get(part)).find((words) => words !== undefined);
}

function tellingWords(name: string): string[] {
  const words = name.split(' ');
  const telling = words.filter((word) => !COMMON.has(word));
  return telling.length > 0 ? telling : words;
}

function spaced(word: string): string {
  return word.replaceAll('_', ' ');
}
