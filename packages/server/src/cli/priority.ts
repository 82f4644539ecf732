import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Commands that take GIFs in, and are long about it. */
const LONG = new Set(['add', 'work', 'build', 'relays']);

/**
 * Such a command steps back behind a service that answers out of the same data folder, with every thread and process still
 * to come. In Linux's idle class it gives way at once; at low priority, whoever wakes up to answer would first wait for a
 * slice to end. Without a service there is nobody to step back for: on a busy machine the idle class can mean standing still.
 */
export function lowerPriority(command: string | undefined, data: string): void {
  if (command === undefined || !LONG.has(command) || !isServed(data)) return;
  const idle = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)];
  if (spawnSync('chrt', idle, { stdio: 'ignore' }).status === 0) return;
  try {
    os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems refuse; the work is the same, only less polite.
  }
}

/** Also after a service that was killed; then the command is politer than it need be. */
function isServed(data: string): boolean {
  return fs.existsSync(path.join(data, 'serve.lock.holder'));
}
