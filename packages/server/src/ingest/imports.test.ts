import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { claimJob, closeJob, countKinds, enqueueJobs } from '../platform/jobs/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { beginImport, countResults, endImports, findImport, pageOfImports, resultsOf, setPaused } from './imports.ts';
import { dropFileJobs, hasOpenFiles } from './ingest.ts';
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

test('a paused import gets no worker, stays open, and continues where it was', async () => {
  for (const run of ['one', 'two']) {
    await beginImport(db, { run, command: [run], machine: '', startedAt: 1 });
    await enqueueJobs(db, 'gif', [{ ...JOB, run, key: run }]);
  }
  const [two, one] = await pageOfImports(db);
  await setPaused(db, one!.id, true);
  await enqueueJobs(db, 'gif', [{ ...JOB, run: 'one', key: 'later' }]);
  const claimed = await claimJob(db, 'gif', 'me');
  expect(claimed).toMatchObject({ run: 'two' });
  await closeJob(db, claimed!);
  expect([await claimJob(db, 'gif', 'me'), await hasOpenFiles(db, '')]).toEqual([undefined, false]);
  await endImports(db, ['one'], 5);
  expect(await findImport(db, one!.id)).toMatchObject({ isPaused: true, endedAt: null, open: 2 });
  expect(await findImport(db, two!.id)).toMatchObject({ isPaused: false, open: 0 });
  await setPaused(db, one!.id, false);
  expect(await claimJob(db, 'gif', 'me')).toMatchObject({ run: 'one', key: 'one' });
  expect(await findImport(db, one!.id)).toMatchObject({ isPaused: false, open: 2 });
});

test('only an import that has not ended can be paused', async () => {
  await beginImport(db, { run: 'run', command: ['starter'], machine: '', startedAt: 1 });
  await endImports(db, ['run'], 5);
  await expect(setPaused(db, 1, true)).rejects.toMatchObject({ code: 'conflict' });
  await expect(setPaused(db, 9, true)).rejects.toMatchObject({ code: 'not_found' });
});

test('the results of several imports are added up', async () => {
  for (const run of ['one', 'two', 'other']) await beginImport(db, { run, command: [], machine: '', startedAt: 1 });
  await countResults(db, 'one', 'added', 2);
  await countResults(db, 'two', 'added', 3);
  await countResults(db, 'two', 'known', 5);
  await countResults(db, 'two', 'linked', 7);
  await countResults(db, 'other', 'added', 11);
  expect(await resultsOf(db, ['one', 'two'])).toEqual({ added: 5, known: 5, linked: 7 });
});
