import fs from 'node:fs';
import { expect, test, vi } from 'vitest';
import { startServer, temporaryFolder } from '../support/server.ts';

/** Number of GIFs on the first screen of the search page. */
const FIRST = 36;

test('the first start serves the GIFs that most people want, and adds the others afterwards', async () => {
  using folder = temporaryFolder();
  const env = { ZOETROPE_STARTER: 'on', ZOETROPE_EMBEDDER: 'none', ZOETROPE_RATING: 'off', ZOETROPE_CAPTIONS: 'off' };
  await using server = await startServer(folder.path, env);
  const { documents } = (await (await fetch(`${server.url}/healthz`)).json()) as { documents: number };
  expect(documents).toBe(FIRST);
  for (const q of ['gm', 'gn', 'bitcoin', 'coffee', 'yes', 'love', 'fire']) {
    const { count } = (await (await server.get(`/api/v1/search?q=${q}`)).json()) as { count: number };
    expect(count, q).toBeGreaterThan(0);
  }
  const drawn = () => fs.readdirSync(`${folder.path}/starter/noto`).filter((name) => name.endsWith('.gif')).length;
  await vi.waitFor(() => expect(drawn()).toBeGreaterThan(FIRST), { timeout: 240_000, interval: 100 });
});
