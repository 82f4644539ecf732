import { GrowingBytes } from '../build/growing.ts';
import { BLOCK, type Entry, LANGUAGES_VERSION, MAX_KEY_LENGTH, WEIGHT_UNITS } from './format.ts';

/**
 * Writes the file (format.ts) that `Languages` reads, from terms in the form of `keyOf`. The same terms give the same
 * bytes. Throws RangeError if a term or phrase does not fit the format.
 */
export function writeLanguages(terms: ReadonlyMap<string, readonly Entry[]>): Uint8Array {
  const phrases = byFrequency(Array.from(terms.values()).flatMap((entries) => entries.flatMap(phrasesOf)));
  const numbers = new Map(phrases.map((phrase, i) => [phrase, i]));
  const phraseBytes = new GrowingBytes();
  const phraseOffsets = phrases.map((phrase) => {
    const start = phraseBytes.length;
    phraseBytes.append(asciiOf(phrase));
    return start;
  });
  const blocks = new GrowingBytes();
  const blockOffsets: number[] = [];
  let previous = '';
  for (const [i, term] of [...terms.keys()].sort().entries()) {
    if (term.length === 0 || term.length > MAX_KEY_LENGTH) throw new RangeError(`length of term ${term}`);
    if (i % BLOCK === 0) {
      blockOffsets.push(blocks.length);
      previous = '';
    }
    blocks.append(encodeTerm(term, previous));
    const entries = terms.get(term)!.flatMap((entry) => encodeEntry(entry, numbers));
    blocks.append(Uint8Array.from([...varint(entries.length), ...entries]));
    previous = term;
  }
  const head = Uint32Array.from([
    LANGUAGES_VERSION,
    blockOffsets.length,
    phrases.length,
    ...blockOffsets,
    blocks.length,
    ...phraseOffsets,
    phraseBytes.length,
  ]);
  return joined([new Uint8Array(head.buffer), phraseBytes.view(), blocks.view()]);
}

/** Distinct phrases, the most frequent first. */
function byFrequency(phrases: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const phrase of phrases) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  return [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
}

function phrasesOf({ alternatives }: Entry): string[] {
  return alternatives.map(({ phrase }) => phrase);
}

function encodeTerm(term: string, previous: string): Uint8Array {
  let shared = 0;
  while (shared < previous.length && term[shared] === previous[shared]) shared += 1;
  const letters = Array.from({ length: term.length - shared }, (_, i) => varint(term.charCodeAt(shared + i)));
  return Uint8Array.from([shared, term.length - shared, ...letters.flat()]);
}

function encodeEntry({ language, alternatives }: Entry, numbers: ReadonlyMap<string, number>): number[] {
  const bytes = [language, alternatives.length];
  for (const { phrase, weight } of alternatives) {
    const units = Math.min(WEIGHT_UNITS, Math.max(1, Math.round(weight * WEIGHT_UNITS)));
    bytes.push(...varint((numbers.get(phrase)! << 3) | (units - 1)));
  }
  return bytes;
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
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
