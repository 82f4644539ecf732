import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_TITLE } from '../build/title-key.ts';
import { spreadTitles } from './spread.ts';

/** Spreads documents 0, 1, 2 … with these titles and scores. */
function spread(titles: readonly number[], scores: readonly number[] = titles.map(() => 1)): number[] {
  const documents = Uint32Array.from(titles.keys());
  return [...spreadTitles({ documents, scores: Float64Array.from(scores) }, Uint32Array.from(titles))];
}

test('a repeated title comes again after eight others', () => {
  const [same, others] = [Array<number>(3).fill(7), Array.from({ length: 20 }, (_, i) => 100 + i)];
  expect(spread([...same, ...others])).toEqual([
    ...[0, 3, 4, 5, 6, 7, 8, 9, 10],
    ...[1, 11, 12, 13, 14, 15, 16, 17, 18],
    ...[2, 19, 20, 21, 22],
  ]);
});

test('if there are too few titles, the titles take turns', () => {
  expect(spread([7, 7, 7, 8, 8, 9])).toEqual([0, 3, 5, 1, 4, 2]);
});

test('no document comes before a document that is clearly better', () => {
  expect(spread([7, 7, 8], [1.5, 1.5, 1.47])).toEqual([0, 1, 2]);
  expect(spread([7, 7, 8], [1.5, 1.5, 1.49])).toEqual([0, 2, 1]);
});

test('documents without a title stay where they are', () => {
  expect(spread([NO_TITLE, NO_TITLE, NO_TITLE, 7])).toEqual([0, 1, 2, 3]);
});

test('every list keeps its documents, and lists without repeated titles keep their order', () => {
  const scored = fc.array(fc.tuple(fc.nat(6), fc.double({ min: 0, max: 0.1, noNaN: true })), { maxLength: 60 });
  fc.assert(
    fc.property(scored, (list) => {
      const scores = list.map(([, score]) => score).sort((a, b) => b - a);
      const titles = list.map(([title]) => title);
      const order = spread(titles, scores);
      expect(order.toSorted((a, b) => a - b)).toEqual([...titles.keys()]);
      for (const [place, i] of order.entries()) {
        for (const later of order.slice(place + 1)) expect(scores[later]! - scores[i]!).toBeLessThanOrEqual(0.02);
      }
      const distinct = list.map((_, i) => i + 1);
      expect(spread(distinct, scores)).toEqual([...distinct.keys()]);
    }),
  );
});
