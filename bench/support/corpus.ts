import { compareDocuments } from '@zoetrope/search';

/**
 * A synthetic catalogue of any size. It is the same on every machine, because document i and query j depend only on
 * their numbers. Words follow a Zipf-Mandelbrot law. Half of a document's words come from its topic, so that the words
 * of a query often occur in the same document, as in real titles and tags. A document has about 19.5 distinct words.
 */

const WORDS = 50_000;
export const TOPICS = 2_000;
const TOPIC_WORDS = 60;
/**
 * The q in the law of Zipf and Mandelbrot, 1 / (rank + q). It makes the most common words less common, so that the most
 * common one is in 8 % of documents.
 */
const FLATTENING = 25;

/** The values that determine a document's position in a build. */
export interface CorpusKey {
  id: string;
  adult: boolean;
  popularity: number;
}

export interface CorpusDocument extends CorpusKey {
  /** The topic from which half of the document's words come, as a number below 2,000. */
  topic: number;
  title: string;
  tags: string[];
  characters: string[];
  text: string;
}

/**
 * Returns a generator of uniform numbers in [0, 1) from a 32-bit seed: mulberry32, by Tommy Ettinger (public domain).
 */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

/** Returns a whole number from `low` up to and including `high`. */
function between(next: Random, low: number, high: number): number {
  return low + Math.floor(next() * (high - low + 1));
}

function pick<T>(next: Random, values: ArrayLike<T>): T {
  return values[Math.floor(next() * values.length)]!;
}

/** Picks a value like {@link pick}, but returns early values much more often. */
function pickEarly<T>(next: Random, values: ArrayLike<T>): T {
  return values[Math.floor(next() * next() * values.length)]!;
}

/** Returns a random topic. Early topics are much more frequent. */
export function drawTopic(next: Random): number {
  return Math.floor(next() * next() * TOPICS);
}

/** All words, most common first. */
const words: readonly string[] = makeWords();
const topics: readonly Uint16Array[] = makeTopics();

function makeWords(): string[] {
  const next = random(1);
  const onsets = 'b c d f g h j k l m n p r s t v z br ch kr sh st tr'.split(' ');
  const vowels = 'a e i o u ai ou'.split(' ');
  const made = new Set<string>();
  while (made.size < WORDS) {
    let word = '';
    for (let syllables = between(next, 2, 4); syllables > 0; syllables--)
      word += pick(next, onsets) + pick(next, vowels);
    made.add(next() < 0.3 ? word + pick(next, 'nrst') : word);
  }
  return [...made];
}

function makeTopics(): Uint16Array[] {
  const next = random(2);
  return Array.from({ length: TOPICS }, () => Uint16Array.from({ length: TOPIC_WORDS }, () => zipf(next)));
}

/** Returns a random rank that follows the Zipf-Mandelbrot law, by inverting the law's cumulative distribution. */
function zipf(next: Random): number {
  const low = Math.log(FLATTENING);
  const high = Math.log(WORDS + FLATTENING);
  return Math.min(WORDS - 1, Math.floor(Math.exp(low + next() * (high - low)) - FLATTENING));
}

/** Returns `count` words, half of them from the topic. */
function phrase(next: Random, topic: Uint16Array, count: number): string[] {
  return Array.from({ length: count }, () => words[next() < 0.5 ? pickEarly(next, topic) : zipf(next)]!);
}

/**
 * Returns only the key of document `i`, so that documents can be sorted without all of them in memory. `i` is the order
 * of arrival.
 */
function corpusKey(i: number): CorpusKey {
  return drawKey(random(1_000_000_000 + i));
}

export function corpusDocument(i: number): CorpusDocument {
  const next = random(1_000_000_000 + i);
  const key = drawKey(next);
  const number = drawTopic(next);
  const topic = topics[number]!;
  return {
    ...key,
    topic: number,
    title: phrase(next, topic, between(next, 2, 8)).join(' '),
    tags: [...new Set(phrase(next, topic, between(next, 5, 20)))],
    characters: next() < 0.2 ? [`${pickEarly(next, words)} ${pickEarly(next, words)}`] : [],
    text: next() < 0.3 ? phrase(next, topic, between(next, 3, 12)).join(' ') : '',
  };
}

/** Returns the numbers of the given number of documents, in the order of a build. */
export function buildOrder(documents: number): Uint32Array {
  const keys = Array.from({ length: documents }, (_, i) => ({ i, ...corpusKey(i) }));
  return Uint32Array.from(keys.sort(compareDocuments), ({ i }) => i);
}

/** Draws a key. 5 % of the documents are adult. Few documents are popular. */
function drawKey(next: Random): CorpusKey {
  const digits = Array.from({ length: 8 }, () =>
    between(next, 0, 2 ** 32 - 1)
      .toString(16)
      .padStart(8, '0'),
  );
  return { id: `${digits.join('')}.gif`, adult: next() < 0.05, popularity: Math.floor(Math.exp(next() * next() * 14)) };
}

/**
 * Returns a mixed query: 1 to 4 distinct words. Each is one of the 40 most common words with a probability of 0.3, and
 * otherwise from one topic.
 */
export function mixedQuery(j: number): string {
  const next = random(2_000_000_000 + j);
  const topic = topics[drawTopic(next)]!;
  const draw = next();
  const length = [0.25, 0.6, 0.85].filter((share) => draw >= share).length + 1;
  return distinct(length, () => (next() < 0.3 ? words[between(next, 0, 39)]! : words[pickEarly(next, topic)]!));
}

/** Returns the topic of a {@link mixedQuery}. */
export function mixedQueryTopic(j: number): number {
  return drawTopic(random(2_000_000_000 + j));
}

/** Returns a head query, the hardest kind for any index: 1 to 4 of the 20 most common words. */
export function headQuery(j: number): string {
  const next = random(3_000_000_000 + j);
  return distinct(1 + (j % 4), () => words[between(next, 0, 19)]!);
}

function distinct(count: number, draw: () => string): string {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(draw());
  return [...drawn].join(' ');
}
