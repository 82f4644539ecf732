import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inParallel } from './in-parallel.ts';

test('fails with the first failure, but only after all runs have ended', async () => {
  const slow = Promise.withResolvers<void>();
  const runs = [slow.promise, Promise.reject(new Error('first')), Promise.reject(new Error('second'))];
  let isSettled = false;
  const running = inParallel(runs.length, () => runs.shift()!);
  const settled = running.catch((error: Error) => error.message).finally(() => (isSettled = true));
  await nextTurn();
  expect(isSettled).toBe(false);
  slow.resolve();
  expect(await settled).toBe('first');
});
