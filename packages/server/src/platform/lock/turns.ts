import { setTimeout as wait } from 'node:timers/promises';
import { type Lock, LockTaken } from './lock.ts';

/** Time between two attempts to take a lock while another process holds it. */
const TURN_MS = 250;

interface Waiting {
  signal: AbortSignal;
  /** Called once with the holder if the lock is not free. */
  onWait?: (holder: string) => void;
}

/** Takes a lock. If another process holds it, waits until it is released. */
export async function whenFree(take: () => Lock | Promise<Lock>, { signal, onWait }: Waiting): Promise<Lock> {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof LockTaken)) throw error;
      if (isFirst) onWait?.(error.holder);
    }
    await wait(TURN_MS, undefined, { signal });
  }
}

/** Takes a lock. Returns undefined if another process holds the lock. */
export async function ifFree(take: () => Promise<Lock>): Promise<Lock | undefined> {
  try {
    return await take();
  } catch (error) {
    if (error instanceof LockTaken) return undefined;
    throw error;
  }
}
