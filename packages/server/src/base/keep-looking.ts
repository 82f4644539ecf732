import type { Log } from './log.ts';
import { keepDoing, pause, type Stoppable } from './repeat.ts';

/**
 * Maximum delay until a change takes effect. Such changes are a published build, a hidden GIF, a change of the
 * registry, and a change of the operator's words.
 */
const WATCH_MS = 250;

/**
 * Calls `look` a few times a second. The first call follows a pause, because all data has just been read when this
 * function is called.
 * @param look never fails, see `tellingOnce`
 */
export function keepLooking(look: () => Promise<void>): Stoppable {
  const lookLater = async (signal: AbortSignal) => {
    await pause(WATCH_MS, signal);
    if (!signal.aborted) await look();
  };
  return keepDoing(0, lookLater, () => {});
}

/**
 * Returns a function that runs `look`, which can fail. Of consecutive failures, logs only the first. Also logs the
 * recovery.
 */
export function tellingOnce(log: Log, failure: string, look: () => Promise<void>): () => Promise<void> {
  let failing = false;
  return async () => {
    try {
      await look();
      if (failing) log.info(`over: ${failure}`);
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, failure);
      failing = true;
    }
  };
}
