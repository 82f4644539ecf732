import { GifError } from './errors.ts';

/**
 * Runs a call until the caller's signal aborts it, or until it fails with GifError `unreachable` after a time limit.
 * `AbortSignal.any` and `AbortSignal.timeout` are missing in React Native.
 * @param limitMs undefined: no limit
 */
export async function within<Result>(
  limitMs: number | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
  signal: AbortSignal | undefined,
  controller: AbortController = new AbortController(),
): Promise<Result> {
  const abort = () => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', abort, { once: true });
  const late = new GifError('unreachable', `The service did not respond within ${limitMs} ms`);
  const timer = limitMs === undefined ? undefined : setTimeout(() => controller.abort(late), limitMs);
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
