import { GrowingBytes } from '../build/growing.ts';
import {
  ANY_LANGUAGE,
  BLOCK,
  ENGLISH,
  type Entry,
  FILTER_BITS,
  filterHash,
  LANGUAGES_VERSION,
  MAX_KEY_LENGTH,
  oneByteLetters,
  stemOfKey,
  WEIGHT_UNITS,
} from './format.ts';

const EMPTY_LIST = '\0';

/**
 * Writes the file (format.ts) that `Languages` reads, from terms in the form of `keyOf`. The same terms give the same
 * bytes. Throws RangeError if a term or phrase does not fit the format.
 */
export function writeLanguages(terms: ReadonlyMap<string, readonly Entry[]>): Uint8Array {
  const sorted = [...terms.keys()].sort();
  const phrases = byFrequency(phrasesOf(terms.values()));
  const letters = byFrequency(lettersOf(sorted));
  const { lists, places } = listsOf(terms.values(), numbered(phrases));
  const phraseBytes = new GrowingBytes();
  const phraseOffsets = phrases.map((phrase) => {
    const start = phraseBytes.length;
    phraseBytes.append(asciiOf(phrase));
    return start;
  });
  const blocks = new GrowingBytes();
  const blockOffsets: number[] = [];
  const alphabet: Alphabet = { numbers: numbered(letters), oneByte: oneByteLetters(letters.length) };
  for (let first = 0; first < sorted.length; first += BLOCK) {
    blockOffsets.push(blocks.length);
    const bytes: number[] = [];
    let previous = '';
    for (const term of sorted.slice(first, first + BLOCK)) {
      pushTerm(bytes, term, { previous, alphabet });
      const entries: number[] = [];
      for (const { language, alternatives } of terms.get(term)!) {
        entries.push(language);
        pushVarint(entries, places.get(alternatives)!);
      }
      pushVarint(bytes, entries.length);
      for (const byte of entries) bytes.push(byte);
      previous = term;
    }
    blocks.append(new Uint8Array(bytes));
  }
  const filter = filterOf(terms);
  const head = Uint32Array.from([
    LANGUAGES_VERSION,
    blockOffsets.length,
    phrases.length,
    filter.length,
    letters.length,
    lists.length,
    ...filter,
    ...blockOffsets,
    blocks.length,
    ...phraseOffsets,
    phraseBytes.length,
  ]);
  const codes = new Uint16Array(2 * Math.ceil(letters.length / 2));
  for (const [i, letter] of letters.entries()) codes[i] = letter.charCodeAt(0);
  return joined([new Uint8Array(head.buffer), new Uint8Array(codes.buffer), phraseBytes.view(), lists, blocks.view()]);
}

/**
 * Returns a filter with a bit for each term, English word, and stem in a language. The number of bits is a power of
 * two.
 */
function filterOf(terms: ReadonlyMap<string, readonly Entry[]>): Uint32Array {
  const hashes: number[] = [];
  for (const [key, entries] of terms) {
    const stem = stemOfKey(key);
    if (stem !== undefined) for (const { language } of entries) hashes.push(filterHash(stem, language));
    else hashes.push(filterHash(key, ANY_LANGUAGE));
    if (entries.some(({ language }) => language === ENGLISH)) hashes.push(filterHash(key, ENGLISH));
  }
  const bits = 2 ** Math.ceil(Math.log2(Math.max(32, FILTER_BITS * hashes.length)));
  const filter = new Uint32Array(bits / 32);
  for (const hash of hashes) filter[(hash & (bits - 1)) >>> 5]! |= 1 << (hash & 31);
  return filter;
}

/** Returns the distinct texts, the most frequent first. */
function byFrequency(texts: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}

function numbered(texts: readonly string[]): Map<string, number> {
  return new Map(texts.map((text, i) => [text, i]));
}

function* phrasesOf(terms: Iterable<readonly Entry[]>): Generator<string> {
  for (const entries of terms) {
    for (const { alternatives } of entries) for (const { phrase } of alternatives) yield phrase;
  }
}

/** Returns the letters that `pushTerm` writes for the terms of all blocks. */
function* lettersOf(sorted: readonly string[]): Generator<string> {
  for (const [i, term] of sorted.entries()) {
    const shared = i % BLOCK === 0 ? 0 : sharedLetters(sorted[i - 1]!, term);
    for (let at = shared; at < term.length; at++) yield term[at]!;
  }
}

function sharedLetters(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

interface Lists {
  lists: Uint8Array;
  /** The place of each list in the bytes. */
  places: ReadonlyMap<Entry['alternatives'], number>;
}

/** Writes each distinct list of alternatives once, the empty list first, then the most frequent ones. */
function listsOf(terms: Iterable<readonly Entry[]>, phrases: ReadonlyMap<string, number>): Lists {
  const written = new Map<Entry['alternatives'], string>();
  const uses: string[] = [];
  for (const { alternatives } of flat(terms)) {
    const list = written.get(alternatives) ?? writeList(alternatives, phrases);
    written.set(alternatives, list);
    if (list !== EMPTY_LIST) uses.push(list);
  }
  const lists = new GrowingBytes();
  const starts = new Map<string, number>();
  for (const list of [EMPTY_LIST, ...byFrequency(uses)]) {
    starts.set(list, lists.length);
    lists.append(Uint8Array.from(list, (byte) => byte.charCodeAt(0)));
  }
  const places = new Map(Array.from(written, ([alternatives, list]) => [alternatives, starts.get(list)!]));
  return { lists: lists.view(), places };
}

function* flat(terms: Iterable<readonly Entry[]>): Generator<Entry> {
  for (const entries of terms) yield* entries;
}

/** Returns the bytes of a list as a text, so that equal lists are equal keys. */
function writeList(alternatives: Entry['alternatives'], phrases: ReadonlyMap<string, number>): string {
  const bytes = [alternatives.length];
  for (const { phrase, weight } of alternatives) {
    const units = Math.min(WEIGHT_UNITS, Math.max(1, Math.round(weight * WEIGHT_UNITS)));
    pushVarint(bytes, (phrases.get(phrase)! << 3) | (units - 1));
  }
  return String.fromCharCode(...bytes);
}

interface Alphabet {
  numbers: ReadonlyMap<string, number>;
  oneByte: number;
}

function pushTerm(
  bytes: number[],
  term: string,
  { previous, alphabet }: { previous: string; alphabet: Alphabet },
): void {
  if (term.length === 0 || term.length > MAX_KEY_LENGTH)
    throw new RangeError(`the term "${term}" must have 1 to ${MAX_KEY_LENGTH} letters`);
  const shared = sharedLetters(previous, term);
  bytes.push(shared, term.length - shared);
  for (let at = shared; at < term.length; at++) {
    const number = alphabet.numbers.get(term[at]!)!;
    const later = number - alphabet.oneByte;
    if (later < 0) bytes.push(number);
    else bytes.push(alphabet.oneByte + (later >>> 8), later & 255);
  }
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  bytes.push(rest);
}

function asciiOf(phrase: string): Uint8Array {
  return Uint8Array.from(phrase, (letter) => {
    const code = letter.charCodeAt(0);
    if (code > 127) throw new RangeError(`the phrase ${phrase} is not ASCII`);
    return code;
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
