import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import { analyse } from '../analysis/analyse.ts';
import { hashOf, type TableShape } from './features.ts';
import { MeaningTable, writeTable } from './table.ts';

const WORDS = ['cat', 'dog', 'happy', 'dance', 'rain', '7'];
const SHAPE: TableShape = { dimensions: 128, words: WORDS.length, groups: 5 };
const hashes = Uint32Array.from(WORDS, hashOf).sort();
const ROWS = SHAPE.words + SHAPE.groups;
const GOLDEN = [
  -0.11291131377220154, -0.02997753769159317, -0.06349130719900131, -0.026599876582622528, -0.05747875198721886,
  -0.08803266286849976,
];
const values = Float32Array.from({ length: ROWS * SHAPE.dimensions }, (_, i) => ((i * 7919) % 2003) - 1001);
const bytes = writeTable(SHAPE, hashes, values);
const table = new MeaningTable(bytes);

/** Computes a vector step by step, from the description of the table. */
function naive(texts: readonly string[]): number[] | null {
  const row = (n: number) => {
    const own = Array.from(values.subarray(n * 128, (n + 1) * 128));
    const most = Math.max(...own.map(Math.abs));
    return own.map((value) => Math.fround(most / 127) * Math.round((value / most) * 127));
  };
  const plus = (a: number[], b: number[], weight: number) => a.map((value, i) => value + weight * b[i]!);
  const unit = (a: number[]) => {
    const length = Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
    return length === 0 ? undefined : a.map((value) => value / length);
  };
  let total = Array<number>(128).fill(0);
  for (const text of texts) {
    let sum = Array<number>(128).fill(0);
    for (const word of analyse(text)) {
      const place = hashes.indexOf(hashOf(word));
      const isLatin = /^[a-z0-9]{2,}$/.test(word);
      if (place >= 0) sum = plus(sum, row(place), 1);
      else if (isLatin) {
        const groups = [3, 4, 5].flatMap((length) =>
          Array.from({ length: Math.max(0, word.length + 3 - length) }, (_, i) => `<${word}>`.slice(i, i + length)),
        );
        for (const group of groups) sum = plus(sum, row(6 + (hashOf(group) % 5)), 1 / Math.sqrt(groups.length));
      }
    }
    total = plus(total, unit(sum) ?? Array(128).fill(0), 1);
  }
  return unit(total)?.map(Math.fround) ?? null;
}

describe('a table of meanings', () => {
  const word = fc.oneof(
    fc.constantFrom(...WORDS, 'Cats', 'HAPPY', 'qu', '猫', '😂', 'кот'),
    fc.string({ unit: 'binary' }),
  );
  const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));

  test('gives the same vectors as a naive computation', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
        const found = table.vectorOf(texts);
        const wanted = naive(texts);
        expect(found === null).toBe(wanted === null);
        for (const [i, value] of (found ?? []).entries()) expect(value).toBeCloseTo(wanted![i]!, 5);
      }),
      { numRuns: 200 * inject('cases') },
    );
  });

  test('gives the same bits for the same words', () => {
    const bits = (text: string) => Buffer.from(table.vectorOf([text])!.buffer).toString('hex');
    expect(bits('Happy  dance!')).toBe(bits('happy dance'));
    expect(bits('happy dance')).not.toBe(bits('happy'));
  });

  test('has the same bits on every platform', () => {
    const [first, last] = [table.vectorOf(['happy dancing cat'])!, table.vectorOf(['rain', 'zebra 7'])!];
    expect([...first.subarray(0, 3), ...last.subarray(125)]).toEqual(GOLDEN.map(Math.fround));
  });

  test.each(['', ' ', '!?', '猫', '😂', 'a', '\ud800'])('has no vector for %j, which it cannot read', (text) => {
    expect(table.vectorOf([text])).toBeNull();
    expect(table.vectorOf([])).toBeNull();
    expect(table.vectorOf([text, 'cat'])).toEqual(table.vectorOf(['cat']));
  });

  test('has another id if one of its numbers differs', () => {
    const other = writeTable(
      SHAPE,
      hashes,
      values.map((value, i) => (i === 5 ? -value : value)),
    );
    expect(table.id).toMatch(/^table:[0-9a-f]{16}\/128$/);
    expect(new MeaningTable(other).id).not.toBe(table.id);
    expect(new MeaningTable(bytes.slice()).id).toBe(table.id);
  });

  test.each<[string, (copy: Uint8Array) => Uint8Array, string]>([
    ['is empty', () => new Uint8Array(), 'no table'],
    ['is something else', () => Buffer.from('{"model": "a file of another kind, but long enough"}'), 'no table'],
    ['is truncated', (copy) => copy.subarray(0, -1), `${bytes.length - 1} bytes, not ${bytes.length}`],
    ['is too long', (copy) => Buffer.concat([copy, new Uint8Array(4)]), `${bytes.length + 4} bytes`],
    ['has another version', (copy) => copy.fill(9, 4, 5), 'version 9, not 1'],
    ['names huge sizes', (copy) => copy.fill(255, 12, 16), `${bytes.length} bytes, not`],
  ])('is refused if it %s', (_, change, message) => {
    expect(() => new MeaningTable(change(bytes.slice()))).toThrow(message);
  });
});

test.each([
  ['happy cat', 1],
  ['happy zxqv', 0.5],
  ['cat cat zxqv', 2 / 3],
  ['zxqv', 0],
  [':)', 0],
  ['猫', 0],
  ['', 0],
])('of "%s", the table knows a share of %d', (text, share) => {
  expect(table.knownShare(text)).toBeCloseTo(share);
});
