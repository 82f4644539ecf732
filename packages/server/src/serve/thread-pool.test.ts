import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { startPool } from './thread-pool.ts';

const log = pino({ level: 'silent' });
afterEach(() => void vi.restoreAllMocks());

/** A clock, and a pool with one thread that does nothing but start and die. */
async function startDying() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  const started: EventEmitter[] = [];
  const start = () => {
    const worker = new EventEmitter();
    started.push(worker);
    queueMicrotask(() => worker.emit('message', { type: 'listening' }));
    return worker as unknown as Worker;
  };
  const pool = await startPool({ count: 1, start, log });
  const failure = vi.fn();
  pool.failed.catch(failure);
  return {
    started,
    failure,
    dieAt(ms: number) {
      now = ms;
      started.at(-1)!.emit('exit', 1);
      return new Promise(setImmediate);
    },
  };
}

test('a thread that dies now and then is replaced each time', async () => {
  const { started, failure, dieAt } = await startDying();
  for (let n = 1; n <= 6; n++) await dieAt(n * 40_000);
  expect(failure).not.toHaveBeenCalled();
  expect(started).toHaveLength(7);
});

test('the third crash within a minute ends the process', async () => {
  const { started, failure, dieAt } = await startDying();
  await dieAt(1_000);
  await dieAt(2_000);
  expect(failure).not.toHaveBeenCalled();
  await dieAt(60_500);
  expect(failure).toHaveBeenCalledWith(
    expect.objectContaining({ message: expect.stringContaining('3 threads died within a minute') }),
  );
  expect(started).toHaveLength(3);
});
