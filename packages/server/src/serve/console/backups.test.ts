import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { searchAudit } from '../../clients/index.ts';
import { loadConfig } from '../../config.ts';
import { type Database, migrate, openDatabase } from '../../platform/db/index.ts';
import { DATA_MIGRATIONS, type Service } from '../../service/index.ts';
import { createBackups, summaryOfBackups } from './backups.ts';

const row = { machine: '', folder: '/backups', gifs: 1, bytes: 2, milliseconds: 3 };
const made = { ...row, at: 10, made: true, problem: '2 damaged files were not copied' };
const failed = { ...row, at: 20, made: false, problem: 'the disk is full' };

test.each([
  ['no backup', [], { lastAt: null, problem: '' }],
  ['a backup', [made], { lastAt: 10, problem: '' }],
  ['a failure after a backup', [failed, made], { lastAt: 10, problem: 'the disk is full' }],
  ['a backup after a failure', [{ ...made, at: 30 }, failed], { lastAt: 30, problem: '' }],
  ['only a failure', [failed], { lastAt: null, problem: 'the disk is full' }],
])('the overview reports %s', (_, backups, summary) => {
  expect(summaryOfBackups(backups)).toEqual(summary);
});

const BY = { actor: 'npub1operator', now: 5 };
let db: Database;
let folder: string;
beforeEach(async () => {
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
});
afterEach(async () => {
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

function backupsWith(settings: Record<string, string>) {
  const config = loadConfig({ ZOETROPE_DATA: path.join(folder, 'data'), ...settings }, folder);
  const service = { config, store: { db }, registry: { db, ready: async () => {} } } as Service;
  // The signal is already aborted, so the command stops as soon as it starts.
  return createBackups(service, AbortSignal.abort());
}

test('without a folder for backups, none is made, and the message names the setting', async () => {
  await expect(backupsWith({}).makeBackup(BY)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining('Set ZOETROPE_BACKUPS to a folder'),
  });
});

test('one backup at a time is made, into a new folder, and the audit log records it', async () => {
  const { makeBackup, backups } = backupsWith({ ZOETROPE_BACKUPS: path.join(folder, 'copies') });
  const { running } = await makeBackup(BY);
  expect(path.dirname(running!.subject)).toBe(path.join(folder, 'copies'));
  expect(running).toMatchObject({ phase: '', done: 0, total: null });
  await expect(makeBackup(BY)).rejects.toMatchObject({ code: 'conflict' });
  await expect.poll(async () => (await backups()).running, { timeout: 480_000 }).toBe(null);
  const [entry, ...others] = await searchAudit(db, { client: '', action: '', actor: '', before: 0, limit: 9 });
  expect(entry).toMatchObject({ action: 'backup make', subject: running!.subject, actor: BY.actor });
  expect(others).toEqual([]);
});
