import { expect, test } from 'vitest';
import { lookInterval } from './schedule.ts';

const ORDER = { createdAt: 0, expiresAt: 900_000 };

test.each([
  [0, 2_000],
  [59_999, 2_000],
  [60_000, 5_000],
  [899_999, 5_000],
  [900_000, 60_000],
  [1_499_999, 60_000],
  [1_500_000, 3_600_000],
])('after %i ms an order is looked up every %i ms', (now, interval) => {
  expect(lookInterval(ORDER, now)).toBe(interval);
});

test('an unpaid invoice costs at most 280 calls in two days', () => {
  let calls = 0;
  for (let now = 0; now < ORDER.expiresAt + 48 * 3_600_000; now += lookInterval(ORDER, now)) calls++;
  expect(calls).toBeLessThanOrEqual(280);
});
