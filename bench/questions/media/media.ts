// How fast are files ingested, and what do safety and durable storage cost? (FOLDER...)
//
// Candidate: `Media.ingest` with all previews through two workers. Baseline: two plain processes that make the same
// outputs with the same encoder settings, without limits, pool or durable storage. Both process slices of the same
// files in turn, in one run and at the same niceness, so that other load on the machine affects both. Only the ratio
// counts.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Value } from 'typebox/value';
import { systemClock } from '../../../packages/server/src/base/clock.ts';
import { createLog } from '../../../packages/server/src/base/log.ts';
import { createMedia, type Ingested, MediaConfig, MediaRefusal } from '../../../packages/server/src/media/index.ts';
import { FolderBlobs } from '../../../packages/server/src/platform/blobs/index.ts';
import { Fetcher } from '../../../packages/server/src/platform/fetch/index.ts';
import { endWithUsage } from '../../support/data.ts';

const WORKERS = 2;
const SLICE = 40;

interface Tally {
  ms: number;
  files: number;
  pixels: number;
  originalBytes: number;
  derivedBytes: number;
}

const folders = process.argv.slice(2);
if (folders.length === 0) endWithUsage('media FOLDER...', 'gifs');

const work = await mkdtemp(join(tmpdir(), 'zoetrope-bench-'));
const blobs = new FolderBlobs(join(work, 'media'));
const config = { ...(Value.Default(MediaConfig, {}) as MediaConfig), workers: WORKERS };
const media = createMedia({
  blobs,
  config,
  fetcher: new Fetcher({ allowPrivate: false }),
  log: createLog('error'),
  clock: systemClock,
});
const plain = Array.from({ length: WORKERS }, () => startPlain(join(work, 'plain')));

const all = await findFiles(folders);
const refused = new Map<string, number>();
const candidate: Tally = { ms: 0, files: 0, pixels: 0, originalBytes: 0, derivedBytes: 0 };
let plainMs = 0;
await takeIn(all.slice(0, WORKERS)); // starts the processes
await makePlain(all.slice(0, WORKERS));
refused.clear();

for (let at = 0; at < all.length; at += SLICE) {
  const slice = all.slice(at, at + SLICE);
  const start = performance.now();
  const taken = await takeIn(slice);
  candidate.ms += performance.now() - start;
  for (const { facts } of taken) {
    candidate.files++;
    candidate.pixels += facts.width * facts.height * facts.frames;
    candidate.originalBytes += facts.bytes;
  }
  const startPlainly = performance.now();
  await makePlain(taken.map(({ path }) => path));
  plainMs += performance.now() - startPlainly;
}
for await (const { bytes } of blobs.list('d/')) candidate.derivedBytes += bytes;

report();
await media.close();
for (const { child } of plain) child.disconnect();
await rm(work, { recursive: true });

function report(): void {
  const seconds = candidate.ms / 1000;
  const { files, pixels, originalBytes, derivedBytes } = candidate;
  const reasons = [...refused].map(([reason, count]) => `${reason} ${count}`).join(', ');
  console.log(`files ingested        ${files} of ${all.length}${reasons === '' ? '' : ` (refused: ${reasons})`}`);
  console.log(`GIFs/s                ${(files / seconds).toFixed(2)}`);
  console.log(`Mpx/s of source       ${(pixels / 1e6 / seconds).toFixed(1)}`);
  console.log(`derived/original      ${(derivedBytes / originalBytes).toFixed(2)} bytes`);
  console.log(`plain sharp, GIFs/s   ${(files / (plainMs / 1000)).toFixed(2)}`);
  console.log(`ratio to plain sharp  ${(plainMs / candidate.ms).toFixed(3)} (target 0.85)`);
}

async function takeIn(paths: readonly string[]): Promise<{ path: string; facts: Ingested }[]> {
  const taken: { path: string; facts: Ingested }[] = [];
  await eachAtOnce(paths, WORKERS * 2, async (path) => {
    try {
      taken.push({ path, facts: await media.ingest(await readFile(path)) });
    } catch (error) {
      if (!(error instanceof MediaRefusal)) throw error;
      refused.set(error.reason, (refused.get(error.reason) ?? 0) + 1);
    }
  });
  return taken;
}

async function makePlain(paths: readonly string[]): Promise<void> {
  const queue = [...paths];
  await Promise.all(
    plain.map(async ({ run }) => {
      for (let path = queue.shift(); path !== undefined; path = queue.shift()) await run(path);
    }),
  );
}

function startPlain(out: string): { child: ChildProcess; run: (path: string) => Promise<void> } {
  const script = new URL('../../support/media-plain.ts', import.meta.url).pathname;
  const command = [process.execPath, '--conditions=zoetrope', '--disable-warning=ExperimentalWarning', script, out];
  const child = spawn('nice', ['-n', '10', ...command], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('exit', (code) => {
    if (code !== 0) throw new Error('a plain process died');
  });
  const run = (path: string): Promise<void> =>
    new Promise((resolve) => {
      child.once('message', () => resolve());
      child.send(path);
    });
  return { child, run };
}

async function eachAtOnce<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** Sorts files in an order that is the same on every machine and mixes small and large files. */
async function findFiles(roots: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const root of roots) {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      if (entry.isFile() && /\.(gif|webp)$/i.test(entry.name)) found.push(join(entry.parentPath, entry.name));
    }
  }
  found.sort();
  return found
    .map((path, at) => ({ path, at: (at * 7919) % found.length }))
    .sort((a, b) => a.at - b.at)
    .map(({ path }) => path);
}
