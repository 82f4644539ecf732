import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { writeTopics } from '../conformance/catalogue.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder } from '../support/server.ts';

/**
 * Anybody can search on the service's pages, so each IP address has a budget. The first searches of an address are by
 * meaning, later searches only by words, and further searches get a 429.
 */

/** The budget is so small that it does not refill by one search during a test. */
const BUDGET = 4;

const folder = temporaryFolder();
let server: Server;

beforeAll(async () => {
  const data = path.join(folder.path, 'data');
  await prepareData(inject('prepared'), folder.path, writeTopics);
  // This embedder has every vector in time, also on a busy machine.
  const env = { ZOETROPE_EMBEDDER: 'table', ZOETROPE_LINKED_PROBE: 'off', ZOETROPE_TRUST_PROXY: '1' };
  server = await startServer(data, { ...env, ZOETROPE_RATES: `pages=${BUDGET}` });
  const hasMeaning = async () => {
    const health = (await (await fetch(`${server.url}/healthz`)).json()) as { legs: { meaning: boolean } };
    expect(health.legs.meaning).toBe(true);
  };
  await vi.waitFor(hasMeaning, { timeout: 480_000, interval: 50 });
});

afterAll(async () => {
  await server?.stop();
  folder[Symbol.dispose]();
});

/** Sends a request like a page of the service, from the given IP address. */
function ask(address: string, target: string): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address };
  return fetch(server.url + target, { headers });
}

test('searches in /try are by meaning, then by words, then get 429; other addresses are not affected', async () => {
  const seen: (boolean | number)[] = [];
  for (let n = 0; n <= BUDGET; n++) {
    const answer = await ask('192.0.2.1', `/try/api/v1/search?q=kitten+${n}`);
    const { semantic } = (await answer.json()) as { semantic?: boolean };
    seen.push(answer.status === 200 ? semantic! : answer.status);
    if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const half = BUDGET / 2;
  expect(seen).toEqual([...Array(half).fill(true), ...Array(half).fill(false), 429]);
  // If one address gets a response by words only, it is not cached for other addresses.
  const other = await ask('192.0.2.2', `/try/api/v1/search?q=kitten+${half}`);
  expect(await other.json()).toMatchObject({ semantic: true });
  expect((await server.get('/api/v1/search?q=cat')).status).toBe(200);
});

test('searches in / share the budget of /try, and are refused with a page', async () => {
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

test('a page that one address gets with results by words only is not cached for others', async () => {
  const half = BUDGET / 2;
  for (let n = 0; n < half; n++) await ask('192.0.2.6', `/?q=puppy+${n}`);
  // A GIF of a car is found only by meaning.
  const words = await (await ask('192.0.2.6', '/?q=sedan')).text();
  const meaning = await (await ask('192.0.2.7', '/?q=sedan')).text();
  expect(words).toContain('Nothing found');
  expect(meaning).not.toContain('Nothing found');
});

test('a page is the same when it is requested again', async () => {
  const [first, again] = [await ask('192.0.2.5', '/?q=dog'), await ask('192.0.2.5', '/?q=dog')];
  expect(await again.text()).toBe(await first.text());
});
