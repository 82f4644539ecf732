import type { Alternative } from '../../../packages/search/src/languages/format.ts';
import { NAME_WEIGHT, type Pictures, plainName, respell, type Vocabulary } from './cldr.ts';
import { distinct } from './tables.ts';

/** The maximum number of alternatives for a term. */
const MAX_ALTERNATIVES = 4;
/** Minimum cosine. A lower similarity is a coincidence. */
const MIN_COSINE = 0.25;
/** Minimum weight of an alternative, as a share of the best one. */
const MIN_SHARE = 0.5;
/** This number is added to the cosine if both terms are names of the same emoji. */
const SAME_NAME = 0.6;
/** The weight of the rarest English words. The most frequent words have 1. */
const RARE = 0.7;
const SEVERAL_WORDS = 0.9;
const SHORTEST = 3;
/**
 * Maximum number of emoji of a term that means what they mean to people. English key words that only one emoji has say
 * little about it: 🥺 is the only one with "why".
 */
const FEW_EMOJI = 2;
/** Weight of our own meanings of an emoji: for the name of a face, and for any other term. */
const FACE_NAME = 0.9;
const OWN_KEYWORD = 0.7;
/** Weight of English names and key words after our own meanings. */
const AFTER_OWN = 0.5;
const ASCII = /^[a-z0-9 ]+$/;
/** Key words that say nothing alone, because they are only parts of names: "person getting massage". */
const PARTS_OF_NAMES: ReadonlySet<string> = new Set([
  'being',
  'doing',
  'getting',
  'giving',
  'going',
  'having',
  'making',
]);

/** A term in English. */
export interface Translated {
  /** Its translations by means of its emoji. */
  translated: Alternative[];
  /** What the term means to people: its translations, and what its emoji mean. */
  meant: Alternative[];
}

interface EnglishTerm {
  phrase: string;
  length: number;
  /** The likelihood that people use this phrase, up to 1. */
  prior: number;
}

/**
 * Translates terms into English by means of their emoji. It ranks English terms by the cosine of the two sets of emoji,
 * and prefers common words. Names count twice as much as key words.
 * @param own our own meanings of emoji, and the emoji that are faces
 * @param frequency returns the frequency of an English word, from 0 to 1
 */
export function createTranslator(
  english: Vocabulary,
  { own, faces }: { own: ReadonlyMap<string, readonly Alternative[]>; faces: ReadonlySet<string> },
  frequency: (word: string) => number,
): (pictures: Pictures) => Translated {
  const byEmoji = new Map<string, { term: EnglishTerm; weight: number }[]>();
  for (const [phrase, pictures] of respell(english, phraseOf)) {
    const term = { phrase, length: lengthOf(pictures), prior: priorOf(phrase, frequency) };
    for (const [emoji, weight] of pictures) {
      const terms = byEmoji.get(emoji);
      if (terms === undefined) byEmoji.set(emoji, [{ term, weight }]);
      else terms.push({ term, weight });
    }
  }
  const translate = (pictures: Pictures) => {
    const products = new Map<EnglishTerm, number>();
    const sameNames = new Set<EnglishTerm>();
    for (const [emoji, own] of pictures) {
      for (const { term, weight } of byEmoji.get(emoji) ?? []) {
        products.set(term, (products.get(term) ?? 0) + own * weight);
        if (own === NAME_WEIGHT && weight === NAME_WEIGHT) sameNames.add(term);
      }
    }
    const translated = best(products, lengthOf(pictures), sameNames);
    const isOwn = pictures.size <= FEW_EMOJI && pictures.keys().every((emoji) => own.has(emoji));
    return { translated, meant: isOwn ? withOwn(pictures, translated, { own, faces }) : translated };
  };
  return onceEach(translate);
}

/**
 * Caches translations of terms with a single emoji. Most terms have only one, and a hundred languages have a term for
 * each emoji.
 */
function onceEach<T>(translate: (pictures: Pictures) => T): (pictures: Pictures) => T {
  const known = new Map<string, T>();
  return (pictures) => {
    if (pictures.size > 1) return translate(pictures);
    const key = [...pictures].join();
    const alternatives = known.get(key) ?? translate(pictures);
    known.set(key, alternatives);
    return alternatives;
  };
}

/**
 * Returns an English term as a phrase, or an empty string if the term is not ASCII, says nothing alone, or is so short
 * that it is an abbreviation.
 */
function phraseOf(term: string): string {
  const isUseful = ASCII.test(term) && term.length >= SHORTEST && !PARTS_OF_NAMES.has(term);
  return isUseful ? plainName(term) : '';
}

function best(
  products: ReadonlyMap<EnglishTerm, number>,
  length: number,
  sameNames: ReadonlySet<EnglishTerm>,
): Alternative[] {
  return Array.from(products, ([term, product]) => ({ term, cosine: product / (length * term.length) }))
    .filter(({ cosine }) => cosine >= MIN_COSINE)
    .map(({ term, cosine }) => ({
      phrase: term.phrase,
      weight: (cosine + (sameNames.has(term) ? SAME_NAME : 0)) * term.prior,
    }))
    .sort((a, b) => b.weight - a.weight || (a.phrase < b.phrase ? -1 : 1))
    .filter(({ weight }, _, [best]) => weight >= MIN_SHARE * best!.weight)
    .slice(0, MAX_ALTERNATIVES)
    .map(({ phrase, weight }) => ({ phrase, weight: Math.min(1, weight) }));
}

/**
 * Returns what a term's emoji mean to people, and its translations by means of these emoji. The name of a thing is first
 * of all its translation, if that is one word: "kiss mark" also finds people called Mark.
 */
function withOwn(
  pictures: Pictures,
  translated: readonly Alternative[],
  { own, faces }: { own: ReadonlyMap<string, readonly Alternative[]>; faces: ReadonlySet<string> },
): Alternative[] {
  const isName = pictures.entries().some(([emoji, weight]) => weight === NAME_WEIGHT && !faces.has(emoji));
  const isThing = isName && translated[0]?.phrase.includes(' ') === false;
  const meant = [...pictures].flatMap(([emoji, kind]) => {
    const share = kind === NAME_WEIGHT && !isThing ? FACE_NAME : OWN_KEYWORD;
    return own.get(emoji)!.map(({ phrase, weight }) => ({ phrase, weight: weight * share }));
  });
  const names = translated.map(({ phrase, weight }) => ({ phrase, weight: weight * (isThing ? 1 : AFTER_OWN) }));
  const all = [...meant, ...names].toSorted((a, b) => b.weight - a.weight);
  return distinct(all).slice(0, MAX_ALTERNATIVES);
}

function lengthOf(pictures: Pictures): number {
  return Math.sqrt(pictures.values().reduce((sum, weight) => sum + weight * weight, 0));
}

function priorOf(phrase: string, frequency: (word: string) => number): number {
  const words = phrase.split(' ');
  const rarest = Math.min(...words.map(frequency));
  return (RARE + (1 - RARE) * rarest) * (words.length > 1 ? SEVERAL_WORDS : 1);
}
