import { FUNCTION_WORDS } from '../analysis/function-words.ts';
import { GrowingUint32 } from '../build/growing.ts';
import { Spellings } from './spellings.ts';
import { type Word, wordsOf } from './words.ts';

/** A word or phrase, its displayed form, and the number of documents that have it. */
export interface Phrase {
  folded: string;
  shown: string;
  n: number;
}

/*
 * These numbers determine which words and phrases of titles and captions are terms. They were chosen with a catalogue
 * of 92,000 safe GIFs. `npm run bench suggest` and `npm run eval -- --sets typo,prefix` show the effect of changes.
 */

/**
 * Returns the minimum number of GIFs for a word, a phrase and a clause. A word in fewer GIFs is often a misspelling or
 * a useless name. In a small catalogue, every word counts.
 */
function leastUse(texts: number): { word: number; phrase: number; clause: number } {
  const word = texts < 1_000 ? 1 : texts < 10_000 ? 2 : 3;
  // Most pairs of words occur by chance. A minimum of 5 leaves a third as many pairs as a minimum of 3, and people
  // really say these pairs.
  const phrase = word + 2;
  // If several GIFs share a clause, people say it, even if all its words are common ("deal with it", "oh no").
  return { word, phrase, clause: Math.max(2, word) };
}

/** Maximum number of words of a clause. A clause is a whole text, or a part of a text between punctuation marks. */
const CLAUSE_WORDS = 5;
/** Minimum length of a function word that is a term, because nobody needs a completion such as `the`. */
const SHORT = 4;
/** Maximum number of words read per text. Captions can be whole pages. */
const MAX_WORDS = 64;

const END_OF_PHRASE = 0;
const END_OF_TEXT = 2 ** 32 - 1;
/** Packs two numbers into one: exact in a double if both have at most 26 bits. */
const SHIFT = 2 ** 26;

/**
 * Counts words and phrases of two and three words in many texts, exactly and with little memory. Texts are stored as
 * rows of word numbers. Phrases are counted by sorting. Longer phrases are counted only if the shorter phrases in them
 * are frequent. Phrases do not cross punctuation.
 */
export class PhraseCounter {
  /** Words are numbered from 1 as they occur. */
  readonly #numbers = new Map<string, number>();
  readonly #occurrences: number[] = [0];
  readonly #documents: number[] = [0];
  readonly #lastTexts: number[] = [0];
  readonly #spellings = new Spellings();
  readonly #rows = new GrowingUint32();
  readonly #clauses = new Map<string, number>();
  #texts = 0;

  add(text: string): void {
    if (text === '') return;
    this.#texts += 1;
    const words = wordsOf(text).slice(0, MAX_WORDS);
    for (const { folded, shown, joined } of words) {
      if (!joined) this.#rows.push(END_OF_PHRASE);
      this.#rows.push(this.#note(folded, shown));
    }
    this.#rows.push(END_OF_TEXT);
    for (const clause of clausesOf(words)) this.#clauses.set(clause, (this.#clauses.get(clause) ?? 0) + 1);
  }

  #note(folded: string, shown: string): number {
    let number = this.#numbers.get(folded);
    if (number === undefined) {
      number = this.#numbers.size + 1;
      if (number >= SHIFT) throw new RangeError(`titles hold at most ${SHIFT} different words`);
      this.#numbers.set(folded, number);
      this.#occurrences.push(0);
      this.#documents.push(0);
      this.#lastTexts.push(0);
    }
    this.#spellings.add(folded, shown, this.#occurrences[number]!);
    this.#occurrences[number]! += 1;
    if (this.#lastTexts[number] !== this.#texts) this.#documents[number]! += 1;
    this.#lastTexts[number] = this.#texts;
    return number;
  }

  /**
   * Yields the result, in an order that depends only on the texts. A phrase can occur twice: as a phrase and as a
   * clause.
   * @param others number of safe documents in other segments. `leastUse` counts them like texts
   */
  *finish(others = 0): Generator<Phrase> {
    const words = ['', ...this.#numbers.keys()];
    const least = leastUse(this.#texts + others);
    const isEdge = (number: number): boolean => !FUNCTION_WORDS.has(words[number]!);
    const phrase = (numbers: number[], n: number): Phrase =>
      this.#phrase(
        numbers.map((word) => words[word]!),
        n,
      );
    for (let word = 1; word < words.length; word++) {
      if (this.#documents[word]! >= least.word && isWorthy(words[word]!)) yield phrase([word], this.#documents[word]!);
    }
    const pairs = count(this.#pairs(least.phrase), least.phrase);
    for (const [i, pair] of pairs.keys.entries()) {
      const [a, b] = split(pair);
      if (isEdge(a) && isEdge(b)) yield phrase([a, b], pairs.counts[i]!);
    }
    const triples = count(this.#triples(pairs.keys), least.phrase);
    for (const [i, triple] of triples.keys.entries()) {
      const [pair, c] = split(triple);
      const [a, b] = split(pairs.keys[pair]!);
      if (isEdge(a) && isEdge(c)) yield phrase([a, b, c], triples.counts[i]!);
    }
    for (const [clause, n] of this.#clauses) if (n >= least.clause) yield this.#phrase(clause.split(' '), n);
  }

  #phrase(words: string[], n: number): Phrase {
    return { folded: words.join(' '), shown: words.map((word) => this.#spellings.best(word)).join(' '), n };
  }

  /** Returns all pairs of neighbours that could be frequent, once per text. */
  #pairs(least: number): Float64Array {
    const documents = this.#documents;
    return collect(this.#rows.view(), (rows, at) => {
      const [a, b] = [rows[at]!, rows[at + 1]!];
      if (b === END_OF_PHRASE || b === END_OF_TEXT) return -1;
      return documents[a]! >= least && documents[b]! >= least ? a * SHIFT + b : -1;
    });
  }

  /**
   * Returns all triples made of two frequent pairs, once per text. A triple is the position of its first pair, and its
   * third word.
   */
  #triples(pairs: Float64Array): Float64Array {
    return collect(this.#rows.view(), (rows, at) => {
      const [a, b, c] = [rows[at]!, rows[at + 1]!, rows[at + 2]!];
      if (b === END_OF_PHRASE || b === END_OF_TEXT || c === END_OF_PHRASE || c === END_OF_TEXT) return -1;
      const pair = find(pairs, a * SHIFT + b);
      return pair >= 0 && find(pairs, b * SHIFT + c) >= 0 ? pair * SHIFT + c : -1;
    });
  }
}

/**
 * Returns whether a word is useful. A number is not useful, and a single letter is useful only if it is a word of its
 * own (猫).
 */
function isWorthy(word: string): boolean {
  if (!/\p{L}/u.test(word) || /^[a-z]$/.test(word)) return false;
  return word.length >= SHORT || !FUNCTION_WORDS.has(word);
}

/** Returns the clauses of a text that have at least two words and are short. */
function clausesOf(words: readonly Word[]): Set<string> {
  const clauses: string[][] = [];
  for (const { folded, joined } of words) {
    if (joined) clauses.at(-1)!.push(folded);
    else clauses.push([folded]);
  }
  const short = clauses.filter(({ length }) => length >= 2 && length <= CLAUSE_WORDS);
  return new Set(short.map((clause) => clause.join(' ')));
}

function split(key: number): [number, number] {
  return [Math.floor(key / SHIFT), key % SHIFT];
}

/** Returns the keys of all positions of the rows, at most once per text. Negative keys are ignored. */
function collect(rows: Uint32Array, keyAt: (rows: Uint32Array, at: number) => number): Float64Array {
  const keys = new Float64Array(rows.length);
  let length = 0;
  let textStart = 0;
  for (let at = 0; at < rows.length; at++) {
    if (rows[at] === END_OF_TEXT) textStart = length;
    if (rows[at] === END_OF_TEXT || rows[at] === END_OF_PHRASE) continue;
    const key = keyAt(rows, at);
    if (key < 0 || keys.subarray(textStart, length).includes(key)) continue;
    keys[length] = key;
    length += 1;
  }
  return keys.subarray(0, length);
}

/** Returns the keys that occur at least `least` times, ascending, with their counts. */
function count(keys: Float64Array, least: number): { keys: Float64Array; counts: number[] } {
  keys.sort();
  const counts: number[] = [];
  let frequent = 0;
  for (let start = 0, end = 0; start < keys.length; start = end) {
    const key = keys[start]!;
    while (end < keys.length && keys[end] === key) end += 1;
    if (end - start < least) continue;
    keys[frequent] = key;
    frequent += 1;
    counts.push(end - start);
  }
  return { keys: keys.subarray(0, frequent), counts };
}

function find(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = sorted[middle]!;
    if (found === key) return middle;
    if (found < key) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
