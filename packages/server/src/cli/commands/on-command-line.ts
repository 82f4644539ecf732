import { systemClock } from '../../base/clock.ts';

/** Returns who acts now, and why, for the logs of what operators did. */
export function onCommandLine(reason = ''): { actor: string; now: number; reason: string } {
  return { actor: 'command line', now: systemClock.now(), reason };
}
