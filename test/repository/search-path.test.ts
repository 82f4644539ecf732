import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { PROGRAM, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Maximum number of files that a newcomer can read in an hour. */
const MOST_FILES = 15;

const SOURCES = path.resolve('packages/server/src');
const PRELOAD = path.resolve('test/support/thread-coverage.mjs');

it('a search runs code in exactly the files that ARCHITECTURE.md names', async () => {
  using folder = temporaryFolder();
  const data = path.join(folder.path, 'data');
  const manifest = path.join(folder.path, 'gifs.jsonl');
  fs.writeFileSync(manifest, JSON.stringify({ url: 'https://127.0.0.1/a.gif', title: 'happy dance', format: 'gif' }));
  await zoetrope(data, ['add', manifest]);
  const server = await startServer(data, {
    // The bundle merges all sources into a few files.
    [PROGRAM]: path.join(SOURCES, 'main.ts'),
    COVERAGE_FOLDER: folder.path,
    ZOETROPE_RATE_LIMITS: 'on',
    NODE_OPTIONS: `--import ${pathToFileURL(PRELOAD).href}`,
  });
  try {
    const take = async (n: number): Promise<string[]> => {
      server.process.kill('SIGUSR2');
      const file = path.join(folder.path, `${n}.json`);
      return vi.waitFor(() => JSON.parse(fs.readFileSync(file, 'utf8')) as string[], 10_000);
    };
    // The first request also does one-time work. It looks up the caller and creates tables.
    await server.get('/api/v1/search?q=first&mode=text');
    await take(0);
    expect((await server.get('/api/v1/search?q=happy&mode=text')).status).toBe(200);
    const ran = (await take(1))
      .filter((url) => url.startsWith(pathToFileURL(SOURCES).href))
      .map((url) => path.relative(SOURCES, new URL(url).pathname))
      .toSorted();
    expect(ran).toEqual(namedFiles());
    expect(ran.length).toBeLessThanOrEqual(MOST_FILES);
  } finally {
    await server.stop();
  }
});

function namedFiles(): string[] {
  const [, search = ''] = fs.readFileSync('ARCHITECTURE.md', 'utf8').split('## 3. One search');
  const steps = search.split('\n\n').find((part) => part.startsWith('1. '))!;
  return [...new Set([...steps.matchAll(/`server\/src\/([\w/-]+\.ts)`/g)].map(([, file]) => file!))].toSorted();
}
