import { expect, test } from 'vitest';
import { singleFlight } from './single-flight.ts';

test('calls with the same key share one run, and other keys have their own', async () => {
  const fly = singleFlight<string>();
  const gate = Promise.withResolvers<string>();
  let runs = 0;
  const run = (): Promise<string> => {
    runs++;
    return gate.promise;
  };
  const calls = [...Array.from({ length: 50 }, () => fly('a', run)), fly('b', run)];
  expect(runs).toBe(2);
  gate.resolve('made');
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['made']));
});

test('nothing is cached after a run has settled, not even an error', async () => {
  const fly = singleFlight<string>();
  await expect(fly('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  await expect(fly('a', async () => 'up')).resolves.toBe('up');
});
