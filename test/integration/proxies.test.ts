import { expect, test } from 'vitest';
import { startServer, temporaryFolder } from '../support/server.ts';

const FORWARDED = { 'x-forwarded-for': '192.0.2.1', connection: 'close' };

/** Returns the service's warnings after 20 connections with X-Forwarded-For. */
async function warnings(proxies: string): Promise<string[]> {
  using folder = temporaryFolder();
  await using server = await startServer(`${folder.path}/data`, {
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_THREADS: '2',
    ZOETROPE_TRUST_PROXY: proxies,
  });
  let log = '';
  server.process.stderr!.on('data', (chunk) => (log += chunk));
  for (let n = 0; n < 20; n++) await server.get('/readyz', FORWARDED);
  const isSilent = proxies !== '0';
  if (!isSilent) await expect.poll(() => log).toContain('ZOETROPE_TRUST_PROXY');
  await server.stop();
  return log.split('\n').filter((line) => line.includes('ZOETROPE_TRUST_PROXY'));
}

test('warns of an untrusted proxy, once for all threads', async () => {
  const [warning, ...others] = await warnings('0');
  expect(others).toEqual([]);
  expect(warning).toContain('Set it to the number of proxies');
});

test('does not warn of a trusted proxy', async () => {
  expect(await warnings('1')).toEqual([]);
});
