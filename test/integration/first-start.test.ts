import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { catalogue } from '../../packages/starter/src/catalogue/catalogue.ts';
import { smallGif } from '../support/catalogue.ts';
import { PROGRAM, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Number of GIFs on the first screen of the search page. */
const FIRST = 36;

const SOON = { timeout: 480_000, interval: 100 };
const ENV = { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };

test('the first start serves the GIFs that most people want, adds the others afterwards, and gives way to a command that adds a GIF', async () => {
  using folder = temporaryFolder();
  const cache = `${folder.path}/cache`;
  const env = { ...ENV, ZOETROPE_CACHE: cache };
  await using server = await startServer(`${folder.path}/first`, env);
  // The service listens before it has GIFs.
  const empty = await fetch(`${server.url}/readyz`);
  expect([empty.status, await empty.json()]).toEqual([
    503,
    expect.objectContaining({ ready: false, reason: 'the first GIFs are being added' }),
  ]);
  expect(await (await fetch(`${server.url}/`)).text()).toContain('The first GIFs are being drawn.');
  await vi.waitFor(async () => expect((await fetch(`${server.url}/readyz`)).status).toBe(200), SOON);
  const { documents, growing } = (await (await fetch(`${server.url}/healthz`)).json()) as Record<string, unknown>;
  expect([documents, growing]).toEqual([FIRST, true]);
  expect(await (await fetch(`${server.url}/`)).text()).toContain('36 GIFs so far, and more are being added.');
  for (const q of ['gm', 'gn', 'bitcoin', 'coffee', 'yes', 'love', 'fire']) {
    const { count } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { count: number };
    expect(count, q).toBeGreaterThan(0);
  }
  const drawn = () =>
    fs.readdirSync(`${folder.path}/first/starter/noto`).filter((name) => name.endsWith('.gif')).length;
  await vi.waitFor(() => expect(drawn()).toBeGreaterThan(FIRST), SOON);
  // The background work gives way to the process that adds a GIF, and continues after it.
  fs.writeFileSync(`${folder.path}/quiet-harbour.gif`, smallGif(1));
  const added = await zoetrope(`${folder.path}/first`, ['add', '--quiet', `${folder.path}/quiet-harbour.gif`], env);
  expect(added.code, added.stderr).toBe(0);
  const before = drawn();
  expect(before).toBeLessThan(catalogue.length);
  await vi.waitFor(async () => {
    const { count } = (await (await server.get('/api/v1/search?q=quiet+harbour')).json()) as { count: number };
    expect(count).toBe(1);
  }, SOON);
  await vi.waitFor(() => expect(drawn()).toBeGreaterThan(before), SOON);
  await server.stop();
  // The bytes of a drawn GIF are on the disk only once.
  const inodesOf = (pattern: string) =>
    new Set(fs.globSync(`${folder.path}/${pattern}`).map((file) => fs.statSync(file).ino));
  const originals = inodesOf('first/media/orig/**/*.gif');
  expect(originals.intersection(inodesOf('first/starter/noto/*.gif')).size).toBe(originals.size - 1);
  if (process.env[PROGRAM] === undefined) return;
  // Another data folder gets the drawn GIFs from the cache.
  await using other = await startServer(`${folder.path}/second`, env);
  await vi.waitFor(async () => expect((await fetch(`${other.url}/readyz`)).status).toBe(200), SOON);
  const linked = inodesOf('second/starter/noto/*.gif').intersection(inodesOf('first/starter/noto/*.gif'));
  expect(linked.size).toBeGreaterThanOrEqual(FIRST);
});
