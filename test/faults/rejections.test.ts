import fs from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { writeTwo } from '../support/catalogues.ts';
import { preloadMain } from '../support/faults/sabotage.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* Failures outside of requests are logged, and the service continues. */

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const noPrograms = path.join(folder.path, 'no-programs');
let server: Server;
let metricsPort: number;
let complaints = '';

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTwo);
  const none = { ZOETROPE_EMBEDDER: 'none' };
  metricsPort = await freePort();
  const sabotage = preloadMain(
    folder.path,
    `const program = process.execPath;
     setInterval(() => {
       process.execPath = fs.existsSync('${noPrograms}') ? '/nowhere' : program;
     }, 10).unref();`,
  );
  server = await startServer(data, { ...none, ...sabotage, ZOETROPE_METRICS_PORT: `${metricsPort}` });
  server.process.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function run(...args: string[]): Promise<void> {
  const { code, stderr } = await zoetrope(data, args);
  expect(code, stderr).toBe(0);
}

async function found(): Promise<string[]> {
  const answer = (await (await server.get('/api/v1/search?q=cat')).json()) as { items: { title: string }[] };
  return answer.items.map(({ title }) => title).toSorted();
}

test('a process that cannot be started is started again later', async () => {
  fs.writeFileSync(noPrograms, '');
  await run('gif', 'edit', 'gif-0.gif', '--title', 'cat of the operator');
  await vi.waitFor(() => expect(complaints).toContain('could not be started'), { timeout: 480_000 });
  expect(await found()).toEqual(['cat', 'cat again']);
  fs.rmSync(noPrograms);
  const isShown = async () => expect(await found()).toEqual(['cat again', 'cat of the operator']);
  await vi.waitFor(isShown, { timeout: 480_000, interval: 50 });
});

test('metrics that cannot be read are missing until they can be read, and others are not', async () => {
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const text = await answer.text();
    const names = ['zoetrope_gifs ', 'zoetrope_gifs_rated', 'zoetrope_open_jobs'];
    return [answer.status, ...names.map((name) => text.includes(name))];
  };
  expect(await scrape()).toEqual([200, true, true, true]);
  const db = new Sqlite(path.join(data, 'zoetrope.db'), { timeout: 480_000 });
  db.exec('alter table jobs rename to jobs_away');
  expect(await scrape()).toEqual([200, true, true, false]);
  db.exec('alter table jobs_away rename to jobs');
  db.close();
  expect(await scrape()).toEqual([200, true, true, true]);
  await expect.poll(() => complaints).toContain('could not read the metrics of the catalogue');
  expect(await found()).toHaveLength(2);
});
