import type { History, HistoryPoint } from '@zoetrope/contract/account';
import { expect, test } from 'vitest';
import { chartsOf, intervalsOf, pathOf, valuesAt } from './curves.ts';

const MINUTE = 60_000;
const from = Date.UTC(2026, 5, 15, 12);

function point(minutes: number, given: Partial<HistoryPoint> = {}): HistoryPoint {
  const counts = { searches: 0, cached: 0, degraded: 0, refused: 0, failed: 0 };
  return { at: from + minutes * MINUTE, ...counts, p50: null, p99: null, gifs: 7, openJobs: 0, ...given };
}

const history: History = {
  seconds: 300,
  from,
  to: from + 20 * MINUTE,
  points: [
    point(0, { searches: 200, cached: 150, degraded: 10, refused: 3, p50: 0.4, p99: 1_000 }),
    point(5),
    point(20, { searches: 30 }),
  ],
};

/** Returns the values of each chart, by its name. */
function valuesOf(interval: number, minutes = 22): Record<string, string> {
  const charts = chartsOf(history, from + minutes * MINUTE);
  return Object.fromEntries(charts.map((chart) => [chart.name, valuesAt(chart, interval)]));
}

test('every interval has a place, including intervals in which the service did not run', () => {
  const minutes = intervalsOf(history).map(({ at, point: found }) => [(at - from) / MINUTE, found !== null]);
  expect(minutes).toEqual([
    [0, true],
    [5, true],
    [10, false],
    [15, false],
    [20, true],
  ]);
});

test('the values of an interval are described in words', () => {
  expect(valuesOf(0)).toEqual({
    'Searches per minute': '40',
    'Time of a search': 'median 0.4 ms, 99th percentile 1 s or more',
    'Share of searches': 'from the cache 75%, by words only 5%',
    Errors: 'refused (4xx) 3, failed (5xx) 0',
    'Open jobs': '0',
    GIFs: '7',
  });
});

test('an interval without searches has no times and shares, and an interval without the service has no values', () => {
  expect(valuesOf(1)).toMatchObject({ 'Searches per minute': '0', 'Time of a search': 'nothing', GIFs: '7' });
  expect(new Set(Object.values(valuesOf(2)))).toEqual(new Set(['nothing']));
});

test('the rate of the unfinished interval is computed over the time that has passed', () => {
  expect(valuesOf(4)).toMatchObject({ 'Searches per minute': '15' });
  expect(valuesOf(4, 20.1)).toMatchObject({ 'Searches per minute': '30' });
});

test('a curve is interrupted where there is no value', () => {
  expect(pathOf([0, 5, null, 10, null], 10)).toBe('M0 100h0.5L1 50M3 0h0.5');
});
