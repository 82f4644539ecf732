import { expect, test } from 'vitest';
import { rememberFor } from './remember.ts';

test('a value is read at most once in the given time, also by several callers', async () => {
  let [now, reads] = [5_000, 0];
  const read = rememberFor(1_000, async () => ++reads, { now: () => now });
  expect(await Promise.all([read(), read()])).toEqual([1, 1]);
  now += 999;
  expect(await read()).toBe(1);
  now += 1;
  expect(await read()).toBe(2);
  now += 999;
  expect(await read()).toBe(2);
});

test('a failure is not remembered', async () => {
  let isDown = true;
  const get = async () => {
    if (isDown) throw new Error('down');
    return 'up';
  };
  const read = rememberFor(1_000, get, { now: () => 0 });
  await expect(read()).rejects.toThrow('down');
  isDown = false;
  expect(await read()).toBe('up');
});
