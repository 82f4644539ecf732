import fs from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { createClient, setLimit } from '../../packages/server/src/clients/index.ts';
import { startRedis } from '../../packages/server/src/limits/testing/redis.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { writeFiles, writeOne } from '../support/catalogues.ts';
import { parts } from '../support/parts.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder } from '../support/server.ts';

const LONG = { timeout: 480_000 };

test('a client has one budget per operation across all threads, and headers report it', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  const budgets = {
    // The budget of four searches regains one search every 15 seconds. The searches below take less time than that.
    ZOETROPE_RATES: 'search=20, media=3',
    ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '20',
  };
  await using server = await startServer(data, { ...budgets, ZOETROPE_THREADS: '2' });
  const answers: Response[] = [];
  for (let n = 0; n < 5; n++)
    answers.push(await server.get('/api/v1/search?q=dog', { ...DEVELOPMENT, connection: 'close' }));
  expect(answers.map(({ status }) => status)).toEqual([...Array(4).fill(200), 429]);
  const { headers } = answers[0]!;
  expect(headers.get('ratelimit-policy')).toBe('"search";q=4;w=60');
  expect(headers.get('ratelimit')).toBe('"search";r=3;t=15');
  expect(headers.get('access-control-expose-headers')).toContain('RateLimit');
  const refused = answers.at(-1)!;
  expect(refused.headers.get('ratelimit')).toMatch(/^"search";r=0;t=\d+$/);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.headers.get('access-control-allow-origin')).toBe('*');
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect(await refused.json()).toMatchObject({ error: { code: 'rate_limited' } });
  expect((await server.get('/api/v1/suggest?q=dog')).status).toBe(200);
  expect((await server.get('/healthz', {})).status).toBe(200);
  const images = [];
  for (let n = 0; n < 4; n++) images.push((await server.get('/m/none.gif', { connection: 'close' })).status);
  expect(images).toEqual([404, 404, 404, 429]);
});

test('an operator changes the limit of one client while the service runs, on all threads', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  const limits = { ZOETROPE_RATES: 'search=50', ZOETROPE_EMBEDDER: 'none' };
  await using server = await startServer(data, { ...limits, ZOETROPE_THREADS: '2' });
  const db = openDatabase(`${data}/zoetrope.db`);
  await using _ = { [Symbol.asyncDispose]: () => db.destroy() };
  const by = { actor: 'a test', now: Date.now(), reason: 'many users' };
  const origins = ['https://wisp.example', 'https://other.example'];
  const fields = { name: 'Wisp', state: 'approved' as const, pubkeys: [], origins };
  const { id } = await createClient(db, by, fields);
  /** Returns the policies that the threads report, each on a new connection. */
  const policies = async (origin: string) => {
    const answers = Array.from({ length: 6 }, () =>
      server.get('/api/v1/search?q=dog', { origin, connection: 'close' }),
    );
    return new Set((await Promise.all(answers)).map(({ headers }) => headers.get('ratelimit-policy')));
  };
  await expect.poll(() => policies('https://wisp.example'), LONG).toEqual(new Set(['"search";q=50;w=60']));
  await setLimit(db, by, id, 200);
  for (const origin of origins)
    await expect.poll(() => policies(origin), LONG).toEqual(new Set(['"search";q=200;w=60']));
  await setLimit(db, by, id, null);
  await expect.poll(() => policies('https://wisp.example'), LONG).toEqual(new Set(['"search";q=50;w=60']));
});

test('an IP address gets a limited number of image bytes per minute, across all threads', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeFiles);
  const limits = { ZOETROPE_RATES: 'mediaBytes=100', ZOETROPE_EMBEDDER: 'none' };
  await using server = await startServer(data, { ...limits, ZOETROPE_THREADS: '2' });
  const { items } = (await (await server.get('/api/v1/search?q=dance')).json()) as { items: { url: string }[] };
  const { pathname } = new URL(items[0]!.url);
  const images: Response[] = [];
  for (let n = 0; n < 2; n++) images.push(await server.get(pathname, { connection: 'close' }));
  expect(images.map(({ status }) => status)).toEqual([200, 429]);
  expect((await images[0]!.arrayBuffer()).byteLength).toBeGreaterThan(100);
  expect(Number(images[1]!.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await images[1]!.json()).toMatchObject({
    error: { code: 'rate_limited', message: expect.stringContaining('100 bytes') },
  });
});

const SEARCHES = 12;
/** Number of simultaneous searches that each of two services gets. */
const BURST = 18;
/** Each attempt to see a shared budget needs a new client, because it uses up the client's budget. */
const ORIGINS = Array.from({ length: 100 }, (_, n) => `https://app-${n}.example`);

/** Registers a client for each origin. */
async function registerAll(data: string): Promise<void> {
  const db = openDatabase(`${data}/zoetrope.db`);
  const by = { actor: 'a test', now: Date.now() };
  for (const origin of ORIGINS)
    await createClient(db, by, { name: 'App', state: 'approved', pubkeys: [], origins: [origin] });
  await db.destroy();
}

/** Returns a function that returns what a service has logged about Redis: the last state is the current one. */
function redisStates({ process }: Server): () => string[] {
  let log = '';
  process.stderr!.on('data', (chunk) => {
    log += chunk;
  });
  return () => Array.from(log.matchAll(/Redis \(ZOETROPE_REDIS_URL\) is (\w+)/g), ([, state]) => state!);
}

test.skipIf(parts.redis === undefined)(
  'two services share a budget through Redis, and still respond when it is killed',
  async () => {
    using folder = temporaryFolder();
    const [first, second] = [`${folder.path}/data`, `${folder.path}/second`];
    await prepareData(inject('prepared'), folder.path, writeOne);
    await registerAll(first);
    fs.cpSync(first, second, { recursive: true });
    const redis = await startRedis(parts.redis!);
    await using _ = { [Symbol.asyncDispose]: redis.kill };
    const settings = { ZOETROPE_THREADS: '1', ZOETROPE_EMBEDDER: 'none', ZOETROPE_LOG_LEVEL: 'info' };
    const env = { ...settings, ZOETROPE_RATES: `search=${SEARCHES}, media=12`, ZOETROPE_REDIS_URL: redis.url };
    await using one = await startServer(first, env);
    await using two = await startServer(second, env);
    const servers = [one, two];
    const states = servers.map(redisStates);

    async function burst(path: string, origin: string): Promise<number[]> {
      const asked = Array.from({ length: BURST }, () => servers.map((server) => server.get(path, { origin })));
      return (await Promise.all(asked.flat())).map(({ status }) => status);
    }
    const allowed: number[] = [];
    const statuses = new Set<number>();
    // If Redis takes longer than 100 ms, as it may on a busy machine, a service counts the request without the other
    // service. After that, it counts alone for a second. Two services that always count alone allow twice as many
    // requests.
    const expectShared = () =>
      vi.waitFor(
        async () => {
          const found = await burst('/api/v1/search?q=dog', ORIGINS[allowed.length]!);
          for (const status of found) statuses.add(status);
          allowed.push(found.filter((status) => status === 200).length);
          expect(allowed.at(-1)).toBeLessThan(2 * SEARCHES);
        },
        { ...LONG, interval: 1_500 },
      );
    const suggest = async () => {
      for (const server of servers) expect((await server.get('/api/v1/suggest?q=dog')).status).toBe(200);
    };
    const become = (state: string) =>
      vi.waitFor(async () => {
        await suggest();
        for (const of of states) expect(of().at(-1)).toBe(state);
      }, LONG);

    await expectShared();
    expect(await burst('/m/none.gif', ORIGINS[0]!)).not.toContain(200);
    await redis.kill();
    await become('unavailable');
    await redis.start();
    await become('available');
    await expectShared();
    expect(Math.min(...allowed)).toBeGreaterThanOrEqual(SEARCHES);
    expect([...statuses].toSorted()).toEqual([200, 429]);
    // Each outage is logged once, and so is its end.
    for (const of of states) {
      expect(of()).toEqual(of().map((__, n) => (n % 2 === 0 ? 'unavailable' : 'available')));
    }
  },
);
