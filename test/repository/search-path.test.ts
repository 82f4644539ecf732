import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it, vi } from 'vitest';
import { DEVELOPMENT, PROGRAM, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Maximum number of files that a newcomer can read in an hour. */
const MOST_FILES = 16;

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
    ZOETROPE_RATES: '',
    NODE_OPTIONS: `--import ${pathToFileURL(PRELOAD).href}`,
  });
  try {
    const take = async (n: number): Promise<string[]> => {
      server.process.kill('SIGUSR2');
      const file = path.join(folder.path, `${n}.json`);
      return vi.waitFor(() => JSON.parse(fs.readFileSync(file, 'utf8')) as string[], 10_000);
    };
    // The first request also does one-time work. It looks up the caller and creates tables.
    await search(server.url, 'first');
    const named = namedFiles();
    let [n, ran] = [0, [] as string[]];
    await take(n);
    // On a busy machine, the service can close the connection meanwhile, and a new connection runs other code. A timer
    // also runs other code. The code that every search needs is covered every time.
    do {
      const isKept = await search(server.url, `happy${n + 1}`);
      const covered = await take(++n);
      if (isKept) ran = filesOf(covered);
    } while (String(ran) !== String(named) && n < ATTEMPTS);
    expect(ran).toEqual(named);
    expect(ran.length).toBeLessThanOrEqual(MOST_FILES);
  } finally {
    await server.stop();
  }
});

const ATTEMPTS = 10;
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

/** Searches as the development client. @returns whether the request used the connection of the previous request */
async function search(url: string, q: string): Promise<boolean> {
  const request = http.get(`${url}/api/v1/search?q=${q}&mode=text`, { agent, headers: DEVELOPMENT });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
  return request.reusedSocket;
}

/** Returns the server's files, without their folder. */
function filesOf(urls: readonly string[]): string[] {
  return urls
    .filter((url) => url.startsWith(pathToFileURL(SOURCES).href))
    .map((url) => path.relative(SOURCES, new URL(url).pathname))
    .toSorted();
}

function namedFiles(): string[] {
  const [, search = ''] = fs.readFileSync('ARCHITECTURE.md', 'utf8').split('## 3. One search');
  const steps = search.split('\n\n').find((part) => part.startsWith('1. '))!;
  return [...new Set([...steps.matchAll(/`server\/src\/([\w/-]+\.ts)`/g)].map(([, file]) => file!))].toSorted();
}
