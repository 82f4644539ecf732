import { steadyClock } from './clock.ts';

/**
 * Returns a function that gets a value at most once in `ms` milliseconds. In the meantime, it returns the last value.
 */
export function rememberFor<Value>(ms: number, get: () => Promise<Value>, clock = steadyClock): () => Promise<Value> {
  let last: { at: number; value: Promise<Value> } | undefined;
  return () => {
    const now = clock.now();
    if (last === undefined || now - last.at >= ms) last = { at: now, value: get() };
    return last.value;
  };
}
