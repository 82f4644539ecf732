/** Returns the current time. Tests pass their own clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** The time at which this thread's `performance.now()` was 0. This time differs between threads. */
const BEGAN = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/**
 * A monotonic clock in milliseconds, the same on all threads of a process. Unlike the system's clock, this clock is
 * never adjusted. Therefore it is used for durations, such as rate limits and the time for which failures are cached.
 */
export const steadyClock: Clock = { now: () => BEGAN + performance.now() };

/** Settles like `work`, or rejects with `late()` if `work` takes longer than `limitMs`. The work itself continues. */
export async function within<Result>(limitMs: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), limitMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
