import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { writeTwo } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { preload } from '../support/sabotage.ts';
import { freePort, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * A file named after a serving thread's number kills that thread. The service continues, or it ends and reports the
 * reason.
 */

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const THREADS = 2;
let env: Record<string, string>;

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeTwo);
  const relay = `ws://127.0.0.1:${await freePort()}`;
  const settings = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_THREADS: `${THREADS}`, ZOETROPE_RELAYS: relay };
  const kill = `
    const file = '${folder.path}/kill-' + n;
    setInterval(() => {
      if (!fs.existsSync(file)) return;
      fs.rmSync(file);
      throw new Error('sabotage of thread ' + n);
    }, 10).unref();`;
  env = { ...settings, ...preload(folder.path, kill) };
});

afterAll(() => folder[Symbol.dispose]());

async function kill(thread: number): Promise<void> {
  const file = path.join(folder.path, `kill-${thread}`);
  fs.writeFileSync(file, '');
  await vi.waitFor(() => expect(fs.existsSync(file)).toBe(false), { timeout: 120_000, interval: 10 });
}

/** Searches on separate connections, so that every thread gets requests. */
async function search(get: (path: string, headers: Record<string, string>) => Promise<Response>): Promise<string[]> {
  const headers = { origin: 'http://localhost:5173', connection: 'close' };
  const answers = Array.from({ length: 8 }, () => get('/api/v1/search?q=cat', headers));
  const found = await Promise.all(
    answers.map(async (answer) => ((await (await answer).json()) as { items: { id: string }[] }).items),
  );
  return [...new Set(found.map((items) => items.map(({ id }) => id).join(' ')))];
}

test('a thread that dies is replaced by one that knows the newest build and all hidden GIFs', async () => {
  await using server = await startServer(data, env);
  expect(await search(server.get)).toEqual(['gif-0.gif gif-1.gif']);
  expect((await zoetrope(data, ['gif', 'hide', 'gif-0.gif'], env)).code).toBe(0);
  await vi.waitFor(async () => expect(await search(server.get)).toEqual(['gif-1.gif']), { timeout: 120_000 });
  let complaints = '';
  server.process.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
  for (let n = 0; n < THREADS; n++) {
    await kill(n);
    await vi.waitFor(() => expect(complaints).toContain(`sabotage of thread ${n}`), { timeout: 120_000 });
  }
  // Only new threads are left now.
  await vi.waitFor(async () => expect(await search(server.get)).toEqual(['gif-1.gif']), { timeout: 120_000 });
  expect(server.process.exitCode).toBeNull();
  await server.stop();
  expect(server.process.exitCode).toBe(0);
});

test('three deaths within a minute end the process with an error code, even while it follows relays', async () => {
  await using server = await startServer(data, env);
  const exit = once(server.process, 'exit');
  let complaints = '';
  server.process.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
  for (let n = 0; n < 3; n++) await kill(0);
  const [code, signal] = await exit;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  expect(complaints).toContain('3 threads died within a minute');
});
