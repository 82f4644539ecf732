import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dayOf, inOrderOfDay, secondsLeftOf } from './day.ts';

const ENTRIES = Array.from({ length: 200 }, (_, i) => ({ id: `${i}.gif`, place: i }));

test('each day has all entries, in its own order, which stays the same all day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100_000 }), (day) => {
      const order = inOrderOfDay(ENTRIES, day);
      expect(order.toSorted((a, b) => a.place - b.place)).toEqual(ENTRIES);
      expect(inOrderOfDay(ENTRIES, day)).toEqual(order);
      expect(inOrderOfDay(ENTRIES, day + 1)).not.toEqual(order);
    }),
    { numRuns: 20 },
  );
});

test('the first entries come first more often than the last ones, but not always', () => {
  const firsts = Array.from({ length: 100 }, (_, day) => inOrderOfDay(ENTRIES, day).slice(0, 24)).flat();
  /** Returns the average number of days on which an entry from these places was among the first entries. */
  const rate = (from: number, to: number) =>
    firsts.filter(({ place }) => place >= from && place < to).length / (to - from);
  expect(rate(0, 24)).toBeGreaterThan(2 * rate(100, 200));
  expect(rate(0, 24)).toBeLessThan(50);
  expect(rate(100, 200)).toBeGreaterThan(2);
});

test('a GIF of the second page is about half as likely to come first as a GIF of the first page', () => {
  const places = Array.from({ length: 400 }, (_, day) => inOrderOfDay(ENTRIES, day)[0]!.place);
  const count = (from: number, to: number) => places.filter((place) => place >= from && place < to).length;
  const share = count(24, 48) / count(0, 24);
  expect([share > 0.4, share < 0.6]).toEqual([true, true]);
});

test('a day ends at midnight in UTC', () => {
  const midnight = Date.UTC(2026, 10, 28);
  expect([dayOf(midnight - 1), dayOf(midnight)]).toEqual([20_784, 20_785]);
  expect(secondsLeftOf(20_784, midnight - 1_500)).toBe(2);
  expect(secondsLeftOf(20_784, midnight + 5_000)).toBe(1);
  expect(secondsLeftOf(20_785, midnight)).toBe(86_400);
});
