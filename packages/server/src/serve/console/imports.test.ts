import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchAudit } from '../../clients/index.ts';
import { beginImport, endImports } from '../../ingest/imports.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { createImports } from './imports.ts';

const BY = { actor: 'npub1operator', now: 5 };
let db: Database;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});
afterEach(() => db.destroy());

test('pausing and continuing an import is in the audit log, once and without refused attempts', async () => {
  const service = { store: { db, folder: '/data', databaseUrl: '' }, registry: { db, ready: async () => {} } };
  const { pauseImport } = createImports(service as Service, '/data/uploads');
  const command = ['/srv/summer', '/srv/winter'];
  for (const run of ['open', 'done']) await beginImport(db, { run, command, machine: '', startedAt: 1 });
  await endImports(db, ['done'], 2);
  for (const paused of [true, true, false]) expect(await pauseImport(BY, 1, paused)).toMatchObject({ paused });
  await expect(pauseImport(BY, 2, true)).rejects.toMatchObject({ code: 'conflict' });
  await expect(pauseImport(BY, 3, true)).rejects.toMatchObject({ code: 'not_found' });
  const log = await searchAudit(db, { client: '', actor: '', action: '', before: 0, limit: 9 });
  expect(log.toReversed()).toMatchObject([
    { action: 'import pause', subject: '1: summer and 1 more', actor: BY.actor, at: BY.now },
    { action: 'import continue', subject: '1: summer and 1 more' },
  ]);
});
