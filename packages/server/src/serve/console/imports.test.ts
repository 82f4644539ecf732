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

test('the audit log has each pause and each restart of an import once, and no refused attempts', async () => {
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

test('a source that cannot be added here is refused, and the message says what to do instead', async () => {
  const config = { registry: { databaseUrl: '' } };
  const service = { config, store: { db, folder: '/data', databaseUrl: '' } } as Service;
  const { startImport, retryImport } = createImports(service, '/nothing/uploads');
  await beginImport(db, { run: 'linked', command: ['--link', '/srv/list.jsonl'], machine: '', startedAt: 1 });
  const refusals = [
    [() => startImport({ path: 'gifs' }), 'gifs cannot be added here: give an absolute path'],
    [() => startImport({ path: 'starter:other' }), 'give an absolute path'],
    [() => startImport({ path: 'https://gifs.example/a.gif' }), 'use `zoetrope jobs retry`'],
    [() => startImport({ path: '/nothing/here' }), '/nothing/here'],
    [() => startImport({ batch: 'a'.repeat(32) }), 'no files'],
    [() => retryImport(1), '--link cannot be added here: use `zoetrope jobs retry`'],
  ] as const;
  for (const [attempt, message] of refusals) {
    await expect(attempt()).rejects.toMatchObject({ code: 'validation', message: expect.stringContaining(message) });
  }
  expect(await startImport({ path: 'starter:fluent' })).toMatchObject({ sources: ['starter:fluent'], open: 1 });
});
