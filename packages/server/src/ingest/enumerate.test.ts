import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countGifs } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { claimJob, closeJob, type Refusal, refusalsOf } from '../platform/jobs/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import { enumerateSource } from './enumerate.ts';
import { requestSources } from './ingest.ts';
import type { Source } from './source.ts';

let folder: string;
let db: Database;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-sources-'));
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});

afterEach(async () => {
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

/** Reads a source. @returns the number of linked GIFs, and what was refused */
async function add(source: Source): Promise<{ linked: number; refused: Refusal[] }> {
  await requestSources(db, [source], { run: 'run', machine: '' });
  const job = (await claimJob<Source>(db, 'source', 'me'))!;
  const options = { db, machine: '', incoming: undefined, maxBytes: 1_000, starterFolder: folder, cache: '' };
  const { signal } = new AbortController();
  const { linked, refusal } = await enumerateSource(job, { ...options, onProgress: () => {}, signal });
  expect(await closeJob(db, job, refusal)).toBe(true);
  return { linked, refused: await refusalsOf(db, 'run') };
}

it('a manifest that ends in the middle of its gzip data is recorded up to there, and named with its last line', async () => {
  const rows = Array.from({ length: 3_000 }, (_, n) => ({
    url: `https://a.example/${n}.gif`,
    title: `${Math.sin(n)}`,
  }));
  const packed = gzipSync(`\n${rows.map((row) => JSON.stringify(row)).join('\n')}`);
  const manifest = path.join(folder, 'cut.jsonl.gz');
  fs.writeFileSync(manifest, packed.subarray(0, packed.length / 2));
  const { linked, refused } = await add({ type: 'manifest', path: manifest, line: 0 });
  expect(linked).toBeGreaterThan(100);
  expect(linked).toBe(await countGifs(db));
  const message = `the file ends unexpectedly after line ${linked + 1}: unexpected end of file`;
  expect(refused).toEqual([{ key: manifest, run: 'run', reason: 'unreadable_source', message }]);
});

it('a manifest that is gone when it is read is named', async () => {
  const manifest = path.join(folder, 'gone.jsonl');
  const { linked, refused } = await add({ type: 'manifest', path: manifest, line: 0 });
  expect(linked).toBe(0);
  expect(refused).toMatchObject([
    { key: manifest, reason: 'unreadable_source', message: 'the file cannot be read (ENOENT)' },
  ]);
});
