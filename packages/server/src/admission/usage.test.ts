import { expect, test } from 'vitest';
import { UsageTally } from './usage.ts';

const DAY_MS = 86_400_000;

test('requests are counted on the day of their time, also if the clock is set back', () => {
  const tally = new UsageTally();
  const noon = Date.parse('2026-03-02T12:00:00Z');
  for (const now of [noon, noon - DAY_MS, noon - 12 * 3_600_000, noon - 12 * 3_600_000 - 1]) {
    tally.count({ id: 'c' }, 'search', 'made', now);
  }
  const counts = tally.take().map(({ day, requests }) => `${day} ${requests}`);
  expect(counts).toEqual(['2026-03-02 1', '2026-03-01 1', '2026-03-02 1', '2026-03-01 1']);
});
