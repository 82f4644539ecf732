import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../db/index.ts';
import { relayMigrations } from './index.ts';
import { addRelay, countEvents, findProgress, reportRelays, saveProgress } from './state.ts';

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

test('each relay is reported with its own streams and counts', async () => {
  const [cats, dogs] = ['wss://cats.example', 'wss://dogs.example'];
  for (const relay of [dogs, cats]) await addRelay(db, relay, 0);
  await countEvents(db, cats, new Map([['added', 2]]));
  await countEvents(
    db,
    cats,
    new Map([
      ['added', 1],
      ['too old', 5],
    ]),
  );
  await countEvents(db, dogs, new Map([['added', 7]]));
  await countEvents(db, dogs, new Map());
  const progress = { head: 5, gaps: [], repairedAt: 0 };
  await saveProgress(db, { relay: dogs, stream: 'gifs', filter: '' }, progress);
  expect(await reportRelays(db)).toMatchObject([
    { url: cats, counts: { added: 3, 'too old': 5 }, streams: [] },
    { url: dogs, counts: { added: 7 }, streams: [{ stream: 'gifs', head: 5, gaps: [] }] },
  ]);
});
