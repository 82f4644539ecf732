import { systemClock } from '../../base/clock.ts';

/** Returns the actor, the time and the reason for the logs of operators' actions. */
export function onCommandLine(reason = ''): { actor: string; now: number; reason: string } {
  return { actor: 'command line', now: systemClock.now(), reason };
}
