import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { listBackups, recordBackup } from '../history/index.ts';
import { originalKey } from '../media/index.ts';
import { freeze, migrate, openDatabase } from '../platform/db/index.ts';
import { DATA_MIGRATIONS } from '../service/migrations.ts';
import { backUp, type MediaChoice, restore } from './backup.ts';
import { checkBackup } from './check-backup.ts';
import { backUpAndNote } from './note-backup.ts';

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

test('a check counts the files of all media, originals and derivatives', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const db = openDatabase(path.join(folder, 'zoetrope.db'));
  await migrate(db, DATA_MIGRATIONS);
  await db.destroy();
  const copy = path.join(folder, 'copy');
  await backUp(loadConfig({ ZOETROPE_DATA: folder }, folder), copy, { media: 'all', ...TASK });
  const names = ['orig/ab/cd/1.gif', 'orig/ab/cd/2.gif', 'd/r1/w240/ab/cd/1.webp'];
  for (const name of names) {
    fs.mkdirSync(path.join(copy, 'media', path.dirname(name)), { recursive: true });
    fs.writeFileSync(path.join(copy, 'media', name), 'damaged');
  }
  const { files, bytes, damaged } = await checkBackup(copy, TASK);
  expect([files, bytes, damaged.length]).toEqual([3, 3 * 'damaged'.length, 3]);
});

describe('the list of backups', () => {
  let folder: string;
  const at = (name: string) => path.join(folder, name);
  const make = (name: string, media: MediaChoice = 'none') =>
    backUpAndNote(loadConfig({ ZOETROPE_DATA: at('data') }, folder), at(name), { media, ...TASK });

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
    fs.mkdirSync(at('data'));
    const db = openDatabase(at('data/zoetrope.db'));
    await migrate(db, DATA_MIGRATIONS);
    await db.destroy();
  });

  afterEach(() => fs.rmSync(folder, { recursive: true }));

  async function listed() {
    const db = openDatabase(at('data/zoetrope.db'));
    const rows = await listBackups(db);
    await db.destroy();
    return rows;
  }

  test('has each backup with its size, and each failure with its reason', async () => {
    await make('copy');
    await expect(make('copy')).rejects.toThrow('not empty');
    const [failed, made] = await listed();
    expect(failed).toMatchObject({ made: 0, folder: at('copy'), problem: expect.stringContaining('is not empty') });
    expect(made).toMatchObject({ made: 1, folder: at('copy'), problem: '', gifs: 0, machine: '' });
    const sizes = fs.readdirSync(at('copy')).map((name) => fs.statSync(at(`copy/${name}`)).size);
    expect(made!.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  test('counts the files in folders of a backup, too', async () => {
    const gif = Buffer.from('GIF89a');
    const sha256 = createHash('sha256').update(gif).digest('hex');
    const name = `media/${originalKey(sha256, 'gif')}`;
    fs.mkdirSync(path.dirname(at(`data/${name}`)), { recursive: true });
    fs.writeFileSync(at(`data/${name}`), gif);
    await make('copy', 'originals');
    const top = fs.readdirSync(at('copy')).filter((file) => file !== 'media');
    const sizes = [...top, name].map((file) => fs.statSync(at(`copy/${file}`)).size);
    const [made] = await listed();
    expect(made!.bytes).toBe(sizes.reduce((sum, size) => sum + size, 0));
  });

  test('a backup that cannot be added to the list is still complete, and reports the problem', async () => {
    const db = openDatabase(at('data/zoetrope.db'));
    await freeze(db, ['backups']);
    await db.destroy();
    const { missing } = await make('copy');
    expect(missing.at(-1)).toMatch(/^this backup in the list of the console: it could not be recorded/);
    expect(fs.existsSync(at('copy/unfinished'))).toBe(false);
    await expect(make('copy')).rejects.toThrow('not empty');
    expect(await listed()).toEqual([]);
    // A catalogue restored from this backup can be changed, although the original catalogue was frozen.
    const copied = openDatabase(at('copy/zoetrope.db'));
    await recordBackup(copied, {
      machine: '',
      folder: '/b',
      gifs: 1,
      bytes: 2,
      milliseconds: 3,
      problem: '',
      made: 1,
      at: 1,
    });
    await copied.destroy();
  });

  test('a folder without a catalogue gets no backup', async () => {
    fs.rmSync(at('data'), { recursive: true });
    await expect(make('copy')).rejects.toThrow('nothing to back up');
    expect(fs.existsSync(at('data'))).toBe(false);
  });

  test('the latest 100 are kept', async () => {
    const db = openDatabase(at('data/zoetrope.db'));
    const row = { machine: '', folder: '/backups', gifs: 1, bytes: 2, milliseconds: 3, problem: '', made: 1 };
    for (let n = 1; n <= 102; n++) await recordBackup(db, { at: n, ...row });
    const kept = await listBackups(db);
    await db.destroy();
    expect([kept.length, kept[0]!.at, kept.at(-1)!.at]).toEqual([100, 102, 3]);
  });
});
