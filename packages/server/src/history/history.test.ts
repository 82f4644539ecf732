import { describe, expect, test } from 'vitest';
import { Metrics, memoryForMetrics, type OperationCounts } from '../base/metrics.ts';
import { onEachDatabase } from '../service/testing/databases.ts';
import { countsSince, readHistory, recordHistory } from './index.ts';
import { quantile } from './read.ts';
import { tables } from './tables.ts';

const NOON = Date.UTC(2026, 5, 15, 12);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const LEVELS = { gifs: 40, openJobs: 0 };

/** Returns the counts of a process that made these searches. */
function searches(...made: [outcome: keyof OperationCounts['outcomes'], milliseconds: number][]): OperationCounts {
  const metrics = new Metrics(memoryForMetrics(1), 0);
  for (const [outcome, milliseconds] of made) {
    metrics.count({ operation: 'search', client: 'registered', outcome, milliseconds });
  }
  metrics.count({ operation: 'suggest', client: 'registered', outcome: 'made', milliseconds: 1 });
  return metrics.countsOf('search');
}

onEachDatabase((opened) => {
  test('searches of several processes and of a restarted one add up', async () => {
    const { db } = opened;
    await recordHistory(db, searches(['kept', 0.1], ['made', 7]), LEVELS, NOON + MINUTE);
    await recordHistory(
      db,
      searches(['degraded', 200], ['failed', 3_000], ['failed', 3_000]),
      LEVELS,
      NOON + 2 * MINUTE,
    );
    await recordHistory(db, searches(['refused', 1], ['made', 7]), LEVELS, NOON + 4 * MINUTE);
    const { points } = await readHistory(db, 'day', NOON + 4 * MINUTE);
    const counts = { searches: 7, cached: 1, degraded: 1, refused: 1, failed: 2 };
    expect(points).toEqual([{ at: NOON, ...counts, p50: 8.75, p99: 1_000, gifs: 40, openJobs: 0 }]);
    expect((await readHistory(db, 'month', NOON + 4 * MINUTE)).points).toMatchObject([{ at: NOON, ...counts }]);
  });

  test('the largest levels of an interval are kept', async () => {
    const { db } = opened;
    for (const openJobs of [3, 70, 5]) await recordHistory(db, searches(), { gifs: 40, openJobs }, NOON);
    expect((await readHistory(db, 'day', NOON)).points).toMatchObject([{ openJobs: 70, searches: 0, p50: null }]);
  });

  test('a day has intervals of five minutes, and a month has hours', async () => {
    const { db } = opened;
    for (const ago of [40 * DAY, 3 * DAY, 26 * HOUR, 50 * MINUTE, 0]) {
      await recordHistory(db, searches(['made', 1]), LEVELS, NOON - ago);
    }
    const { from, to, seconds, points } = await readHistory(db, 'day', NOON);
    expect({ from, to, seconds }).toEqual({ from: NOON - DAY + 5 * MINUTE, to: NOON, seconds: 300 });
    expect(points.map(({ at }) => at)).toEqual([NOON - 50 * MINUTE, NOON]);
    const month = await readHistory(db, 'month', NOON + 59 * MINUTE);
    expect(month.from).toBe(NOON - 30 * DAY + HOUR);
    expect(month.points.map(({ at }) => at)).toEqual([3 * DAY, 26 * HOUR, HOUR, 0].map((ago) => NOON - ago));
  });

  test('intervals after the present, which a wrong clock left behind, are not shown', async () => {
    const { db } = opened;
    for (const at of [NOON, NOON + DAY]) await recordHistory(db, searches(['made', 1]), LEVELS, at);
    for (const span of ['day', 'month'] as const) {
      expect((await readHistory(db, span, NOON)).points.map(({ at }) => at)).toEqual([NOON]);
    }
  });

  test('short intervals are removed after two days, and hours after 90 days', async () => {
    const { db } = opened;
    for (const ago of [91 * DAY, 89 * DAY, 3 * DAY, DAY, 0]) await recordHistory(db, searches(), LEVELS, NOON - ago);
    const kept = await tables(db).selectFrom('history').select(['seconds', 'at']).where('what', '=', 'gifs').execute();
    const ages = (seconds: number) =>
      kept.filter((row) => row.seconds === seconds).map(({ at }) => (NOON / 1_000 - at) / 86_400);
    expect(ages(300).sort()).toEqual([0, 1]);
    expect(ages(3_600).sort()).toEqual([0, 1, 3, 89]);
  });
});

test('only the searches since the last count are counted', () => {
  const before = searches(['made', 1]);
  const now = searches(['made', 1], ['made', 1], ['kept', 0.1]);
  expect(countsSince(now, before)).toEqual(searches(['made', 1], ['kept', 0.1]));
});

describe('a quantile', () => {
  const BUCKETS = { none: Array(11).fill(0), fast: [4, ...Array(10).fill(0)], slow: [...Array(10).fill(0), 3] };
  test.each([
    [BUCKETS.none, 0.5, null],
    [BUCKETS.fast, 0.5, 0.25],
    [BUCKETS.fast, 1, 0.5],
    [BUCKETS.slow, 0.01, 1_000],
    [[0, 0, 0, 0, 10, 0, 0, 0, 0, 10, 0], 0.75, 625],
  ])('of %j at %d is %d', (times, share, expected) => {
    expect(quantile(times, share)).toBe(expected);
  });
});
