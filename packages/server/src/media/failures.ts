import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';

const MINUTE_MS = 60_000;
/**
 * Times for which a failure is cached, by the number of failures. A file that fails twice is likely to fail forever.
 */
const BACK_OFF_MS = [5 * MINUTE_MS, 60 * MINUTE_MS, 24 * 60 * MINUTE_MS];
const MAX_REMEMBERED = 10_000;

/** Caches failures, so that repeated requests for the same file cost nothing for a while. */
export class Failures {
  readonly #clock: Clock;
  readonly #failures = new LRUCache<string, { tries: number; until: number; reason: string }>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the error for a key that failed recently, or null if the key can be tried. */
  find(key: string): ServiceError | null {
    const failure = this.#failures.get(key);
    return failure === undefined || this.#clock.now() >= failure.until ? null : notMade(failure.reason);
  }

  /** Records another failure of a key and returns the error for this failure. */
  add(key: string, reason: string): ServiceError {
    const tries = (this.#failures.get(key)?.tries ?? 0) + 1;
    const backOff = BACK_OFF_MS[Math.min(tries, BACK_OFF_MS.length) - 1]!;
    this.#failures.set(key, { tries, until: this.#clock.now() + backOff, reason });
    return notMade(reason);
  }

  forget(key: string): void {
    this.#failures.delete(key);
  }
}

function notMade(reason: string): ServiceError {
  return new ServiceError('not_found', `this preview cannot be made: ${reason}`);
}
