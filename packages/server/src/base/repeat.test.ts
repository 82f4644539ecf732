import { expect, test, vi } from 'vitest';
import { keepDoing, pause, repeat } from './repeat.ts';

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
  await vi.waitUntil(() => times >= 3);
  await doing.stop();
  expect(reported).toEqual([new Error('once')]);
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

test('pause ends early when the signal aborts', async () => {
  await pause(1e9, AbortSignal.abort());
});
