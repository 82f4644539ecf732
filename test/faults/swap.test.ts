import type { SearchResponse } from '@zoetrope/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const GIFS = 250;
const VERSIONS = 3;
/** Number of requests that wait for a response at any moment. */
const TOGETHER = 12;

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;

const titleOf = (version: number) => `cat version ${version}`;

/** Yields the same GIFs for each version. Only the version in their titles differs. */
function* rows(version: number) {
  for (let n = 0; n < GIFS; n++) yield { title: titleOf(version), tags: ['cat'], popularity: n };
}

/**
 * Adds a version. It causes two builds: the first can be searched by words. The second is made when the vectors are
 * ready, and can also be searched by meaning.
 */
async function publish(version: number): Promise<void> {
  const manifest = writeManifest(`${folder.path}/rows.jsonl`, rows(version));
  const { code, stderr } = await zoetrope(data, ['add', manifest, '--quiet']);
  expect(code, stderr).toBe(0);
}

beforeAll(async () => {
  await publish(0);
  server = await startServer(data, { ZOETROPE_THREADS: '2', ZOETROPE_TEST_CONNECTIONS_PER_ADDRESS: '0' });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

it('swaps builds under load: no request fails, and no response mixes two builds', async () => {
  const versionOf = new Map<string, string>();
  const problems: string[] = [];
  let asked = 0;
  let answered = 0;

  async function ask(): Promise<void> {
    const n = asked++;
    // Three of four queries are new and too long for the table of meanings, so their searches wait for the embedder. The
    // build can be replaced during this wait.
    const query = n % 4 === 0 ? 'cat' : `cat+jumps+over+sleeping+dog+${n}`;
    const response = await server.get(`/api/v1/search?q=${query}&limit=20&offset=${(n * 7) % 180}`);
    if (response.status !== 200) return void problems.push(`status ${response.status}`);
    const { build, items } = (await response.json()) as SearchResponse;
    const versions = new Set(items.map((item) => item.title));
    const [version] = versions;
    if (versions.size !== 1 || items.length !== 20) problems.push(`build ${build} shows ${[...versions].join(', ')}`);
    if ((versionOf.get(build) ?? version) !== version) problems.push(`build ${build} changed its content`);
    versionOf.set(build, version ?? '');
  }

  async function askAndNote(): Promise<void> {
    await ask().catch((error) => problems.push(String(error)));
    answered++;
  }

  let isOver = false;
  const lanes = Array.from({ length: TOGETHER }, async () => {
    while (!isOver) await askAndNote();
  });
  for (let version = 1; version <= VERSIONS; version++) {
    await publish(version);
    await expect.poll(() => [...versionOf.values()].at(-1), { timeout: 480_000 }).toBe(titleOf(version));
  }
  isOver = true;
  await Promise.all(lanes);

  expect(problems).toEqual([]);
  expect(new Set(versionOf.values())).toEqual(new Set(Array.from({ length: VERSIONS + 1 }, (_, at) => titleOf(at))));
  expect(answered).toBeGreaterThan(10 * TOGETHER);
});
