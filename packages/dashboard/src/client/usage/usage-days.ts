import type { UsageDay } from '@zoetrope/contract/account';

/** Number of days shown. The service stores no more. */
export const DAYS = 30;
const DAY_MS = 86_400_000;

/** What became of a request, in the order in which charts pile them up. */
export const OUTCOMES = ['computed', 'cached', 'refused', 'limited'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The requests of one day, by outcome. */
export type DayOutcomes = Record<Outcome | 'total', number> & { day: string };

/**
 * Returns the last 30 days up to today or the latest counted day, oldest first, with the sums of all operations. Days
 * without requests are included.
 * @param now milliseconds since the Unix epoch
 */
export function dailyOutcomes(days: readonly UsageDay[], now: number): DayOutcomes[] {
  const latest = Math.max(now - (now % DAY_MS), ...days.map(({ day }) => Date.parse(day)));
  const names = Array.from({ length: DAYS }, (_, n) => dayOf(latest - (DAYS - 1 - n) * DAY_MS));
  return names.map((name) => {
    const rows = days.filter(({ day }) => day === name);
    const sum = (field: 'requests' | 'kept' | 'refused' | 'limited') => rows.reduce((all, row) => all + row[field], 0);
    const [total, cached, refused, limited] = [sum('requests'), sum('kept'), sum('refused'), sum('limited')];
    return { day: name, total, computed: total - cached - refused - limited, cached, refused, limited };
  });
}

/** Returns the end of a scale that contains `most`: 1, 2 or 5 times a power of ten, and at least 2. */
export function scaleEnd(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 2)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((end) => end >= Math.max(most, 2))!;
}

/** Returns the counts as CSV, latest day first, one row for each day and operation. */
export function usageCsv(days: readonly UsageDay[]): string {
  const rows = days.map(({ day, operation, requests, kept, refused, limited }) =>
    [day, operation, requests, kept, refused, limited].join(','),
  );
  return ['day,operation,requests,cached,refused,over_limit', ...rows, ''].join('\r\n');
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
