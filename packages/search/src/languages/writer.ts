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
  stemOfKey,
  WEIGHT_UNITS,
} from './format.ts';

/**
 * Writes the file (format.ts) that `Languages` reads, from terms in the form of `keyOf`. The same terms give the same
 * bytes. Throws RangeError if a term or phrase does not fit the format.
 */
export function writeLanguages(terms: ReadonlyMap<string, readonly Entry[]>): Uint8Array {
  const phrases = byFrequency(terms.values());
  const numbers = new Map(phrases.map((phrase, i) => [phrase, i]));
  const phraseBytes = new GrowingBytes();
  const phraseOffsets = phrases.map((phrase) => {
    const start = phraseBytes.length;
    phraseBytes.append(asciiOf(phrase));
    return start;
  });
  const blocks = new GrowingBytes();
  const blockOffsets: number[] = [];
  const sorted = [...terms.keys()].sort();
  for (let first = 0; first < sorted.length; first += BLOCK) {
    blockOffsets.push(blocks.length);
    const bytes: number[] = [];
    let previous = '';
    for (const term of sorted.slice(first, first + BLOCK)) {
      if (term.length === 0 || term.length > MAX_KEY_LENGTH)
        throw new RangeError(`the term "${term}" must have 1 to ${MAX_KEY_LENGTH} letters`);
      pushTerm(bytes, term, previous);
      const entries: number[] = [];
      for (const entry of terms.get(term)!) pushEntry(entries, entry, numbers);
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
    ...filter,
    ...blockOffsets,
    blocks.length,
    ...phraseOffsets,
    phraseBytes.length,
  ]);
  return joined([new Uint8Array(head.buffer), phraseBytes.view(), blocks.view()]);
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

/** Returns the distinct phrases of all terms, the most frequent first. */
function byFrequency(terms: Iterable<readonly Entry[]>): string[] {
  const counts = new Map<string, number>();
  for (const entries of terms) {
    for (const { alternatives } of entries) {
      for (const { phrase } of alternatives) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
    }
  }
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}

function pushTerm(bytes: number[], term: string, previous: string): void {
  let shared = 0;
  while (shared < previous.length && term[shared] === previous[shared]) shared += 1;
  bytes.push(shared, term.length - shared);
  for (let i = shared; i < term.length; i++) pushVarint(bytes, term.charCodeAt(i));
}

function pushEntry(bytes: number[], { language, alternatives }: Entry, numbers: ReadonlyMap<string, number>): void {
  bytes.push(language, alternatives.length);
  for (const { phrase, weight } of alternatives) {
    const units = Math.min(WEIGHT_UNITS, Math.max(1, Math.round(weight * WEIGHT_UNITS)));
    pushVarint(bytes, (numbers.get(phrase)! << 3) | (units - 1));
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
