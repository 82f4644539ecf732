import fs from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';

/*
 * Loaded into a service by NODE_OPTIONS. Records long turns of the service's event loops in the file that BENCH_TURNS
 * names. A turn has the thread's CPU time between two ticks of a timer, and the elapsed time. CPU time shows how long
 * our own code blocked the loop, and does not depend on other programs. Elapsed time includes all waits for a core.
 */

const EVERY_MS = 1;
const LONG_MS = 4;
const LONG_PASSED_MS = 10;

/** A slow turn, with its duration in milliseconds. `at` is in milliseconds since the Unix epoch. */
export interface Turn {
  thread: number;
  at: number;
  cpu: number;
  passed: number;
}

const file = process.env['BENCH_TURNS'];
// Only the service itself is watched, although its child processes also inherit the variables.
if (file !== undefined && (!isMainThread || process.argv.at(-1) === 'serve')) watch(file);

function watch(file: string): void {
  let last = { at: performance.now(), cpu: process.threadCpuUsage() };
  setInterval(() => {
    const now = { at: performance.now(), cpu: process.threadCpuUsage(last.cpu) };
    const cpu = (now.cpu.user + now.cpu.system) / 1_000;
    const turn: Turn = { thread: threadId, at: performance.timeOrigin + now.at, cpu, passed: now.at - last.at };
    if (cpu >= LONG_MS || turn.passed >= LONG_PASSED_MS) fs.appendFileSync(file, `${JSON.stringify(turn)}\n`);
    last = { at: performance.now(), cpu: process.threadCpuUsage() };
  }, EVERY_MS).unref();
}

/** Returns the turns recorded since a given moment, by ascending CPU time. */
export function readTurns(file: string, since: number): Turn[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return lines
    .map((line) => JSON.parse(line) as Turn)
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.cpu - b.cpu);
}
