import type { History, HistoryPoint, Span } from '@zoetrope/contract/account';
import { BOUNDS } from '../base/metrics.ts';
import type { Database } from '../platform/db/index.ts';
import { nameOfBucket } from './record.ts';
import { tables } from './tables.ts';

/** The curves that can be read, with the length of their intervals and the shown time, in seconds. */
const SPANS = {
  day: { seconds: 300, shown: 86_400 },
  month: { seconds: 3_600, shown: 30 * 86_400 },
} as const satisfies Record<Span, object>;

/** Returns the last 24 hours or 30 days. @param now milliseconds since the Unix epoch */
export async function readHistory(db: Database, span: Span, now: number): Promise<History> {
  const { seconds, shown } = SPANS[span];
  const to = Math.floor(now / 1_000 / seconds) * seconds;
  const from = to - shown + seconds;
  const rows = await tables(db)
    .selectFrom('history')
    .select(['at', 'what', 'amount'])
    .where('seconds', '=', seconds)
    .where('at', '>=', from)
    .where('at', '<=', to)
    .orderBy('at')
    .execute();
  const intervals = Map.groupBy(rows, ({ at }) => at);
  const points = [...intervals].map(([at, numbers]) => pointOf(at, numbers));
  return { seconds, from: from * 1_000, to: to * 1_000, points };
}

function pointOf(at: number, numbers: readonly { what: string; amount: number }[]): HistoryPoint {
  const known = new Map(numbers.map(({ what, amount }) => [what, amount]));
  const read = (what: string) => known.get(what) ?? 0;
  const [cached, degraded, refused, failed] = [read('kept'), read('degraded'), read('refused'), read('failed')];
  const times = Array.from({ length: BOUNDS.length + 1 }, (_, bucket) => read(nameOfBucket(bucket)));
  return {
    at: at * 1_000,
    searches: read('made') + cached + degraded + refused + failed,
    ...{ cached, degraded, refused, failed },
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    gifs: read('gifs'),
    openJobs: read('open jobs'),
  };
}

/**
 * Estimates a quantile from a histogram, as Prometheus does: within a bucket, values count as evenly spread. Values
 * above the last bound count as the last bound.
 * @returns null if there are no values
 */
export function quantile(times: readonly number[], share: number): number | null {
  const wanted = share * times.reduce((sum, count) => sum + count, 0);
  if (wanted === 0) return null;
  let below = 0;
  for (const [bucket, bound] of BOUNDS.entries()) {
    const count = times[bucket]!;
    if (below + count >= wanted) {
      const start = BOUNDS[bucket - 1] ?? 0;
      return start + ((bound - start) * (wanted - below)) / count;
    }
    below += count;
  }
  return BOUNDS.at(-1)!;
}
