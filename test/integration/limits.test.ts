import fs from 'node:fs';
import { expect, inject, test, vi } from 'vitest';
import { createClient, setLimit } from '../../packages/server/src/clients/index.ts';
import { startRedis } from '../../packages/server/src/limits/testing/redis.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { writeFiles, writeOne } from '../support/catalogues.ts';
import { parts } from '../support/parts.ts';
import { prepareData } from '../support/prepared-data.ts';
import { DEVELOPMENT, startServer, temporaryFolder } from '../support/server.ts';

const LONG = { timeout: 60_000 };

test('a client has one budget per operation across all threads, and headers report it', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  const budgets = {
    ZOETROPE_RATES: 'search=50, media=3',
    ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '20',
  };
  await using server = await startServer(data, { ...budgets, ZOETROPE_THREADS: '2' });
  const answers: Response[] = [];
  for (let n = 0; n < 11; n++)
    answers.push(await server.get('/api/v1/search?q=dog', { ...DEVELOPMENT, connection: 'close' }));
  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 429]);
  const { headers } = answers[0]!;
  expect(headers.get('ratelimit-policy')).toBe('"search";q=10;w=60');
  expect(headers.get('ratelimit')).toBe('"search";r=9;t=6');
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
  /** Returns the policies that the threads report for a new connection each. */
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

test.skipIf(parts.redis === undefined)(
  'two services share a budget through Redis, and still respond when it is killed',
  async () => {
    using folder = temporaryFolder();
    const [first, second] = [`${folder.path}/data`, `${folder.path}/second`];
    await prepareData(inject('prepared'), folder.path, writeOne);
    fs.cpSync(first, second, { recursive: true });
    const redis = await startRedis(parts.redis!);
    await using _ = { [Symbol.asyncDispose]: redis.kill };
    // The budget regains one request every five seconds. The bursts below take less time than that.
    const budgets = {
      ZOETROPE_RATES: 'search=12, similar=12, media=12',
      ZOETROPE_TEST_RATE_DEVELOPMENT_PERCENT: '100',
    };
    const settings = {
      ZOETROPE_THREADS: '1',
      ZOETROPE_EMBEDDER: 'none',
      ZOETROPE_LOG_LEVEL: 'info',
    };
    const env = { ...budgets, ...settings, ZOETROPE_REDIS_URL: redis.url };
    await using one = await startServer(first, env);
    await using two = await startServer(second, env);
    const servers = [one, two];
    const logs = servers.map((server) => {
      const lines: string[] = [];
      server.process.stderr!.on('data', (chunk) => lines.push(String(chunk)));
      return () => lines.join('');
    });

    async function burst(path: string): Promise<number[]> {
      const asked = Array.from({ length: 18 }, () => servers.map((server) => server.get(path)));
      const answers = await Promise.all(asked.flat());
      return [200, 429].map((status) => answers.filter((answer) => answer.status === status).length);
    }

    // A service counts a request alone if Redis takes longer than 100 ms, as it may on a busy machine. Two services that
    // always count alone allow 24 requests.
    const expectShared = ([allowed, refused]: number[]) => {
      expect(allowed).toBeGreaterThanOrEqual(12);
      expect(allowed).toBeLessThan(24);
      expect(refused).toBe(36 - allowed!);
    };
    for (let n = 0; n < 20; n++) await Promise.all(servers.map((server) => server.get('/api/v1/suggest?q=dog')));
    expectShared(await burst('/api/v1/search?q=dog'));
    expect((await burst('/m/none.gif'))[0]).toBe(0);
    await redis.kill();
    for (const server of servers) expect((await server.get('/api/v1/suggest?q=dog')).status).toBe(200);
    await vi.waitFor(() => logs.map((log) => expect(log()).toContain('ZOETROPE_REDIS_URL')), { timeout: 120_000 });
    await redis.start();
    const isBack = async () => {
      for (const [n, server] of servers.entries()) {
        expect((await server.get('/api/v1/suggest?q=dog')).status).toBe(200);
        expect(logs[n]!()).toContain('is available again');
      }
    };
    await vi.waitFor(isBack, { timeout: 120_000, interval: 50 });
    expectShared(await burst('/api/v1/gifs/dog.gif/similar'));
    for (const log of logs) expect(log().split('is unavailable')).toHaveLength(2);
  },
);
