import { expect, inject, test } from 'vitest';
import { Browser } from '../../packages/server/src/account/testing/browser.ts';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { freePort, startServer, temporaryFolder } from '../support/server.ts';

const WISP = { name: 'Wisp', description: '', homePage: '', contact: '' };

test('a developer signs in, registers a client, searches, sees its usage, and deletes it', async () => {
  using folder = temporaryFolder();
  const data = `${folder.path}/data`;
  await prepareData(inject('prepared'), folder.path, writeOne);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [developer, operator] = [new Browser(url, url), new Browser(url, url)];
  const env = {
    ZOETROPE_PORT: String(port),
    ZOETROPE_THREADS: '2',
    ZOETROPE_EMBEDDER: 'none',
    ZOETROPE_REQUEST_LOG: 'queries',
    ZOETROPE_ADMINS: operator.pubkey,
  };
  const lines: string[] = [];
  let key: string;
  let clientId: string;
  // Each request has a new connection, so that requests reach different threads. The threads must share their state.
  const close = { connection: 'close' };
  const search = (headers: Record<string, string>) =>
    fetch(`${url}/api/v1/search?q=dog`, { headers: { ...headers, ...close } });
  {
    await using server = await startServer(data, env);
    server.process.stderr!.on('data', (chunk) => lines.push(String(chunk)));
    const { body: site } = await developer.ask('GET /site');
    expect(site).toMatchObject({ fee: { sats: 0 }, reviewed: true, cached: false, apiBase: url });
    const { version: termsVersion } = site.terms;
    for (const browser of [developer, operator]) expect((await browser.signIn({ now: Date.now() })).status).toBe(200);

    const { body: challenge } = await developer.ask('POST /auth/challenge', {}, close);
    const now = Math.floor(Date.now() / 1_000) * 1_000;
    const logins = Array.from({ length: 10 }, (_, n) => developer.sign(challenge, { now: now - n * 1_000 }));
    const sessions = await Promise.all(
      logins.map(([route, body, headers]) => developer.ask(route, body, { ...headers, ...close })),
    );
    expect(sessions.filter(({ status }) => status === 200)).toHaveLength(1);
    developer.csrf = sessions.find(({ status }) => status === 200)!.body.csrf;

    const names = Array.from({ length: 20 }, (_, n) => ({ ...WISP, termsVersion, name: `Wisp ${n}` }));
    const made = await Promise.all(names.map((client) => developer.ask('POST /clients', client, close)));
    expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(15).fill(409)]);
    expect((await developer.ask('GET /clients')).body.clients).toHaveLength(5);
    clientId = made.find(({ status }) => status === 200)!.body.id;

    ({ key } = (await developer.ask(`POST /clients/${clientId}/keys`, { name: 'phone' })).body);
    expect((await search({ authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await search({ authorization: `Bearer ${key}` })).status).toBe(200);

    await developer.ask(`POST /clients/${clientId}/user-agents`, { pattern: 'WispApp/*' });
    expect((await search({ 'user-agent': 'WispApp/1.0' })).status).toBe(403);
    const { items } = (await operator.ask('GET /review')).body;
    await operator.ask(`POST /review/requests/${items[0].id}/approve`);
    await expect.poll(async () => (await search({ 'user-agent': 'WispApp/1.0' })).status).toBe(200);
  }
  await using server = await startServer(data, { ...env, ZOETROPE_EDGE_PORT: String(await freePort()) });
  server.process.stderr!.on('data', (chunk) => lines.push(String(chunk)));
  // An edge remembers callers, and the dashboard mentions this.
  expect((await developer.ask('GET /site')).body.cached).toBe(true);
  const { days } = (await developer.ask(`GET /clients/${clientId}/usage`)).body;
  expect(days).toMatchObject([{ operation: 'search', refused: 0, limited: 0 }]);
  expect(days[0].requests).toBeGreaterThanOrEqual(3);
  const shown = (await developer.ask(`GET /clients/${clientId}`)).body;
  expect(shown.keys[0].lastUsedAt).toBeGreaterThan(Date.now() - 3_600_000);
  expect((await developer.ask(`DELETE /clients/${clientId}`, { name: shown.name })).status).toBe(200);
  await expect.poll(async () => (await search({ authorization: `Bearer ${key}` })).status).toBe(403);
  await server.stop();
  const log = lines.join('');
  expect(log).toContain('/dashboard/api/clients');
  for (const secret of [key, developer.csrf, ...developer.cookies.values()]) expect(log).not.toContain(secret);
});

test('an invalid admin key stops the start with an error', async () => {
  using folder = temporaryFolder();
  const npub = `npub1${'q'.repeat(58)}`;
  await expect(startServer(folder.path, { ZOETROPE_ADMINS: npub })).rejects.toThrow('ZOETROPE_ADMINS');
});
