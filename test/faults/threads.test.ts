import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { writeFiles } from '../support/catalogues.ts';
import { preload } from '../support/faults/sabotage.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, freePort, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * The tests kill a serving thread with a file whose name is the thread's number. The service continues, or it ends and
 * reports the reason.
 */

const folder = temporaryFolder();
const data = path.join(folder.path, 'data');
const THREADS = 2;
let env: Record<string, string>;

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
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
  await vi.waitFor(() => expect(fs.existsSync(file)).toBe(false), { timeout: 480_000, interval: 10 });
}

/** The service's view of two GIFs: a new one, and a hidden one whose title contains `harbour`. */
interface Shown {
  /** Titles found by a word of the new GIF's title, and by a word that the operator has added for it. */
  octopus: string[];
  wobblefish: string[];
  isFound: boolean;
  isSuggested: boolean;
  /** Status of the hidden GIF's original. */
  original: number;
}

/**
 * Returns the different views that the service has of the two GIFs. Each request has its own connection, so that every
 * thread gets requests.
 * @param hidden the hidden GIF
 */
async function views({ get }: Server, hidden: { id: string; url: string }): Promise<Shown[]> {
  const ask = (target: string) => get(target, { ...DEVELOPMENT, connection: 'close' });
  const search = async (q: string) => ((await (await ask(`/api/v1/search?q=${q}`)).json()) as SearchResponse).items;
  const titles = async (q: string) => (await search(q)).map(({ title }) => title);
  const view = async (): Promise<Shown> => ({
    octopus: await titles('octopus'),
    wobblefish: await titles('wobblefish'),
    isFound: (await search('harbour')).some(({ id }) => id === hidden.id),
    isSuggested: JSON.stringify(await (await ask('/api/v1/suggest?q=harbou')).json()).includes('harbour'),
    original: (await ask(new URL(hidden.url).pathname)).status,
  });
  const seen = await Promise.all(Array.from({ length: 8 }, async () => JSON.stringify(await view())));
  return [...new Set(seen)].map((text) => JSON.parse(text));
}

const SOON = { timeout: 480_000, interval: 100 };

test('a thread that dies is replaced by a thread with the newest build, words and hidden GIFs', async () => {
  // The background work is off, because it would soon make a new build without the hidden GIF.
  await using server = await startServer(data, { ...env, ZOETROPE_BACKGROUND: 'off' });
  const found = (await (await server.get('/api/v1/search?q=harbour')).json()) as SearchResponse;
  const hidden = found.items[0]!;
  const before = { octopus: [], wobblefish: [], isFound: true, isSuggested: true, original: 200 };
  expect(await views(server, hidden)).toEqual([before]);
  const added = path.join(folder.path, 'purple-octopus.gif');
  fs.writeFileSync(added, smallGif(4_242, 32));
  expect((await zoetrope(data, ['add', '--quiet', added], env)).code).toBe(0);
  fs.writeFileSync(path.join(data, 'synonyms.txt'), 'wobblefish = octopus\n');
  expect((await zoetrope(data, ['gif', 'hide', hidden.id], env)).code).toBe(0);
  const octopus = ['purple octopus'];
  const after = { octopus, wobblefish: octopus, isFound: false, isSuggested: false, original: 404 };
  await expect.poll(() => views(server, hidden), SOON).toEqual([after]);
  let complaints = '';
  server.process.stderr!.on('data', (chunk) => {
    complaints += chunk;
  });
  for (let n = 0; n < THREADS; n++) {
    await kill(n);
    await vi.waitFor(() => expect(complaints).toContain(`sabotage of thread ${n}`), SOON);
    // After the last death, only new threads respond.
    await vi.waitFor(async () => expect(await views(server, hidden)).toEqual([after]), SOON);
  }
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
