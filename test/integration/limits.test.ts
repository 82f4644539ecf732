import { expect, test } from 'vitest';
import { writeManifest } from '../support/catalogue.ts';
import { DEVELOPMENT, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

test('a client has a budget for each operation, all threads together, and is told of it', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  const rows = writeManifest(`${folder.path}/rows.jsonl`, [{ title: 'cat' }]);
  expect((await zoetrope(data, ['add', '--quiet', rows])).code).toBe(0);
  const limits = { ZOETROPE_RATE_LIMITS: 'on', ZOETROPE_RATE_SEARCH: '50', ZOETROPE_RATE_DEVELOPMENT_PERCENT: '20' };
  await using server = await startServer(data, { ...limits, ZOETROPE_THREADS: '2' });
  const answers: Response[] = [];
  for (let n = 0; n < 11; n++)
    answers.push(await server.get('/api/v1/search?q=cat', { ...DEVELOPMENT, connection: 'close' }));
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
  expect((await server.get('/api/v1/suggest?q=cat')).status).toBe(200);
  expect((await server.get('/healthz', {})).status).toBe(200);
});
