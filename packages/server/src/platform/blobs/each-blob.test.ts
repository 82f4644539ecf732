import { expect, test } from 'vitest';
import { eachBlob } from './each-blob.ts';

/** Resolves when all code has run that does not wait for a gate. */
const settled = () => new Promise(setImmediate);

test('calls are made for all blobs, several at the same time', async () => {
  const seen: number[] = [];
  let running = 0;
  let most = 0;
  await eachBlob(new Array(50).keys(), async (n) => {
    most = Math.max(most, ++running);
    await settled();
    running--;
    seen.push(n);
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual([...new Array(50).keys()]);
  expect(most).toBeGreaterThan(1);
});

test('after a failure, no more calls start, and the failure is thrown when the running calls have ended', async () => {
  const gate = Promise.withResolvers<void>();
  const failing = Promise.withResolvers<never>();
  const started: number[] = [];
  let ended = 0;
  let isThrown = false;
  const all = eachBlob(new Array(1_000).keys(), async (n) => {
    started.push(n);
    await (n === 2 ? failing.promise : gate.promise);
    ended++;
  });
  const thrown = all.catch((error: Error) => {
    isThrown = true;
    return error.message;
  });
  await settled();
  const running = started.length;
  failing.reject(new Error('the disk is full'));
  await settled();
  expect([started.length, isThrown]).toEqual([running, false]);
  gate.resolve();
  expect(await thrown).toBe('the disk is full');
  expect([started.length, ended]).toEqual([running, running - 1]);
});
