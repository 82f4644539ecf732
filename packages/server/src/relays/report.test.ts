import os from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { wantedRevision } from '../moderation/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { bumpShown, revision } from '../records/index.ts';
import { DATA_MIGRATIONS, type Service } from '../service/index.ts';
import { ignoreMarks } from './report.ts';

const AUTHOR = 'a'.repeat(64);
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});
afterEach(() => db.destroy());

test('marks that are ignored or counted again request a build, so that the running service shows the change', async () => {
  const service = {
    config: loadConfig({}, os.tmpdir()),
    store: { db },
    registry: { db, ready: async () => {} },
  } as Service;
  for (const ignored of [true, false]) {
    await bumpShown(db);
    expect(await wantedRevision(db)).toBeLessThan(await revision(db));
    expect(await ignoreMarks(service, { actor: 'command line', now: 1 }, AUTHOR, ignored)).toBe(0);
    expect(await wantedRevision(db)).toBe(await revision(db));
  }
  expect(await ignoreMarks(service, { actor: 'command line', now: 1 }, AUTHOR, false)).toBeNull();
});
