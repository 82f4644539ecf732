import type { UsageDay, UsageWay } from '@zoetrope/contract/account';
import { expect, test } from 'vitest';
import { dailyOutcomes, latestDays, scaleEnd, sumWays, usageCsv } from './usage-days.ts';

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

const phone = { wayId: 'k1', kind: 'key', name: 'phone, "red"' } as const;
const page = { wayId: 'o1', kind: 'origin', name: 'https://wisp.example' } as const;
const ways: UsageWay[] = [
  { ...phone, day: '2026-01-03', operation: 'search', requests: 3, kept: 1, refused: 1, limited: 0 },
  { ...page, day: '2026-01-03', operation: 'search', requests: 5, kept: 3, refused: 0, limited: 2 },
  { ...phone, day: '2026-01-01', operation: 'search', requests: 1, kept: 0, refused: 1, limited: 0 },
];

test('sums the requests of each identifier, and counts the rest as unknown', () => {
  expect(sumWays({ days: rows, ways })).toMatchObject([
    { way: page, requests: 5, kept: 3, refused: 0, limited: 2 },
    { way: phone, requests: 4, kept: 1, refused: 2, limited: 0 },
    { way: undefined, requests: 7, kept: 0, refused: 0, limited: 0 },
  ]);
  expect(sumWays({ days: rows.slice(2), ways: ways.slice(2) })).toHaveLength(1);
});

test('a period contains its first day', () => {
  const latest = (count: number) => latestDays({ days: rows, ways }, count, Date.UTC(2026, 0, 3, 23)).ways.length;
  expect([1, 2, 3, 30].map(latest)).toEqual([2, 2, 3, 3]);
});

test('the CSV file has a row for each day, operation and identifier', () => {
  expect(usageCsv({ days: rows, ways }).split('\r\n')).toEqual([
    'day,operation,kind,name,id,requests,cached,refused,over_limit',
    '2026-01-03,search,key,"phone, ""red""",k1,3,1,1,0',
    '2026-01-03,search,origin,https://wisp.example,o1,5,3,0,2',
    '2026-01-03,search,,,,2,0,0,0',
    '2026-01-03,suggest,,,,5,0,0,0',
    '2026-01-01,search,key,"phone, ""red""",k1,1,0,1,0',
    '',
  ]);
});

test('a name that starts like a formula is text in the CSV file', () => {
  const [row] = ways;
  expect(usageCsv({ days: rows.slice(0, 1), ways: [{ ...row!, name: '=1+1' }] })).toContain(",key,'=1+1,k1,");
});
