import { setTimeout as wait } from 'node:timers/promises';

/** What runs beside everything else until it is stopped. */
export interface Stoppable {
  /** Settles when nothing of it runs any more. */
  stop(): Promise<void>;
}

/** Waits so many milliseconds, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {}); // the signal ends the wait
}

/** Acts again and again, with a pause between, until the signal aborts. Rejects when it fails before that. */
export async function repeat(signal: AbortSignal, pauseMs: number, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error) => {
      if (!signal.aborted) throw error;
    });
    await pause(pauseMs, signal);
  }
}

/**
 * Acts again and again, with a pause between, until it is stopped; the signal says when. A failure is reported and does
 * not end it.
 */
export function keepDoing(
  pauseMs: number,
  act: (signal: AbortSignal) => Promise<void>,
  report: (error: unknown) => void,
): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const actOnce = () =>
    act(signal).catch((error) => {
      if (!signal.aborted) report(error);
    });
  const running = repeat(signal, pauseMs, actOnce).catch(report);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
