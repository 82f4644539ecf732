import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RelayEvent } from './event.ts';

/** Checks signatures in threads. */
export interface Verifier {
  /** Returns whether the id and signature of each event are valid. */
  verify(events: readonly RelayEvent[]): Promise<boolean[]>;
  close(): Promise<void>;
}

/** Minimum number of events per thread. Splitting smaller batches would not save time. */
const SHARE = 32;

/** Creates a verifier. @param threads number of threads. Each thread checks about 2,000 signatures per second. */
export function createVerifier(threads: number): Verifier {
  const workers = Array.from({ length: threads }, startWorker);
  let turn = 0;
  return {
    async verify(events) {
      const share = Math.max(SHARE, Math.ceil(events.length / workers.length));
      const shares: Promise<boolean[]>[] = [];
      for (let from = 0; from < events.length; from += share) {
        shares.push(workers[turn++ % workers.length]!.verify(events.slice(from, from + share)));
      }
      return (await Promise.all(shares)).flat();
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.end()));
    },
  };
}

function startWorker() {
  const worker = new Worker(new URL('./verify-thread.ts', import.meta.url));
  const waiting: PromiseWithResolvers<boolean[]>[] = [];
  worker.on('message', (verdicts: boolean[]) => waiting.shift()?.resolve(verdicts));
  worker.on('error', (error) => {
    for (const { reject } of waiting.splice(0)) reject(error);
  });
  return {
    verify(events: readonly RelayEvent[]): Promise<boolean[]> {
      const answer = Promise.withResolvers<boolean[]>();
      waiting.push(answer);
      worker.postMessage(events);
      return answer.promise;
    },
    async end(): Promise<void> {
      const exit = once(worker, 'exit');
      await worker.terminate();
      await exit.catch(() => {}); // a thread that failed has also ended
    },
  };
}
