import { expect, onTestFinished, test } from 'vitest';
import { migrate, openDatabase } from '../db/index.ts';
import { relayMigrations } from './index.ts';
import { addUsage, endOfDay, usageOf } from './usage.ts';

test('the use of many keys adds up until the end of the day', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  await migrate(db, relayMigrations);
  const keys = Array.from({ length: 600 }, (_, n) => `claims wss://${n}.example`);
  const use = new Map(keys.map((key, n) => [key, n + 1]));
  const now = Date.UTC(2026, 0, 1, 23);
  await addUsage(db, use, now);
  await addUsage(db, use, now + 1_000);
  expect(await usageOf(db, ['other', ...keys], now)).toEqual(new Map(keys.map((key, n) => [key, 2 * (n + 1)])));
  const tomorrow = endOfDay(now);
  expect(await usageOf(db, keys, tomorrow - 1)).toHaveProperty('size', 600);
  expect(await usageOf(db, keys, tomorrow)).toEqual(new Map());
  await addUsage(db, new Map([[keys[0]!, 5]]), tomorrow);
  expect(await usageOf(db, keys, tomorrow)).toEqual(new Map([[keys[0]!, 5]]));
});
