import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderBlobs } from '../platform/blobs/index.ts';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { claimJob, closeJob, countJobs, type Job } from '../platform/jobs/index.ts';
import { DATA_MIGRATIONS } from '../service/index.ts';
import type { Candidate } from './candidate.ts';
import { enumerateSource } from './enumerate.ts';
import { INCOMING, readIncoming, sweepIncoming } from './incoming.ts';
import { requestSources } from './ingest.ts';
import { STAGED } from './queues.ts';
import type { Source } from './sources/source.ts';

let folder: string;
let files: string;
let db: Database;
let store: FolderBlobs;

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
  files = path.join(folder, 'gifs');
  fs.mkdirSync(files);
  store = new FolderBlobs(path.join(folder, 'bucket'));
  db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
});

afterEach(async () => {
  await db.destroy();
  fs.rmSync(folder, { recursive: true });
});

/** Requests the folder's import on a machine, and stores the current files. */
async function stage(machine: string): Promise<void> {
  await requestSources(db, [{ type: 'folder', path: files }], { run: `run-${machine}`, machine });
  const job = (await claimJob<Source>(db, `source ${machine}`, machine))!;
  const options = { db, machine, incoming: store, maxBytes: 1_000, starterFolder: folder, cache: '' };
  await enumerateSource(job, { ...options, onProgress: () => {}, signal: new AbortController().signal });
  expect(await closeJob(db, job)).toBe(true);
}

async function claimAll(): Promise<Job<Candidate>[]> {
  const jobs: Job<Candidate>[] = [];
  for (let job = await claimJob<Candidate>(db, STAGED, 'me'); job; job = await claimJob<Candidate>(db, STAGED, 'me')) {
    jobs.push(job);
  }
  return jobs;
}

async function stored(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(INCOMING)) keys.push(key);
  return keys;
}

const isOpen = async (run: string) => (await countJobs(db, 'ready', { runs: [run] })) > 0;

it('two machines can add different files with the same path at the same time', async () => {
  for (const machine of ['a', 'b']) {
    fs.writeFileSync(path.join(files, 'one.gif'), `GIF of ${machine}`);
    await stage(machine);
  }
  fs.rmSync(files, { recursive: true });
  const jobs = await claimAll();
  const texts = await Promise.all(jobs.map(async ({ payload }) => readIncoming(store, payload.incoming!)));
  expect(texts.map((bytes) => Buffer.from(bytes).toString())).toEqual(['GIF of a', 'GIF of b']);
});

it('files are removed when their request has no open job', async () => {
  for (const name of ['one', 'two']) fs.writeFileSync(path.join(files, `${name}.gif`), `GIF ${name}`);
  await stage('a');
  await sweepIncoming(store, isOpen);
  expect(await stored()).toHaveLength(2);
  const [one, two] = await claimAll();
  await closeJob(db, one!);
  await sweepIncoming(store, isOpen);
  expect(await stored()).toHaveLength(2);
  await closeJob(db, two!);
  await sweepIncoming(store, isOpen);
  expect(await stored()).toEqual([]);
  await expect(readIncoming(store, two!.payload.incoming!)).rejects.toThrow('add the file again');
});

it('a file that changed in the store is refused', async () => {
  fs.writeFileSync(path.join(files, 'one.gif'), 'GIF');
  await stage('a');
  const [job] = await claimAll();
  await store.put(job!.payload.incoming!, Buffer.from('another'));
  await expect(readIncoming(store, job!.payload.incoming!)).rejects.toThrow('missing or damaged');
});

it('a file that is too large is refused before it becomes a job', async () => {
  fs.writeFileSync(path.join(files, 'large.gif'), Buffer.alloc(1_001));
  await stage('a');
  expect(await claimAll()).toEqual([]);
  expect(await countJobs(db, 'refused', { runs: ['run-a'] })).toBe(1);
});
