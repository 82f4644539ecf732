import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

describe('search on the command line', () => {
  const folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  let server: Server;

  beforeAll(async () => {
    const rows = ['happy cat', 'happy \u001b[31m dog', 'sad cat', 'tired cat'].map((title, n) => {
      fs.writeFileSync(path.join(folder.path, `${n}.gif`), smallGif(n));
      return JSON.stringify({ file: `${n}.gif`, title, tags: title.split(' ').filter((word) => /^\w+$/.test(word)) });
    });
    const manifest = path.join(folder.path, 'gifs.jsonl');
    fs.writeFileSync(manifest, rows.join('\n'));
    await zoetrope(data, ['add', '--quiet', manifest], { ZOETROPE_EMBEDDER: 'none' });
    server = await startServer(data, { ZOETROPE_EMBEDDER: 'none', ZOETROPE_CATEGORIES: 'dog, cat' });
  });

  afterAll(async () => {
    await server?.stop();
    folder[Symbol.dispose]();
  });

  const run = (...args: string[]) => zoetrope(data, args, { ZOETROPE_PORT: new URL(server.url).port });

  test('prints readable results without control characters', async () => {
    const { stdout, code } = await run('search', 'happy');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^happy cat {2}8 x 8, /m);
    expect(stdout).toContain('dog');
    expect(stdout).not.toContain('\u001b');
    expect(stdout).not.toContain('sad');
    expect((await run('search', 'nothing', 'like', 'it')).stdout).toBe('Nothing found.\n');
  });

  test('prints JSON or note tags for programs', async () => {
    const gifs = JSON.parse((await run('search', 'cat', '--json', '--limit', '1')).stdout);
    expect(gifs).toHaveLength(1);
    const tag = JSON.parse((await run('search', 'sad', '--imeta')).stdout);
    expect(tag.slice(0, 2)).toEqual(['imeta', expect.stringMatching(/^url http/)]);
    const similar = JSON.parse((await run('similar', gifs[0].id, '--json')).stdout);
    expect(similar.map(({ id }: { id: string }) => id)).not.toContain(gifs[0].id);
    expect((await run('suggest', 'hap')).stdout).toMatch(/2 {2}tag +happy/);
  });

  test('shows trending GIFs, random GIFs and categories', async () => {
    expect((await run('trending')).stdout.match(/ 8 x 8, /g)).toHaveLength(4);
    expect(JSON.parse((await run('trending', '--json', '--limit', '2')).stdout)).toHaveLength(2);
    expect((await run('random', 'sad')).stdout).toMatch(/^sad cat {2}8 x 8, /);
    expect((await run('random')).stdout).toMatch(/^(?:happy|sad|tired) /);
    const missed = await run('random', 'nothing', 'like', 'it');
    expect(missed).toMatchObject({ code: 1, stdout: '' });
    expect(missed.stderr).toContain('No GIF was found');
    const categories = JSON.parse((await run('categories', '--json')).stdout);
    const cover = { title: expect.stringContaining('cat') };
    expect(categories).toMatchObject([{ name: 'Cat', term: 'cat', cover }]);
    expect((await run('categories')).stdout).toMatch(/^Cat +cat\n {2}http/);
  });

  test('ignores an exported key of another service', async () => {
    const env = { ZOETROPE_PORT: new URL(server.url).port, ZOETROPE_KEY: 'zoe_of_another_service' };
    expect((await zoetrope(data, ['search', 'sad'], env)).stdout).toMatch(/^sad cat/);
    const gif = path.join(folder.path, '0.gif');
    expect((await zoetrope(data, ['add', '--quiet', gif], { ...env, ZOETROPE_EMBEDDER: 'none' })).code).toBe(0);
    using other = temporaryFolder();
    await using serving = await startServer(other.path, { ZOETROPE_EMBEDDER: 'none', ZOETROPE_KEY: env.ZOETROPE_KEY });
    expect((await serving.get('/readyz')).status).toBe(200);
  });

  test('reports where and why it failed', async () => {
    const unknown = await run('similar', 'nobody.gif');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toContain('nobody.gif');
    const nowhere = await run('search', 'cat', '--service', 'http://127.0.0.1:1');
    expect(nowhere.stderr).toContain('http://127.0.0.1:1: The GIF service did not respond');
    expect((await run('search', 'cat', '--limit', '0')).code).toBe(2);
    const stranger = await zoetrope(data, ['search', 'cat', '--service', server.url], { ZOETROPE_KEY: 'zoe_wrong' });
    expect(stranger.stderr).toContain('ZOETROPE_KEY');
  });
});
