import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { Metrics, memoryForMetrics } from '../../base/metrics.ts';
import { readHistory } from '../../history/index.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { keepHistory } from './keep-history.ts';

const metrics = new Metrics(memoryForMetrics(1), 0);
const error = vi.fn();

function openEmpty(): Database {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  return db;
}

function keep(db: Database) {
  const service = { store: { db, ready: async () => {} }, log: { error, info: vi.fn() } } as unknown as Service;
  return keepHistory(service, { metrics, gifs: () => 12 });
}

function search(): void {
  metrics.count({ operation: 'search', client: 'registered', outcome: 'made', milliseconds: 1 });
}

async function levels(db: Database) {
  return (await readHistory(db, 'month', systemClock.now())).points.map(({ searches, gifs }) => ({ searches, gifs }));
}

test('each search is saved once, and all of them when the service stops', async () => {
  const db = openEmpty();
  await migrate(db, DATA_MIGRATIONS);
  for (const searches of [1, 2]) {
    const history = keep(db);
    search();
    await history.stop();
    expect(await levels(db)).toEqual([{ searches, gifs: 12 }]);
  }
  expect(error).not.toHaveBeenCalled();
});

test('searches that could not be saved are saved later', async () => {
  const db = openEmpty();
  const history = keep(db);
  search();
  await vi.waitFor(() => expect(error).toHaveBeenCalledOnce(), { timeout: 480_000 });
  await migrate(db, DATA_MIGRATIONS);
  await history.stop();
  expect(await levels(db)).toEqual([{ searches: 1, gifs: 12 }]);
});
