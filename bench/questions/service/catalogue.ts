// How long does it take to read a manifest and build its index, how fast does the service start, and how much memory does it use? (MANIFEST)
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { startServer, temporaryFolder, zoetrope } from '../../../test/support/server.ts';
import { mixedQuery } from '../../support/corpus.ts';
import { endWithUsage } from '../../support/data.ts';

/* Command: `npm run bench catalogue MANIFEST`. The memory of all processes of the service is added up (Linux). */

const REQUESTS = 5_000;

async function seconds<T>(act: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now();
  const result = await act();
  return [(performance.now() - start) / 1000, result];
}

/**
 * Returns the resident memory of a process and its children, with shared pages counted once (proportional set size), in
 * MB.
 */
function memory(pid: number): number {
  const children = execFileSync('pgrep', ['--parent', String(pid), '--delimiter', ' '], { encoding: 'utf8' })
    .trim()
    .split(' ');
  const pss = (id: string) => Number(/^Pss:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1]);
  return [String(pid), ...children.filter(Boolean)].reduce((sum, id) => sum + pss(id), 0) / 1024;
}

function memoryOf(pid: number): string {
  try {
    return `${memory(pid).toFixed(0)} MB`;
  } catch {
    const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
    return `${(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024).toFixed(0)} MB`;
  }
}

const [manifest] = process.argv.slice(2);
if (!manifest) endWithUsage('catalogue MANIFEST', 'manifest');
using folder = temporaryFolder();
const data = path.join(folder.path, 'data');

const [adding, added] = await seconds(() => zoetrope(data, ['add', path.resolve(manifest), '--json', '--quiet']));
if (added.code !== 0) throw new Error(added.stderr);
const { linked, documents } = JSON.parse(added.stdout) as { linked: number; documents: number };
console.log(`add: ${linked} rows, ${documents} GIFs found, in ${adding.toFixed(1)} s with the build (target 60 s)`);

const [building] = await seconds(() => zoetrope(data, ['build', '--quiet']));
console.log(`build: ${building.toFixed(1)} s (target 20 s)`);

const [starting, server] = await seconds(() => startServer(data, { ZOETROPE_THREADS: '2' }));
console.log(`start: ${starting.toFixed(1)} s until it listens (target 3 s)`);
console.log(`memory, all processes: ${memoryOf(server.process.pid!)} after the start`);
const [asking] = await seconds(async () => {
  for (let n = 0; n < REQUESTS; n += 20) {
    const batch = Array.from({ length: 20 }, (_, at) =>
      server.get(`/api/v1/search?q=${encodeURIComponent(mixedQuery(n + at))}+cat`),
    );
    await Promise.all((await Promise.all(batch)).map((response) => response.arrayBuffer()));
  }
});
console.log(
  `memory, all processes: ${memoryOf(server.process.pid!)} after ${REQUESTS} searches in ${asking.toFixed(1)} s (target 400 MB)`,
);
await server.stop();
