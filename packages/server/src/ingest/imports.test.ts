import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { claimJob, closeJob, countKinds, enqueueJobs } from '../platform/jobs/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { beginImport, endImports, pageOfImports } from './imports.ts';
import { dropFileJobs } from './ingest.ts';
import { hereKind, LATER, LATER_GIF, STAGED } from './queues.ts';

const JOB = { key: 'a', run: 'run', payload: {} };

let db: Database;

beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});

afterEach(() => db.destroy());

test('an import ends when only previews are left to make, and keeps the time of its end', async () => {
  await beginImport(db, { run: 'run', command: ['starter'], machine: '', startedAt: 1 });
  await enqueueJobs(db, 'gif', [JOB]);
  await endImports(db, ['run'], 5);
  expect(await pageOfImports(db)).toMatchObject([{ endedAt: null, open: 1 }]);
  await closeJob(db, (await claimJob(db, 'gif', 'me'))!);
  await enqueueJobs(db, 'previews', [JOB]);
  expect(await pageOfImports(db)).toMatchObject([{ endedAt: null, open: 0 }]);
  for (const now of [7, 9]) await endImports(db, ['run'], now);
  expect(await pageOfImports(db)).toMatchObject([{ endedAt: 7, open: 0 }]);
});

test('a copy of a catalogue keeps only the jobs that need no files of machines or of the bucket', async () => {
  const here = [hereKind('source', 'here'), hereKind('gif', 'here'), 'gif', STAGED, LATER_GIF];
  const anywhere = [LATER, 'previews', 'source'];
  for (const kind of [...here, ...anywhere]) await enqueueJobs(db, kind, [JOB]);
  await dropFileJobs(db);
  expect([...(await countKinds(db)).keys()].sort()).toEqual(anywhere);
});
