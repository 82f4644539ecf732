import { expect, test } from 'vitest';
import { atMost } from './at-most.ts';

test('limits concurrency, keeps the order, and continues after an error', async () => {
  const turn = atMost(2);
  let running = 0;
  const seen: number[] = [];
  const order: number[] = [];
  const run = (i: number) => async (): Promise<void> => {
    seen.push(++running);
    order.push(i);
    await new Promise(setImmediate);
    running--;
    if (i % 3 === 0) throw new Error('failed');
  };
  await Promise.allSettled(Array.from({ length: 20 }, (_, i) => turn(run(i))));
  expect(Math.max(...seen)).toBe(2);
  expect(order).toEqual(Array.from({ length: 20 }, (_, i) => i));
  await expect(turn(async () => 'free')).resolves.toBe('free');
});
