import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { countGifs } from '../catalog/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { claimJob, closeJob, type Refusal, refusalsOf, releaseJobs } from '../platform/jobs/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import type { Candidate } from './candidate.ts';
import { type EnumerateOptions, enumerateSource } from './enumerate.ts';
import { resultsOf } from './imports.ts';
import { requestSources } from './ingest.ts';
import type { Source } from './sources/source.ts';

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

function optionsWith(changes: Partial<EnumerateOptions> = {}): EnumerateOptions {
  const options = { db, machine: '', incoming: undefined, maxBytes: 1_000, starterFolder: folder, cache: '' };
  return { ...options, onProgress: () => {}, signal: new AbortController().signal, ...changes };
}

/** Writes a manifest. @returns its path */
function write(name: string, text: string): string {
  const manifest = path.join(folder, name);
  fs.writeFileSync(manifest, text);
  return manifest;
}

/** Reads a source. @returns the number of linked GIFs, and the refusals */
async function add(source: Source): Promise<{ linked: number; refused: Refusal[] }> {
  await requestSources(db, [source], { run: 'run', machine: '' });
  const job = (await claimJob<Source>(db, 'source', 'me'))!;
  const { linked, refusal } = await enumerateSource(job, optionsWith());
  expect(await closeJob(db, job, refusal)).toBe(true);
  return { linked, refused: await refusalsOf(db, 'run') };
}

it('a manifest that ends in the middle of its gzip data is recorded up to that point, and the error names its last line', async () => {
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

it('the error names a manifest that no longer exists when it is read', async () => {
  const manifest = path.join(folder, 'gone.jsonl');
  const { linked, refused } = await add({ type: 'manifest', path: manifest, line: 0 });
  expect(linked).toBe(0);
  expect(refused).toMatchObject([
    { key: manifest, reason: 'unreadable_source', message: 'the file cannot be read (ENOENT)' },
  ]);
});

it('a manifest with the byte order mark and the line breaks of Windows is read from its first line', async () => {
  const rows = [1, 2].map((n) => `{"url":"https://a.example/${n}.gif"}\r\n`);
  const manifest = write('windows.jsonl', `\uFEFF${rows.join('')}`);
  expect(await add({ type: 'manifest', path: manifest, line: 0 })).toEqual({ linked: 2, refused: [] });
});

it('a row with a file and a URL is linked if the file is missing', async () => {
  write('here.gif', 'a picture');
  const rows = ['here', 'missing'].map((name) => `{"file":"${name}.gif","url":"https://a.example/${name}.gif"}`);
  const manifest = write('both.jsonl', rows.join('\n'));
  expect(await add({ type: 'manifest', path: manifest, line: 0 })).toEqual({ linked: 1, refused: [] });
  const { payload } = (await claimJob<Candidate>(db, 'gif', 'me'))!;
  expect(payload.path).toBe(path.join(folder, 'here.gif'));
  expect(await claimJob(db, 'gif', 'me')).toBeUndefined();
});

it('reading a manifest continues after the lines that were saved, and counts none twice', async () => {
  const rows = Array.from({ length: 1_500 }, (_, n) => `{"url":"https://a.example/${n}.gif"}`);
  const manifest = write('long.jsonl', rows.join('\n'));
  await requestSources(db, [{ type: 'manifest', path: manifest, line: 0 }], { run: 'run', machine: '' });
  const stop = new AbortController();
  const interrupted = optionsWith({ onProgress: () => stop.abort(new Error('enough')), signal: stop.signal });
  const claim = async () => (await claimJob<Source>(db, 'source', 'me'))!;
  await expect(enumerateSource(await claim(), interrupted)).rejects.toThrow('enough');
  expect(await countGifs(db)).toBe(1_000);
  await releaseJobs(db, 'me');
  expect(await enumerateSource(await claim(), optionsWith())).toEqual({ linked: 500 });
  expect(await countGifs(db)).toBe(1_500);
  expect(await resultsOf(db, ['run'])).toMatchObject({ linked: 1_500 });
});
