import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { smallGif } from '../support/catalogue.ts';
import { writeFiles } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
const env = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };

afterAll(() => folder[Symbol.dispose]());

test('prints its version, and suggests the command that was probably meant', async () => {
  const version = await zoetrope(data, ['--version'], env);
  expect(version).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  const unknown = await zoetrope(data, ['serv'], env);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toContain("unknown command 'serv'");
  expect(unknown.stderr).toContain('Did you mean serve?');
});

test('adds a GIF by its URL, as a file or as a link, and names a URL that has none', async () => {
  const site = http.createServer(({ url }, response) => response.end(url!.endsWith('.gif') ? smallGif(7) : 'a page'));
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  onTestFinished(() => void site.close());
  const base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  using other = temporaryFolder();
  const allowed = { ...env, ZOETROPE_FETCH_ALLOW_PRIVATE: 'true' };
  const add = (more: Record<string, string>, ...args: string[]) =>
    zoetrope(other.path, ['add', '--quiet', ...args], more);
  const refused = await add(env, `${base}/a.gif`);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('ZOETROPE_FETCH_ALLOW_PRIVATE') });
  const page = await add(allowed, `${base}/page`);
  expect(page.stderr).toContain(`${base}/page: the file is neither a GIF nor a WebP`);
  expect((await add(allowed, `${base}/happy%20cat.gif`)).stdout).toContain('1 files added');
  expect((await add(allowed, '--link', `${base}/sad-dog.gif`)).stdout).toContain('1 linked GIFs read');
  expect(fs.readdirSync(`${other.path}/downloads`)).toEqual([]);
  await using server = await startServer(other.path, { ...allowed, ZOETROPE_LINKED_HTTP: 'show' });
  const found = async (q: string) => {
    const { items } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as {
      items: { title: string; url: string }[];
    };
    return items.map(({ title, url }) => [title, url.startsWith(base)]);
  };
  expect(await found('cat')).toEqual([['happy cat', false]]);
  expect(await found('dog')).toEqual([['sad dog', true]]);
});

test('says so if a list is empty, and takes a URL for an id', async () => {
  await prepareData(inject('prepared'), folder.path, writeFiles);
  const run = async (...args: string[]) => (await zoetrope(data, args, env)).stdout;
  expect(await run('gif', 'log')).toBe('Nothing has been changed yet.\n');
  expect(await run('reports')).toBe('There are no open reports.\n');
  expect(await run('client', 'list')).toBe('There are no clients yet.\n');
  expect(await run('gif', 'log', '--json')).toBe('[]\n');
  expect(await run('status')).toMatch(
    /^service {4}not running\nGIFs {7}6 can be found\nreview {5}nothing waits for you\nbuild {6}b\w{12}\n/,
  );
  const server = await startServer(data, env);
  const { servedBy, gifs, jobs, disk } = JSON.parse(await run('status', '--json'));
  expect(servedBy).toBe(`zoetrope serve (process ${server.process.pid})`);
  expect({ gifs, open: jobs.open }).toEqual({ gifs: { found: 6, catalogue: 6, toReview: 0 }, open: 0 });
  expect(Math.min(disk.media, disk.builds, disk.others)).toBeGreaterThan(0);
  const { items } = (await (await server.get('/api/v1/search?q=harbour')).json()) as {
    items: [{ id: string; url: string; previews: { w240: { still: string } } }];
  };
  await server.stop();
  const [{ id, url, previews }] = items;
  expect(await run('gif', 'hide', url)).toContain('Done.');
  expect(await run('gif', 'hide', previews.w240.still)).toContain('Nothing changed');
  expect(await run('gif', 'log', url)).toContain(`hide ${id}`);
});
