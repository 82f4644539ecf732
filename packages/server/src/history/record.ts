import { BOUNDS, type OperationCounts } from '../base/metrics.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { type HistoryTable, INTERVALS, tables } from './tables.ts';

/** The state of the service, apart from its counters. */
export interface Levels {
  /** GIFs that searches find. */
  gifs: number;
  openJobs: number;
}

/** Returns the name under which the searches of a bucket of the latency histogram are stored. */
export function nameOfBucket(bucket: number): string {
  return bucket < BOUNDS.length ? `ms ${BOUNDS[bucket]}` : 'slower';
}

/** Returns the counts since an earlier reading of the same counters. */
export function countsSince(now: OperationCounts, before: OperationCounts): OperationCounts {
  const { outcomes, times } = now;
  const names = Object.keys(outcomes) as (keyof typeof outcomes)[];
  const since = names.map((name) => [name, outcomes[name] - before.outcomes[name]]);
  return {
    outcomes: Object.fromEntries(since) as typeof outcomes,
    times: times.map((count, bucket) => count - before.times[bucket]!),
  };
}

/**
 * Adds the searches of one process to the current intervals, and removes old intervals. The counts of several processes
 * add up. All processes of a catalogue report the same levels (GIFs and open jobs), so the largest value of an interval
 * is stored.
 * @param searches the searches since the process last called this function
 * @param now milliseconds since the Unix epoch
 */
export async function recordHistory(
  db: Database,
  { outcomes, times }: OperationCounts,
  { gifs, openJobs }: Levels,
  now: number,
): Promise<void> {
  const seconds = Math.floor(now / 1_000);
  const buckets = times.map((count, bucket) => [nameOfBucket(bucket), count] as const);
  const counts = [...Object.entries(outcomes), ...buckets].filter(([, count]) => count > 0);
  const levels = [['gifs', gifs] as const, ['open jobs', openJobs] as const];
  await inTransaction(db, async (trx) => {
    if (counts.length > 0) await add(trx, rowsOf(counts, seconds));
    await raise(trx, rowsOf(levels, seconds));
    for (const { seconds: length, keptFor } of INTERVALS) {
      const old = tables(trx).deleteFrom('history').where('seconds', '=', length);
      await old.where('at', '<', seconds - keptFor).execute();
    }
  });
}

function rowsOf(numbers: readonly (readonly [what: string, amount: number])[], now: number): HistoryTable[] {
  return INTERVALS.flatMap(({ seconds }) =>
    numbers.map(([what, amount]) => ({ seconds, at: now - (now % seconds), what, amount })),
  );
}

async function add(db: Database, rows: readonly HistoryTable[]): Promise<void> {
  await tables(db)
    .insertInto('history')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['seconds', 'at', 'what'])
        .doUpdateSet((is) => ({ amount: is('history.amount', '+', is.ref('excluded.amount')) })),
    )
    .execute();
}

async function raise(db: Database, rows: readonly HistoryTable[]): Promise<void> {
  await tables(db)
    .insertInto('history')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['seconds', 'at', 'what'])
        .doUpdateSet((is) => ({ amount: is.ref('excluded.amount') }))
        .whereRef('history.amount', '<', 'excluded.amount'),
    )
    .execute();
}
