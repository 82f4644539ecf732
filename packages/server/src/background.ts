import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a command of our own in a process of its own; what it says goes to where errors go. */
export function startCommand(...args: string[]): ChildProcess {
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  return spawn(process.execPath, [...process.execArgv, main, ...args], { stdio: ['ignore', 2, 2] });
}
