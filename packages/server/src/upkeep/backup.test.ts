import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { backUp, restore } from './backup.ts';

const TASK = { onProgress: () => {}, signal: new AbortController().signal };

test.skipIf(process.platform === 'win32')('only its owner can read a backup and a restored folder', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const configOf = (name: string) => loadConfig({ ZOETROPE_DATA: path.join(folder, name) }, folder);
  const copy = path.join(folder, 'copy');
  fs.mkdirSync(path.join(folder, 'data'));
  const db = openDatabase(path.join(folder, 'data', 'zoetrope.db'));
  await migrate(db, DATA_MIGRATIONS);
  await db.destroy();
  await backUp(configOf('data'), copy, { media: 'none', ...TASK });
  await restore(configOf('restored'), copy, TASK);
  const modeOf = (name: string) => (fs.statSync(path.join(folder, name)).mode & 0o777).toString(8);
  expect(['copy', 'copy/backup.json', 'restored'].map(modeOf)).toEqual(['700', '600', '700']);
});
