/** Where the time comes from; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Threads count `performance.now()` from when each began. */
const BEGAN = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();

/**
 * Milliseconds since some moment, the same one on all threads of a process. Unlike the system's clock it is never set, so
 * what must pass by itself is counted by it: budgets, and how long a failure is believed.
 */
export const steadyClock: Clock = { now: () => BEGAN + performance.now() };
