import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { writeGifs, writeManifest } from '../support/catalogue.ts';
import { makeNewerProgram } from '../support/faults/newer-program.ts';
import { startLoad } from '../support/faults/steady-load.ts';
import {
  DEVELOPMENT,
  freePort,
  PROGRAM,
  type Server,
  startServer,
  temporaryFolder,
  zoetrope,
} from '../support/server.ts';

/** Requests per second. */
const RATE = 20;
const PATIENCE = { timeout: 480_000, interval: 50 };
const FILES = 4;
const LINKED = 300;

test('an upgrade in place and the downgrade lose nothing, and the service gives no wrong answer meanwhile', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const env = { ZOETROPE_PORT: `${await freePort()}`, ZOETROPE_EMBEDDER: 'none' };
  const newer = { ...env, [PROGRAM]: makeNewerProgram(path.join(folder.path, 'newer')) };
  const files = path.join(folder.path, 'files');
  writeGifs(files, FILES);
  let rows = 0;
  /** Adds GIFs with a program. */
  const add = async (program: Record<string, string>) => {
    const list = Array.from({ length: LINKED }, () => ({ id: `row-${rows++}.gif`, title: 'harbour' }));
    const manifest = writeManifest(path.join(folder.path, `rows-${rows}.jsonl`), list);
    expect(await zoetrope(data, ['add', '--quiet', manifest], program)).toMatchObject({ code: 0 });
  };
  const originals = async (server: Server) => {
    const { items } = (await (await server.get('/api/v1/search?q=happy&limit=200')).json()) as { items: Item[] };
    const own = items.filter(({ id }) => /^[0-9a-f]{64}\.gif$/.test(id)).map(({ id }) => id);
    return Promise.all(own.map(async (id) => [id, (await server.get(`/m/${id}`)).status]));
  };
  const untilShown = (server: Server, count: number) =>
    vi.waitFor(async () => {
      expect(await (await server.get('/healthz')).json()).toMatchObject({ documents: count });
    }, PATIENCE);
  const hidden = 'row-0.gif';

  expect(await zoetrope(data, ['add', '--quiet', files], env)).toMatchObject({ code: 0 });
  await add(env);
  const client = await zoetrope(data, ['client', 'add', 'Wisp', '--origin', 'https://wisp.example', '--json'], env);
  expect(client).toMatchObject({ code: 0 });
  expect(await zoetrope(data, ['gif', 'hide', hidden], env)).toMatchObject({ code: 0 });

  let server = await startServer(data, env);
  const { url } = server;
  /** A request can fail while no program listens. If it succeeds, it finds GIFs, but never the hidden one. */
  const load = startLoad(RATE, async (n) => {
    const answer = await fetch(`${url}/api/v1/search?q=harbour&limit=50&offset=${n % 50}`, { headers: DEVELOPMENT });
    const text = await answer.text();
    const isRight = answer.status === 200 && text.includes('row-') && !text.includes(`"${hidden}"`);
    return new Response(text, { status: isRight ? 200 : 599 });
  });
  const problems = async () => (await load.stop()).filter((problem) => !/fetch failed/.test(problem));
  try {
    const before = await originals(server);
    expect(before).toHaveLength(FILES);
    for (const program of [newer, env, newer]) {
      await load.more(RATE);
      await server.stop();
      server = await startServer(data, program);
      await add(program);
      await untilShown(server, FILES + rows - 1);
      expect(await originals(server)).toEqual(before);
      const registered = await server.get('/api/v1/search?q=harbour', { origin: 'https://wisp.example' });
      expect(registered.status).toBe(200);
    }
    const { code, stdout } = await zoetrope(data, ['doctor', '--json'], newer);
    expect([code, JSON.parse(stdout).well]).toEqual([0, true]);
  } finally {
    expect(await problems()).toEqual([]);
    await server.stop();
  }
});

interface Item {
  id: string;
}
