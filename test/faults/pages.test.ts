import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/* The pages of the service search for anybody, so each address has a budget: first with meaning, then by words, then not. */

const BUDGET = 8;

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const data = path.join(folder.path, 'data');
  const rows = writeManifest(path.join(folder.path, 'rows.jsonl'), [{ title: 'cat' }, { title: 'dog' }]);
  const env = { ZOETROPE_LINKED_PROBE: 'off', ZOETROPE_RATE_LIMITS: 'on', ZOETROPE_TRUST_PROXY: '1' };
  const { code, stderr } = await zoetrope(data, ['add', '--quiet', rows], env);
  expect(code, stderr).toBe(0);
  server = await startServer(data, { ...env, ZOETROPE_RATE_PAGES: `${BUDGET}` });
  const hasMeaning = async () => {
    const health = (await (await fetch(`${server.url}/healthz`)).json()) as { legs: { meaning: boolean } };
    expect(health.legs.meaning).toBe(true);
  };
  await vi.waitFor(hasMeaning, { timeout: 60_000, interval: 50 });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

/** Sends a request as a page of the service does, from a given IP address. */
function ask(address: string, target: string): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address };
  return fetch(server.url + target, { headers });
}

test('of /try: by meaning, by words, 429, and others are answered meanwhile', async () => {
  const seen: (boolean | number)[] = [];
  for (let n = 0; n <= BUDGET; n++) {
    const answer = await ask('192.0.2.1', `/try/api/v1/search?q=kitten+${n}`);
    const { semantic } = (await answer.json()) as { semantic?: boolean };
    seen.push(answer.status === 200 ? semantic! : answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const half = BUDGET / 2;
  expect(seen).toEqual([...Array(half).fill(true), ...Array(half).fill(false), 429]);
  // What was made by words for one is not kept for another.
  const other = await ask('192.0.2.2', `/try/api/v1/search?q=kitten+${half}`);
  expect(await other.json()).toMatchObject({ semantic: true });
  expect((await server.get('/api/v1/search?q=cat')).status).toBe(200);
});

test('of /: shared with /try, and reported as a page', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < BUDGET; n++) statuses.push((await ask('192.0.2.3', `/?q=puppy+${n}`)).status);
  expect(statuses).toEqual(Array(BUDGET).fill(200));
  const refused = await ask('192.0.2.3', '/?q=puppy');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('text/html');
  expect(await refused.text()).toContain('Try again in');
  expect((await ask('192.0.2.3', '/try/api/v1/search?q=cat')).status).toBe(429);
  expect((await ask('192.0.2.4', '/?q=puppy')).status).toBe(200);
});

test('a page is the same when it is asked for again', async () => {
  const [first, again] = [await ask('192.0.2.5', '/?q=dog'), await ask('192.0.2.5', '/?q=dog')];
  expect(await again.text()).toBe(await first.text());
});
