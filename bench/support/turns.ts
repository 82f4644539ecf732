import fs from 'node:fs';
import { isMainThread, threadId } from 'node:worker_threads';

/*
 * Loaded into a service by NODE_OPTIONS. Notes, in the file that BENCH_TURNS names, each turn of an event loop of the service
 * that took long: how much CPU time its thread spent between two ticks of a timer, and how much time passed meanwhile. The
 * former is how long our own code kept the loop, whatever other programs did; the latter has all waits for a core in it.
 */

const EVERY_MS = 1;
const LONG_MS = 4;
const LONG_PASSED_MS = 10;

/** A turn that took long, in milliseconds; `at` since the Unix epoch. */
export interface Turn {
  thread: number;
  at: number;
  cpu: number;
  passed: number;
}

const file = process.env['BENCH_TURNS'];
// Only the service itself: its children inherit the variables, too.
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

/** What was noted from a moment on, by the time it took. */
export function readTurns(file: string, since: number): Turn[] {
  const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  return lines
    .map((line) => JSON.parse(line) as Turn)
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.cpu - b.cpu);
}
