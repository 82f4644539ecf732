import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from './open.ts';

test('SQLite flushes each transaction to disk, lets others read meanwhile, and checks references', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const db = openDatabase(path.join(folder, 'a.db'));
  const settingOf = async (pragma: string) =>
    Object.values((await sql<object>`select * from ${sql.raw(`pragma_${pragma}`)}`.execute(db)).rows[0]!)[0];
  // The numbers are SQLite's own: https://sqlite.org/pragma.html
  expect(await Promise.all(['synchronous', 'journal_mode', 'foreign_keys'].map(settingOf))).toEqual([2, 'wal', 1]);
  await db.destroy();
});
