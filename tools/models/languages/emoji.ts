import type { Alternative } from '../../../packages/search/src/languages/format.ts';
import type { EnglishName } from './cldr.ts';
import { distinct } from './tables.ts';

/** Maximum number of alternatives: a name and up to 15 key words. */
const MAX_ALTERNATIVES = 16;
const NAME_WEIGHT = 1;
/**
 * The weight of CLDR's best key word: for an emoji without a meaning in our own table, and for an emoji with a meaning
 * in it.
 */
const KEYWORD_WEIGHT = 0.75;
const LATER_KEYWORD_WEIGHT = 0.375;
const IN_NAME = 2;
/** Maximum number of emoji with a key word. A key word of more emoji ("face", "person") is ignored. */
const MAX_EMOJI = 100;
/**
 * Matches the gender in an emoji. It is ignored: "man facepalming" and "woman facepalming" have the meaning of
 * "facepalming".
 */
const GENDER = /\u200D[♀♂]$/;
const ASCII = /^[a-z0-9 ]+$/;
/** Key words that only say what kind of picture an emoji is. */
const KINDS_OF_PICTURE: ReadonlySet<string> = new Set(['button', 'mark', 'sign', 'symbol']);

/**
 * Yields English phrases for each emoji, best first: our own phrases, then its name in CLDR, then its key words, rarest
 * first.
 */
export function* emojiAlternatives(
  names: ReadonlyMap<string, EnglishName>,
  own: ReadonlyMap<string, readonly Alternative[]>,
): Generator<[emoji: string, alternatives: Alternative[]]> {
  const frequencies = countKeywords(names.values());
  for (const emoji of new Set([...names.keys(), ...own.keys()])) {
    const first = own.get(emoji) ?? own.get(emoji.replace(GENDER, '')) ?? [];
    const { name = '', keywords = [] } = names.get(emoji) ?? {};
    // A broken TV is no broken heart.
    const isPart = (keyword: string) =>
      first.some(({ phrase }) => phrase.includes(' ') && phrase.split(' ').includes(keyword));
    const telling = keywords.filter(
      (keyword) => frequencies.get(keyword)! <= MAX_EMOJI && !KINDS_OF_PICTURE.has(keyword) && !isPart(keyword),
    );
    const ranked = telling.toSorted(
      (a, b) => rarity(b, name, frequencies) - rarity(a, name, frequencies) || (a < b ? -1 : 1),
    );
    const weight = first.length > 0 ? LATER_KEYWORD_WEIGHT : KEYWORD_WEIGHT;
    const alternatives = [
      ...first,
      { phrase: name, weight: first.length > 0 ? weight : NAME_WEIGHT },
      ...ranked.map((phrase, i) => ({ phrase, weight: weight * (1 - i / (2 * ranked.length)) })),
    ];
    const sayable = alternatives.filter(({ phrase }) => ASCII.test(phrase));
    yield [emoji, distinct(sayable).slice(0, MAX_ALTERNATIVES)];
  }
}

function countKeywords(names: Iterable<EnglishName>): Map<string, number> {
  const frequencies = new Map<string, number>();
  for (const { keywords } of names) {
    for (const keyword of keywords) frequencies.set(keyword, (frequencies.get(keyword) ?? 0) + 1);
  }
  return frequencies;
}

/** Returns how rare a key word is. The more emoji have a key word, the less it tells about each of them. */
function rarity(keyword: string, name: string, frequencies: ReadonlyMap<string, number>): number {
  const inName = name.split(' ').includes(keyword) ? IN_NAME : 0;
  return inName - Math.log2(frequencies.get(keyword) ?? 1) / 2;
}
