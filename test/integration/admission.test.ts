import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { createRequest } from '../../packages/server/src/clients/index.ts';
import { openDatabase } from '../../packages/server/src/platform/db/index.ts';
import { tables } from '../../packages/server/src/registry/index.ts';
import { writeOne } from '../support/catalogues.ts';
import { prepareData } from '../support/prepared-data.ts';
import { type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const data = `${folder.path}/data`;
let server: Server;

beforeAll(async () => {
  await prepareData(inject('prepared'), folder.path, writeOne);
  server = await startServer(data, { ZOETROPE_THREADS: '2', ZOETROPE_EMBEDDER: 'none' });
});

afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

async function command<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await zoetrope(data, [...args, '--json']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Result;
}

const ask = (headers: Record<string, string>) =>
  server.get('/api/v1/search?q=dog', { 'user-agent': 'nobody', connection: 'close', ...headers });

/**
 * Waits for a status. Commands are separate processes, so every thread notices a change only a moment after the command
 * has ended.
 */
async function becomes(status: number, headers: Record<string, string>): Promise<void> {
  await vi.waitFor(
    async () => {
      for (let n = 0; n < 8; n++) expect((await ask(headers)).status).toBe(status);
    },
    { timeout: 480_000, interval: 50 },
  );
}

test('a running service admits new clients and refuses removed ones', async () => {
  const page = { origin: 'https://app.example' };
  const subdomain = { origin: 'https://a.b.wild.example' };
  for (const headers of [page, subdomain]) expect((await ask(headers)).status).toBe(403);
  const origins = ['--origin', 'https://App.example/', 'https://*.wild.example'];
  const { id } = await command<{ id: string }>('client', 'add', 'Wisp', ...origins);
  for (const headers of [page, subdomain]) await becomes(200, headers);
  expect((await ask(page)).headers.get('access-control-allow-origin')).toBe('*');

  const { key, id: keyId } = await command<{ key: string; id: string }>('key', 'create', id, '--name', 'phone');
  const native = { authorization: `Bearer ${key}` };
  await becomes(200, native);

  const agent = { 'user-agent': 'WispApp/2.1 (Android)' };
  const { id: agentId } = await command<{ id: string }>('user-agent', 'add', id, 'WispApp/*');
  await becomes(200, agent);

  await command('key', 'revoke', keyId);
  await becomes(403, native);
  await command('user-agent', 'remove', agentId);
  await becomes(403, agent);
  await command('client', 'suspend', id, '--reason', 'No attribution');
  await becomes(403, page);
  const refused = await ask(page);
  expect([...refused.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  const { error } = (await refused.json()) as { error: { code: string; message: string } };
  expect(error).toEqual({
    code: 'client_not_registered',
    message: expect.stringContaining('This client is suspended'),
  });
  const { audit } = await command<{ audit: { action: string; subject: string }[] }>('client', 'show', id);
  expect(audit.at(-1)).toMatchObject({ action: 'client suspend', subject: 'approved to suspended: No attribution' });
  await command('client', 'approve', id);
  await becomes(200, page);
  await command('client', 'delete', id);
  await becomes(403, page);
  await becomes(403, subdomain);
});

test('rejects several Origin headers, even if each alone would be admitted', async () => {
  const { host } = new URL(server.url);
  const headers = ['Host', host, 'Origin', 'http://localhost', 'Origin', 'http://localhost'];
  const request = http.get(`${server.url}/api/v1/search?q=dog`, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);
});

test("a client's requests are listed, approved and rejected", async () => {
  const { id } = await command<{ id: string }>('client', 'add', 'Asks', '--pubkey', 'ab'.repeat(32));
  const db = openDatabase(`${data}/zoetrope.db`);
  const by = { actor: 'a test', now: 1 };
  const origin = await createRequest(db, by, { clientId: id, kind: 'origin', value: 'https://asks.example' });
  const agent = await createRequest(db, by, { clientId: id, kind: 'user-agent', value: 'AsksApp/*' });
  await db.destroy();
  const listed = (await zoetrope(data, ['client', 'list'])).stdout;
  expect(listed).toContain(`${origin.id}  origin https://asks.example`);
  await command('origin', 'approve', origin.id);
  await command('user-agent', 'reject', agent.id);
  await becomes(200, { origin: 'https://asks.example' });
  expect((await ask({ 'user-agent': 'AsksApp/1' })).status).toBe(403);
  const shown = await command<{ requests: unknown[]; audit: { action: string }[] }>('client', 'show', id);
  expect(shown.requests).toEqual([]);
  expect(shown.audit.map(({ action }) => action)).toEqual([
    'client create',
    'origin request',
    'user-agent request',
    'origin approve',
    'user-agent reject',
  ]);
});

test('a key is printed once, with a note about this', async () => {
  const { id } = await command<{ id: string }>('client', 'add', 'Keys');
  const { stdout } = await zoetrope(data, ['key', 'create', id]);
  const [key, note] = stdout.split('\n');
  expect(key).toMatch(/^zoe_[\dA-Za-z]{38}$/);
  expect(note).toContain('will not be shown again');
  const { stdout: shown } = await zoetrope(data, ['client', 'show', id]);
  expect(shown).not.toContain(key);
});

test('a key is refused when it has expired, and a rotated key works for some days', async () => {
  const { id } = await command<{ id: string }>('client', 'add', 'Expires');
  const old = await command<{ key: string; id: string }>('key', 'create', id, '--days', '30');
  const made = await command<{ key: string; id: string }>('key', 'rotate', old.id, '--overlap', '3');
  const bearers = [old, made].map(({ key }) => ({ authorization: `Bearer ${key}` }));
  for (const headers of bearers) await becomes(200, headers);
  expect((await zoetrope(data, ['client', 'show', id])).stdout).toMatch(/API key, since [\d-]+, expires on /);
  // The test changes the row as if the key had expired. The next command notifies the threads that the registry has
  // changed.
  const db = openDatabase(`${data}/zoetrope.db`);
  await tables(db)
    .updateTable('keys')
    .set({ expiresAt: Date.now() - 1 })
    .where('id', '=', old.id)
    .execute();
  await db.destroy();
  expect((await zoetrope(data, ['client', 'show', id])).stdout).toMatch(/API key, since [\d-]+, expired on /);
  await command('user-agent', 'add', id, 'ExpiresApp/*');
  await becomes(403, bearers[0]!);
  expect((await (await ask(bearers[0]!)).json()).error.message).toContain('API key in Authorization is not registered');
  await becomes(200, bearers[1]!);
});

test.each([
  [['client', 'add', 'Bad', '--origin', 'http://app.example'], 'origin must be https://HOST'],
  [['client', 'add', 'Bad', '--pubkey', 'npub1'], 'pubkey must be 64 hexadecimal digits'],
  [['client', 'show', 'nobody'], 'No client has the id nobody'],
  [['key', 'rotate', 'nothing'], 'No key has the id nothing'],
  [['key', 'revoke', 'nothing'], 'No key has the id nothing'],
  [['origin', 'approve', 'nothing'], 'No pending origin has the id nothing'],
])('%j says what is wrong', async (args, message) => {
  const { code, stderr } = await zoetrope(data, args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});
