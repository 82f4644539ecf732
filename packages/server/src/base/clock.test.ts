import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { within } from './clock.ts';

beforeEach(() => void vi.useFakeTimers());
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
