import { setTimeout as wait } from 'node:timers/promises';

/** A background task that runs until it is stopped. */
export interface Stoppable {
  /** Stops the task. Resolves when the task has stopped completely. */
  stop(): Promise<void>;
}

/** Waits `ms`, or until the signal aborts. Never rejects. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => {}); // the signal ends the wait
}

/** Repeats `act` with pauses until the signal aborts. Rejects if `act` fails first. */
export async function repeat(signal: AbortSignal, pauseMs: number, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await act().catch((error) => {
      if (!signal.aborted) throw error;
    });
    await pause(pauseMs, signal);
  }
}

/**
 * Repeats `act` with pauses until the returned task is stopped. Stopping aborts the signal. A failure is reported, but
 * does not end the repetition. A failure is reported again only if `act` has succeeded or failed in another way since
 * the last report. Otherwise, a database that is down for an hour would fill the log.
 */
export function keepDoing(
  pauseMs: number,
  act: (signal: AbortSignal) => Promise<void>,
  report: (error: unknown) => void,
): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  let reported: string | undefined;
  const actOnce = async () => {
    try {
      await act(signal);
      reported = undefined;
    } catch (error) {
      if (signal.aborted || String(error) === reported) return;
      reported = String(error);
      report(error);
    }
  };
  const running = repeat(signal, pauseMs, actOnce).catch(report);
  return {
    stop() {
      stopping.abort();
      return running;
    },
  };
}
