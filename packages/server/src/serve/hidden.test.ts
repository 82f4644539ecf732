import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recallHidden, rememberHidden } from './hidden.ts';

const HIDDEN = {
  hidden: new Set(['a.gif', 'b.gif']),
  withheld: { ids: ['b.gif'], originals: new Set(['a'.repeat(64)]), terms: new Map([['cat', 2]]) },
};

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test('the saved list of hidden GIFs is available when PostgreSQL is down', async () => {
  const store = { folder: await makeFolder(), databaseUrl: 'postgres://db.example/zoetrope' };
  expect(await recallHidden(store)).toBeUndefined();
  await rememberHidden(store, HIDDEN);
  expect(await recallHidden(store)).toEqual(HIDDEN);
  const fewer = { hidden: new Set<string>(), withheld: { ids: [], originals: new Set<string>(), terms: new Map() } };
  await rememberHidden(store, fewer);
  expect(await recallHidden(store)).toEqual(fewer);
});

test('a damaged list counts as missing', async () => {
  const store = { folder: await makeFolder(), databaseUrl: 'postgres://db.example/zoetrope' };
  await rememberHidden(store, HIDDEN);
  const [file] = await readdir(store.folder);
  await writeFile(path.join(store.folder, file!), '{"hidden":["a.gif"],"orig');
  expect(await recallHidden(store)).toBeUndefined();
});

test('a catalogue in the folder needs no list', async () => {
  const store = { folder: await makeFolder(), databaseUrl: '' };
  await rememberHidden(store, HIDDEN);
  expect([await readdir(store.folder), await recallHidden(store)]).toEqual([[], undefined]);
});
