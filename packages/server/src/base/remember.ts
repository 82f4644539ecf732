import { steadyClock } from './clock.ts';

/**
 * Returns a function that fetches a value at most once in `ms` milliseconds. In the meantime, it returns the last
 * value. After a failure, the next call tries again.
 */
export function rememberFor<Value>(ms: number, get: () => Promise<Value>, clock = steadyClock): () => Promise<Value> {
  let last: { at: number; value: Promise<Value> } | undefined;
  return () => {
    const now = clock.now();
    if (last !== undefined && now - last.at < ms) return last.value;
    const value = get();
    last = { at: now, value };
    const forget = () => {
      if (last?.value === value) last = undefined;
    };
    value.catch(forget);
    return value;
  };
}

/**
 * Returns a function that computes a value on first use and caches the value. After a failure, the next call tries
 * again.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
