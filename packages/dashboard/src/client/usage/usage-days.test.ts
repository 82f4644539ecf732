import type { UsageDay } from '@zoetrope/contract/account';
import { expect, test } from 'vitest';
import { dailyOutcomes, scaleEnd, usageCsv } from './usage-days.ts';

const rows: UsageDay[] = [
  { day: '2026-01-03', operation: 'search', requests: 10, kept: 4, refused: 1, limited: 2 },
  { day: '2026-01-03', operation: 'suggest', requests: 5, kept: 0, refused: 0, limited: 0 },
  { day: '2026-01-01', operation: 'search', requests: 1, kept: 0, refused: 1, limited: 0 },
];

test('shows 30 days up to today, with the outcomes of all operations', () => {
  const days = dailyOutcomes(rows, Date.UTC(2026, 0, 4, 23, 59));
  expect(days).toHaveLength(30);
  expect(days[0]!.day).toBe('2025-12-06');
  expect(days.slice(-4)).toEqual([
    { day: '2026-01-01', total: 1, computed: 0, cached: 0, refused: 1, limited: 0 },
    { day: '2026-01-02', total: 0, computed: 0, cached: 0, refused: 0, limited: 0 },
    { day: '2026-01-03', total: 15, computed: 8, cached: 4, refused: 1, limited: 2 },
    { day: '2026-01-04', total: 0, computed: 0, cached: 0, refused: 0, limited: 0 },
  ]);
});

test('shows the latest counted day even if the clock of the browser is behind', () => {
  expect(dailyOutcomes(rows, Date.UTC(2026, 0, 2)).at(-1)).toMatchObject({ day: '2026-01-03', total: 15 });
});

test.each([
  [0, 2],
  [1, 2],
  [2, 2],
  [3, 5],
  [10, 10],
  [11, 20],
  [750, 1000],
  [200_001, 500_000],
])('a scale for at most %d requests ends at %d', (most, end) => {
  expect(scaleEnd(most)).toBe(end);
});

test('the CSV file has a row for each day and operation', () => {
  expect(usageCsv(rows).split('\r\n')).toEqual([
    'day,operation,requests,cached,refused,over_limit',
    '2026-01-03,search,10,4,1,2',
    '2026-01-03,suggest,5,0,0,0',
    '2026-01-01,search,1,0,1,0',
    '',
  ]);
});
