import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { beginImport, endImports } from './imports.ts';
import { filesOfUpload, sweepUploads } from './uploads.ts';

const HOUR = 3_600_000;
const NOW = 1_790_000_000_000;

let db: Database;
let folder: string;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-uploads-'));
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});

afterEach(async () => {
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

/** Creates the folder of an upload, with one file. */
function upload(run: string, hoursAgo: number): void {
  fs.mkdirSync(path.join(folder, run));
  fs.writeFileSync(path.join(folder, run, 'cat.gif'), '');
  const seconds = (NOW - hoursAgo * HOUR) / 1_000;
  fs.utimesSync(path.join(folder, run), seconds, seconds);
}

it('the files of an upload are sorted, and other files are ignored', async () => {
  upload('mine', 0);
  fs.mkdirSync(path.join(folder, 'mine', 'a'));
  for (const name of ['b.webp', 'a/z.gif', 'notes.txt']) fs.writeFileSync(path.join(folder, 'mine', name), '');
  const files = ['a/z.gif', 'b.webp', 'cat.gif'].map((name) => path.join(folder, 'mine', name));
  expect(await filesOfUpload(folder, 'mine')).toEqual(files);
});

it('files are kept until their import has ended, or for a day if no import was requested', async () => {
  for (const run of ['open', 'ended']) {
    upload(run, 100);
    await beginImport(db, { run, command: [], machine: '', startedAt: NOW });
  }
  await endImports(db, ['ended'], NOW);
  upload('chosen yesterday', 23);
  upload('abandoned', 25);
  await sweepUploads(db, folder, NOW);
  expect(fs.readdirSync(folder).toSorted()).toEqual(['chosen yesterday', 'open']);
});

it('no folder of uploads is needed', async () => {
  await expect(sweepUploads(db, path.join(folder, 'missing'), NOW)).resolves.toBeUndefined();
});
