import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { keepDoing, pause, repeat } from './repeat.ts';

/** A pause that is so long that it never ends during a test. */
const ENDLESS_MS = 1e9;

/** Returns a function that returns whether the promise has settled. */
function settled(promise: Promise<unknown>): () => boolean {
  let isSettled = false;
  void promise.finally(() => (isSettled = true));
  return () => isSettled;
}

test('repeat acts until the signal aborts', async () => {
  const stopping = new AbortController();
  let times = 0;
  await repeat(stopping.signal, 1, async () => {
    if (++times === 3) stopping.abort();
  });
  expect(times).toBe(3);
});

test('repeat ends with the first failure', async () => {
  const failing = repeat(new AbortController().signal, 1, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
});

test('repeat does not fail with an error caused by the signal', async () => {
  const stopping = new AbortController();
  await repeat(stopping.signal, 1, async () => {
    stopping.abort();
    stopping.signal.throwIfAborted();
  });
});

test('keepDoing reports failures and continues', async () => {
  const reported: unknown[] = [];
  let times = 0;
  const doing = keepDoing(
    1,
    async () => {
      if (++times === 1) throw new Error('once');
    },
    (error) => reported.push(error),
  );
  await vi.waitUntil(() => times >= 3, { timeout: 480_000 });
  await doing.stop();
  expect(reported).toEqual([new Error('once')]);
});

test('keepDoing reports the same failure once, until the work succeeds or fails in another way', async () => {
  const outcomes = ['away', 'away', 'full', 'full', undefined, 'full', 'full'];
  const reported: unknown[] = [];
  let times = 0;
  const doing = keepDoing(
    1,
    async () => {
      const outcome = outcomes[times++];
      if (outcome !== undefined) throw new Error(outcome);
    },
    (error) => reported.push((error as Error).message),
  );
  await vi.waitUntil(() => times > outcomes.length, { timeout: 480_000 });
  await doing.stop();
  expect(reported).toEqual(['away', 'full', 'full']);
});

test('keepDoing stops after the running call and starts no other', async () => {
  const started = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const events: string[] = [];
  const doing = keepDoing(
    1,
    async (signal) => {
      events.push('started');
      started.resolve();
      await released.promise;
      events.push(signal.aborted ? 'ended after the stop' : 'ended before the stop');
    },
    () => {},
  );
  await started.promise;
  const stopped = doing.stop();
  released.resolve();
  await stopped;
  expect(events).toEqual(['started', 'ended after the stop']);
});

test('pause ends early when the signal aborts, before or during it', async () => {
  await pause(ENDLESS_MS, AbortSignal.abort());
  const stopping = new AbortController();
  const pausing = settled(pause(ENDLESS_MS, stopping.signal));
  await setImmediate();
  expect(pausing()).toBe(false);
  stopping.abort();
  await setImmediate();
  expect(pausing()).toBe(true);
});

test('repeat and keepDoing end early when they are stopped during a pause', async () => {
  const stopping = new AbortController();
  let times = 0;
  const act = async () => void times++;
  const repeating = settled(repeat(stopping.signal, ENDLESS_MS, act));
  const doing = keepDoing(ENDLESS_MS, act, () => {});
  await setImmediate();
  expect([times, repeating()]).toEqual([2, false]);
  stopping.abort();
  const stopped = settled(doing.stop());
  await setImmediate();
  expect([times, repeating(), stopped()]).toEqual([2, true, true]);
});
