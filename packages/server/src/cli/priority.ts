import { spawnSync } from 'node:child_process';
import os from 'node:os';

/** Commands that take GIFs in, and are long about it. */
const LONG = new Set(['add', 'work', 'build', 'relays']);

/**
 * Such a command steps back behind a service that answers on the same machine, with every thread and process still to come.
 * In Linux's idle class it gives way at once; at low priority, whoever wakes up to answer would first wait for a slice to
 * end.
 */
export function lowerPriority(command: string | undefined): void {
  if (command === undefined || !LONG.has(command)) return;
  const idle = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)];
  if (spawnSync('chrt', idle, { stdio: 'ignore' }).status === 0) return;
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems refuse; the work is the same, only less polite.
  }
}
