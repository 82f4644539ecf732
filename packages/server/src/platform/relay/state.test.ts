import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../db/index.ts';
import { relayMigrations } from './index.ts';
import { findProgress, saveProgress } from './state.ts';

let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, relayMigrations);
});
afterEach(() => db.destroy());

test('progress counts only for the same filter', async () => {
  const stream = { relay: 'wss://relay.example', stream: 'gifs', filter: 'of Alice' };
  const progress = { head: 1_790_000_000, gaps: [], repairedAt: 1_780_000_000 };
  await saveProgress(db, stream, progress);
  expect(await findProgress(db, stream)).toMatchObject(progress);
  const more = { ...stream, filter: 'of Alice and Bob' };
  expect(await findProgress(db, more)).toMatchObject({ head: 0, gaps: [], repairedAt: 0 });
  await saveProgress(db, more, { ...progress, head: 5 });
  expect(await findProgress(db, more)).toMatchObject({ head: 5 });
  expect(await findProgress(db, stream)).toMatchObject({ head: 0 });
});
