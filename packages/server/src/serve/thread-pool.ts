import { on, once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Log } from '../base/log.ts';
import type { ToThread } from './messages.ts';

/**
 * If this number of threads die within WITHIN_MS, the process ends. Its supervisor then decides whether to restart it.
 */
const MOST_DEATHS = 3;
const WITHIN_MS = 60_000;

export interface ThreadPool {
  send(message: ToThread): void;
  /** Rejects if threads die too often. */
  failed: Promise<never>;
  /** Sends `stop` to all threads and waits until they have ended. */
  stop(): Promise<void>;
}

interface PoolOptions {
  count: number;
  /** Starts the thread with this number, with the current state. */
  start(n: number): Worker;
  log: Log;
}

/**
 * Starts threads one after another and replaces threads that die. Rejects with the error of the first thread that
 * cannot start.
 */
export async function startPool({ count, start, log }: PoolOptions): Promise<ThreadPool> {
  const workers = new Map<number, Worker>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // the caller can await it later
  let deaths: number[] = [];
  let isStopping = false;

  function run(n: number): Worker {
    const worker = start(n);
    workers.set(n, worker);
    let reason: unknown;
    worker.on('error', (error) => {
      reason = error;
    });
    worker.once('exit', (code) => {
      workers.delete(n);
      if (!isStopping && isStarted.has(n)) replace(n, reason ?? new Error(`it ended with code ${code}`));
    });
    return worker;
  }

  function replace(n: number, reason: unknown): void {
    const now = performance.now();
    deaths = [...deaths.filter((at) => now - at < WITHIN_MS), now];
    if (deaths.length >= MOST_DEATHS) {
      const message = `${MOST_DEATHS} threads died within a minute, the last one because of: ${messageOf(reason)}`;
      failed.reject(new Error(message, { cause: reason }));
      return;
    }
    log.error({ err: reason, thread: n }, 'a serving thread died and is being replaced');
    run(n);
  }

  const isStarted = new Set<number>();
  for (let n = 0; n < count; n++) {
    await listening(run(n));
    isStarted.add(n);
  }
  return {
    send(message) {
      for (const worker of workers.values()) worker.postMessage(message);
    },
    failed: failed.promise,
    async stop() {
      isStopping = true;
      const running = [...workers.values()];
      const gone = running.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
      for (const worker of running) worker.postMessage({ type: 'stop' } satisfies ToThread);
      await Promise.all(gone);
    },
  };
}

/** Resolves when a thread has started to listen. Rejects if the thread dies before that. */
async function listening(worker: Worker): Promise<void> {
  const started = new AbortController();
  const { signal } = started;
  const died = once(worker, 'exit', { signal }).then(([code]) => {
    throw new Error(`a thread ended with code ${code} before it listened`);
  });
  const listens = (async () => {
    for await (const [message] of on(worker, 'message', { signal })) if (message.type === 'listening') return;
  })();
  try {
    await Promise.race([listens, died]);
  } finally {
    died.catch(() => {});
    listens.catch(() => {});
    started.abort();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
