import type { History, HistoryPoint } from '@zoetrope/contract/account';
import { say } from '../../words/operators.ts';
import { count, percent } from '../../words.ts';

/** A line of a chart, with a value for each interval. Null where there is nothing to show. */
interface Curve {
  name: string;
  values: readonly (number | null)[];
}

export interface Chart {
  name: string;
  /** At most two. */
  curves: readonly Curve[];
  /** Formats a value. */
  inWords(value: number): string;
}

/** Returns a point for each interval, oldest first; null where the service did not run. */
export function intervalsOf({ seconds, from, to, points }: History): { at: number; point: HistoryPoint | null }[] {
  const known = new Map(points.map((point) => [point.at, point]));
  const length = seconds * 1_000;
  return Array.from({ length: Math.round((to - from) / length) + 1 }, (_, n) => {
    const at = from + n * length;
    return { at, point: known.get(at) ?? null };
  });
}

/**
 * Returns the charts of a history.
 * @param now milliseconds since the Unix epoch. The last interval has not ended, so its searches arrived in a shorter
 * time
 */
export function chartsOf(history: History, now: number): Chart[] {
  const intervals = intervalsOf(history);
  const curve = (name: string, read: (point: HistoryPoint) => number | null): Curve => ({
    name,
    values: intervals.map(({ point }) => point && read(point)),
  });
  const share = (part: 'cached' | 'degraded') => (point: HistoryPoint) =>
    point.searches === 0 ? null : point[part] / point.searches;
  const perMinute = ({ at, searches }: HistoryPoint) => searches / minutesOf(at, history.seconds, now);
  const shareInWords = (value: number) => percent(value, value < 0.1 ? 1 : 0);
  const milliseconds = (value: number) =>
    value >= 1_000 ? say('secondOrMore') : say('milliseconds', { n: rounded(value) });
  return [
    { name: say('searchesMinute'), inWords: rounded, curves: [curve(say('curve_searches'), perMinute)] },
    {
      name: say('searchTime'),
      inWords: milliseconds,
      curves: [curve(say('curve_median'), ({ p50 }) => p50), curve(say('curve_p99'), ({ p99 }) => p99)],
    },
    {
      name: say('searchShare'),
      inWords: shareInWords,
      curves: [curve(say('curve_cached'), share('cached')), curve(say('curve_words'), share('degraded'))],
    },
    {
      name: say('errors'),
      inWords: (value: number) => count(value),
      curves: [
        curve(say('curve_refused'), ({ refused }) => refused),
        curve(say('curve_failed'), ({ failed }) => failed),
      ],
    },
    {
      name: say('jobsOpen'),
      inWords: (value: number) => count(value),
      curves: [curve(say('curve_open'), ({ openJobs }) => openJobs)],
    },
    {
      name: say('gifs'),
      inWords: (value: number) => count(value),
      curves: [curve(say('curve_found'), ({ gifs }) => gifs)],
    },
  ];
}

/** Returns how much of an interval has passed, in minutes. At least one, because counts are saved every minute. */
function minutesOf(at: number, seconds: number, now: number): number {
  return Math.min(seconds / 60, Math.max(1, (now - at) / 60_000));
}

function rounded(value: number): string {
  return count(value, value < 10 ? 1 : 0);
}

/** Returns the values of one interval, such as "from the cache 40 %, by words only 3 %". */
export function valuesAt({ curves, inWords }: Chart, interval: number): string {
  const told = curves.flatMap(({ name, values }) => {
    const value = values[interval] ?? null;
    return value === null
      ? []
      : [curves.length === 1 ? inWords(value) : say('curveValue', { name, value: inWords(value) })];
  });
  return told.length === 0 ? say('nothing') : told.join(say('comma'));
}

/**
 * Returns the SVG path of a curve. It is interrupted where there is no value. @param end the value at the top of the
 * chart, whose height is 100
 */
export function pathOf(values: readonly (number | null)[], end: number): string {
  const parts = values.map((value, n) => {
    if (value === null) return '';
    const isFirst = (values[n - 1] ?? null) === null;
    const y = Math.round(1_000 * (1 - value / end)) / 10;
    // A value between two gaps is drawn as wide as its interval.
    return `${isFirst ? `M${n} ${y}` : `L${n} ${y}`}${isFirst ? 'h0.5' : ''}`;
  });
  return parts.join('');
}
