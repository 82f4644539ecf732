import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { steadyClock, within } from './clock.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const late = () => new Error('late');

test('settles like the work if that ends in time, and leaves no timer behind', async () => {
  await expect(within(10, Promise.resolve('done'), late)).resolves.toBe('done');
  await expect(within(10, Promise.reject(new Error('failed')), late)).rejects.toThrow('failed');
  expect(vi.getTimerCount()).toBe(0);
});

test('does not wait longer than the limit, and handles a later failure of the work', async () => {
  const work = Promise.withResolvers<string>();
  const waiting = expect(within(10, work.promise, late)).rejects.toThrow('late');
  await vi.advanceTimersByTimeAsync(10);
  await waiting;
  work.reject(new Error('failed'));
  await vi.runAllTimersAsync();
});

test('the steady clock shows the same time on all threads', async () => {
  const program = `import { parentPort } from 'node:worker_threads';
    import { steadyClock } from ${JSON.stringify(new URL('./clock.ts', import.meta.url).href)};
    parentPort.postMessage(steadyClock.now() - Number(process.hrtime.bigint()) / 1e6);`;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  const [there] = (await once(worker, 'message')) as [number];
  await worker.terminate();
  const here = steadyClock.now() - Number(process.hrtime.bigint()) / 1e6;
  // A busy machine can interrupt a thread between its readings of the two clocks.
  for (const difference of [here, there]) expect(Math.abs(difference)).toBeLessThan(100);
});
