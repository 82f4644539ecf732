import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Database, migrate, openDatabase } from '../db/index.ts';
import { findNodes, keepPresent, nodeMigrations } from './index.ts';

const SOON = { timeout: 480_000, interval: 50 };
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, nodeMigrations);
});
afterEach(() => db.destroy());

test('the list shows what each process serves now', async () => {
  let served = { build: 'first', revision: 1 };
  const fail = vi.fn();
  const presence = keepPresent(db, { machine: 'one', role: 'serve', served: () => served }, fail);
  await presence.joined;
  expect(await findNodes(db)).toMatchObject([{ id: presence.id, machine: 'one', build: 'first', revision: 1 }]);
  served = { build: 'second', revision: 2 };
  const isNew = async () => expect(await findNodes(db)).toMatchObject([{ build: 'second', revision: 2 }]);
  await vi.waitFor(isNew, SOON);
  await presence.stop();
  expect(await findNodes(db)).toEqual([]);
  expect(fail).not.toHaveBeenCalled();
});

test('a list that cannot be written is reported once, even when the process removes its own entry', async () => {
  const broken = openDatabase(':memory:');
  const fail = vi.fn();
  const presence = keepPresent(broken, { machine: 'one', role: 'serve' }, fail);
  await vi.waitFor(() => expect(fail).toHaveBeenCalled(), SOON);
  await presence.stop();
  expect(fail.mock.calls.map(([error]) => String(error))).toEqual(['SqliteError: no such table: nodes']);
  await broken.destroy();
});
