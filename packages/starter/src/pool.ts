import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { RenderTask } from './worker.ts';

/**
 * Maximum number of threads. Each thread holds the emoji set, which takes about 60 MB. More than four threads would not
 * be much faster.
 */
const mostThreads = 4;

/** The program of the threads. In the service's bundle, this is one file with all the code that draws. */
export const SCRIPT = new URL('./worker.ts', import.meta.url);

/**
 * Renders the tasks on a few threads, in no particular order. Calls `onDone` after each task. Stops at the first
 * failure.
 */
export async function renderAll(
  tasks: readonly RenderTask[],
  onDone: () => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  const waiting = [...tasks];
  const count = Math.min(availableParallelism(), mostThreads, tasks.length);
  const threads = Array.from({ length: count }, () => new Worker(SCRIPT));
  const stop = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    const work = Promise.all(threads.map((thread) => feed(thread, waiting, onDone)));
    await Promise.race([work, stop]);
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** Gives a thread one task after another until no task is left. */
function feed(thread: Worker, waiting: RenderTask[], onDone: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const next = () => {
      const task = waiting.shift();
      if (task) thread.postMessage(task);
      else resolve();
    };
    thread.on('message', () => {
      onDone();
      next();
    });
    thread.once('error', reject);
    thread.once('exit', () => reject(new Error('a rendering thread ended before it finished its work')));
    next();
  });
}
