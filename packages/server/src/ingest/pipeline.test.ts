import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { recordGifs } from '../catalog/index.ts';
import { originalKey } from '../media/index.ts';
import { writeGif } from '../media/testing/gif-writer.ts';
import { createTestMedia, type TestMedia } from '../media/testing/test-media.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { HIDDEN_UNTIL_REVIEW, tables } from '../records/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { NOTHING_TOLD } from './candidate.ts';
import { requestSources, runIngest } from './ingest.ts';
import { finishPreviews, prepareGif } from './pipeline.ts';

let folder: string;
let db: Database;
let made: TestMedia;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-pipeline-'));
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
  made = createTestMedia();
});

afterEach(async () => {
  await made.media.close();
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

it('stores a file again if the catalogue has it and the store has lost it', async () => {
  const file = path.join(folder, 'a.gif');
  fs.writeFileSync(file, writeGif({ width: 8, height: 8, frames: [{ pixels: 2 }, { pixels: 3 }] }));
  const pipeline = { db, ...made, maxBytes: 1_000_000, refusal: async () => null };
  const told = { ...NOTHING_TOLD, title: 'a', tags: [], source: 'folder', toldBy: file };
  const prepare = () => prepareGif(pipeline, { path: file, told, previews: 'first' });
  const record = await prepare();
  await recordGifs(db, [record]);
  const key = originalKey(record.sha256!, record.format);
  await made.blobs.put(key, Buffer.from('cut off'));
  expect(await prepare()).toEqual(record);
  expect(await made.blobs.head(key)).toEqual({ bytes: record.bytes });
  await made.blobs.delete(key);
  expect(await prepare()).toEqual(record);
  expect(await made.blobs.head(key)).toEqual({ bytes: record.bytes });
});

it.each([
  { url: null, isKnown: false, hidden: HIDDEN_UNTIL_REVIEW },
  { url: null, isKnown: true, hidden: 0 },
  { url: 'https://other.example/a.gif', isKnown: true, hidden: HIDDEN_UNTIL_REVIEW },
])('a file from a member waits for a review unless the operator has added it: %j', async ({ url, isKnown, hidden }) => {
  const file = path.join(folder, 'a.gif');
  fs.writeFileSync(file, writeGif({ width: 8, height: 8, frames: [{ pixels: 2 }, { pixels: 3 }] }));
  const pipeline = { db, ...made, maxBytes: 1_000_000, refusal: async () => null };
  const told = { ...NOTHING_TOLD, tags: [], source: url === null ? 'folder' : 'nostr', toldBy: file };
  const record = await prepareGif(pipeline, { path: file, told, previews: 'first' });
  if (isKnown) await recordGifs(db, [{ ...record, url }]);
  const source = { type: 'file', path: file, awaitsReview: true } as const;
  await requestSources(db, [source], { run: 'run', machine: '' });
  await runIngest({
    ...{ ...pipeline, log: pino({ level: 'silent' }), starterFolder: '', cache: '', worker: 'me', machine: '' },
    ...{ incoming: undefined, concurrency: 1, onProgress: () => {}, signal: new AbortController().signal },
  });
  expect(await tables(db).selectFrom('gifs').select(['id', 'hidden']).execute()).toEqual([{ id: record.id, hidden }]);
});

it('does not decode a file that is stored already, and takes its new words', async () => {
  const file = path.join(folder, 'a.gif');
  fs.writeFileSync(file, writeGif({ width: 8, height: 8, frames: [{ pixels: 2 }, { pixels: 3 }] }));
  const pipeline = { db, ...made, maxBytes: 1_000_000, refusal: async () => null };
  const told = { ...NOTHING_TOLD, title: 'a', tags: [], source: 'folder', toldBy: file };
  const record = await prepareGif(pipeline, { path: file, told, previews: 'first' });
  await recordGifs(db, [record]);
  const decodes = vi.spyOn(made.media, 'ingest');
  const again = await prepareGif(pipeline, { path: file, told: { ...told, title: 'b' }, previews: 'first' });
  expect(again).toMatchObject({ id: record.id, bytes: record.bytes, lqip: record.lqip, title: 'b' });
  expect(decodes).not.toHaveBeenCalled();
});

it('makes the postponed previews, unless the original has been lost', async () => {
  const file = path.join(folder, 'a.gif');
  fs.writeFileSync(file, writeGif({ width: 300, height: 300, frames: [{ pixels: 2 }, { pixels: 3 }] }));
  const pipeline = { db, ...made, maxBytes: 1_000_000, refusal: async () => null };
  const told = { ...NOTHING_TOLD, title: 'a', tags: [], source: 'folder', toldBy: file };
  const keys = () => [...made.blobs.blobs.keys()].toSorted();
  await prepareGif(pipeline, { path: file, told, previews: 'all' });
  const all = keys();
  made.blobs.blobs.clear();
  const { sha256, format } = await prepareGif(pipeline, { path: file, told, previews: 'first' });
  expect(keys().length).toBeLessThan(all.length);
  await finishPreviews(pipeline, { sha256: sha256!, format });
  expect(keys()).toEqual(all);
  made.blobs.blobs.clear();
  await finishPreviews(pipeline, { sha256: sha256!, format });
  expect(keys()).toEqual([]);
});

it('ignores a job for previews that cannot be made', async () => {
  const pipeline = { db, ...made, maxBytes: 1_000_000, refusal: async () => null };
  await made.blobs.put(originalKey('a'.repeat(64), 'gif'), Buffer.from('GIF89a, but damaged'));
  await finishPreviews(pipeline, { sha256: 'a'.repeat(64), format: 'gif' });
  await finishPreviews(pipeline, {});
  expect(made.blobs.blobs.size).toBe(1);
});
