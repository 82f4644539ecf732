import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockCount, blockOf, countBits, markFrequent } from './frequent.ts';
import { makePosting } from './posting.ts';

test('bits are counted', () => {
  fc.assert(
    fc.property(fc.integer(), (word) => {
      expect(countBits(word)).toBe([...(word >>> 0).toString(2)].filter((digit) => digit === '1').length);
    }),
  );
});

test('terms in more than one of 64 safe documents are frequent', () => {
  const safeDocuments = 64 * 3;
  const lists = [3, 4, 3].map((length) => Array.from({ length }, (_, i) => makePosting(i * 40, i + 1)));
  /** Three safe documents, and two adult documents that do not count. */
  lists[2]!.push(makePosting(safeDocuments, 9), makePosting(safeDocuments + 1, 9));
  const frequent = markFrequent(Uint32Array.of(0, 3, 7, 12), Uint32Array.from(lists.flat()), safeDocuments);
  expect([...frequent.terms]).toEqual([1]);
  expect([...frequent.bitmaps]).toEqual([1, 1 << 8, 1 << 16, 1 << 24, 0, 0].map((word) => word >>> 0));
  expect([...frequent.places]).toEqual([0, 1, 2, 3, 4, 4]);
  expect([...frequent.impacts]).toEqual([1, 2, 3, 4, 0]);
});

test('each block counts separately', () => {
  const safeDocuments = 150_000;
  const postings = Uint32Array.from({ length: 50_000 }, (_, i) => makePosting(i * 3, 1 + (i % 255)));
  const { bases, places, impacts } = markFrequent(Uint32Array.of(0, postings.length), postings, safeDocuments);
  expect(bases).toHaveLength(blockCount(safeDocuments));
  for (const document of [0, 65_535, 65_538, 131_070, 131_073, 149_997]) {
    const word = document >>> 5;
    const before = Math.floor(document / 3) - Math.ceil((word * 32) / 3);
    expect(impacts[bases[blockOf(document)]! + places[word]! + before]).toBe(1 + ((document / 3) % 255));
  }
});
