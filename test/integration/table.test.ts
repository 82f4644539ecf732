import { spawnSync } from 'node:child_process';
import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const LONG_QUERY = 'a small kitten plays with a ball of red wool';
const ENV = { ZOETROPE_EMBEDDER: 'table', ZOETROPE_THREADS: '2' };

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const rows = ['A kitten plays', 'A lawyer in court', 'Rain on a window', 'An ocean wave', 'A wedding cake'].map(
  (title) => ({ title }),
);
let server: Server;

beforeAll(async () => {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows);
  const { code, stderr } = await zoetrope(data, ['add', manifest, '--quiet'], ENV);
  expect(code, stderr).toBe(0);
  server = await startServer(data, ENV);
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

async function search(mode: string, q: string, also = ''): Promise<SearchResponse> {
  const response = await server.get(`/api/v1/search?mode=${mode}&q=${encodeURIComponent(q)}${also}`);
  expect(response.status).toBe(200);
  return (await response.json()) as SearchResponse;
}

describe('a service with the table of meanings', () => {
  // The first request after the start is answered by meaning, because no process has to start.
  test.each([
    ['cat', 'A kitten plays'],
    ['Katze', 'A kitten plays'],
    ['attorney', 'A lawyer in court'],
    ['море', 'An ocean wave'],
    ['marriage', 'A wedding cake'],
  ])('finds by meaning: %s', async (q, title) => {
    const found = await search('semantic', q);
    expect([found.semantic, found.items[0]?.title]).toEqual([true, title]);
    const auto = await search('auto', q);
    expect([auto.semantic, auto.items[0]?.title]).toEqual([true, title]);
  });

  test('compares a half-typed query by its completion, because half a word has no meaning', async () => {
    const similarity = async (q: string) => {
      const { explain = [] } = await search('auto', q, '&explain=1');
      return explain[0]!.meaning!.score;
    };
    expect(await similarity('rain windo')).toBe(await similarity('rain window'));
  });

  test('finds nothing by meaning for a query without words', async () => {
    expect(await search('semantic', '!?')).toMatchObject({ semantic: false, count: 0 });
  });

  test('has no embedder process, and reports that its embedder is ready', async () => {
    const { stdout } = spawnSync('pgrep', ['-P', String(server.process.pid), '-f', 'embed.child'], {
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
    const health = await (await server.get('/healthz')).json();
    expect(health).toMatchObject({ embedder: { state: 'ready' } });
    const { stdout: report } = await zoetrope(data, ['doctor', '--json'], ENV);
    expect(JSON.parse(report).findings).toContainEqual(
      expect.objectContaining({ check: 'embedder', state: 'well', message: expect.stringMatching(/^table:.* works$/) }),
    );
  });
});

describe('a service with the bundled encoder', () => {
  const own = { ZOETROPE_THREADS: '1' };
  const place = `${folder.path}/bundled`;
  let bundled: Server;

  beforeAll(async () => {
    const manifest = writeManifest(`${folder.path}/bundled.jsonl`, rows);
    const { code, stderr } = await zoetrope(place, ['add', manifest, '--quiet'], own);
    expect(code, stderr).toBe(0);
    bundled = await startServer(place, own);
  });

  afterAll(async () => {
    await bundled?.stop();
  });

  async function ask(q: string, mode = 'auto'): Promise<SearchResponse> {
    const response = await bundled.get(`/api/v1/search?mode=${mode}&q=${encodeURIComponent(q)}`);
    expect(response.status).toBe(200);
    return (await response.json()) as SearchResponse;
  }

  test('searches short queries by meaning and long queries by words while its process hangs', async () => {
    await expect.poll(async () => (await ask(LONG_QUERY)).semantic, { timeout: 60_000 }).toBe(true);
    const { stdout } = spawnSync('pgrep', ['-P', String(bundled.process.pid), '-f', 'embed.child'], {
      encoding: 'utf8',
    });
    const child = Number(stdout);
    expect(child).toBeGreaterThan(0);
    process.kill(child, 'SIGSTOP');
    try {
      expect((await ask(`${LONG_QUERY} on a table`)).semantic).toBe(false);
      for (const q of ['wedding cakes', 'Katze', 'ocean']) expect((await ask(q)).semantic, q).toBe(true);
      expect((await ask('wedding', 'semantic')).items[0]?.title).toBe('A wedding cake');
    } finally {
      process.kill(child, 'SIGCONT');
    }
  });
});
