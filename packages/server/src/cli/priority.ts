import os from 'node:os';

/** Taking GIFs in must not slow down a service that answers on the same machine. */
export function lowerPriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems refuse; the work is the same, only less polite.
  }
}
