import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Commands that take a long time. */
const LONG = new Set(['add', 'backup', 'work', 'build', 'index', 'relays']);

/**
 * Lowers the priority of a long command, including its threads and processes, if a service runs on the same data
 * folder. In Linux's idle class, a command gives way to the serving threads immediately. If the command only had a low
 * priority, the serving threads would wait until its time slice ends. If no service runs, the priority is not lowered,
 * because on a busy machine, a command in the idle class may get no CPU time at all.
 */
export function lowerPriority(command: string | undefined, data: string): void {
  if (command === undefined || !LONG.has(command) || !isServed(data)) return;
  const idle = ['--all-tasks', '--idle', '--pid', '0', String(process.pid)];
  if (spawnSync('chrt', idle, { stdio: 'ignore' }).status === 0) return;
  try {
    // A command that was started at an even lower priority keeps that priority.
    os.setPriority(Math.max(os.getPriority(), os.constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // Some systems do not allow a lower priority. The command then runs at normal priority.
  }
}

/**
 * Returns whether a service runs on this data folder. It can also return true after a service was killed, so that the
 * priority is lowered unnecessarily.
 */
function isServed(data: string): boolean {
  return fs.existsSync(path.join(data, 'serve.lock.holder'));
}
