/** The current time; tests pass their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Each thread's `performance.now()` starts with the thread. */
const BEGAN = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/**
 * A monotonic clock in milliseconds, the same on all threads of a process. Unlike the system's clock it is never set,
 * so it is used for durations: rate limits, and how long failures are cached.
 */
export const steadyClock: Clock = { now: () => BEGAN + performance.now() };
