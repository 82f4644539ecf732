import { expect, test } from 'vitest';
import { rememberFor } from './remember-for.ts';

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
