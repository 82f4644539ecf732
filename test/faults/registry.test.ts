import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient, findClient } from '../../packages/server/src/clients/index.ts';
import { createKey } from '../../packages/server/src/identifiers/index.ts';
import { type Postgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { openSharedRegistry, registryRevision } from '../../packages/server/src/registry/index.ts';
import { REGISTRY_MIGRATIONS } from '../../packages/server/src/service/migrations.ts';
import { writeGifs, writeManifest } from '../support/catalogue.ts';
import { startLoad } from '../support/faults/steady-load.ts';
import { parts } from '../support/parts.ts';
import { DEVELOPMENT, type Server, startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/** Requests per second during a test, to all services together. */
const RATE = 50;

const folder = temporaryFolder();
const folders = [`${folder.path}/one`, `${folder.path}/two`] as const;
const servers: Server[] = [];
let postgres: Postgres;
let env: Record<string, string>;

type Headers = Record<string, string>;

async function command(...args: string[]): Promise<void> {
  const { code, stderr } = await zoetrope(folders[0], args, env);
  // The command may report that the service on the same folder is working.
  expect(stderr.replace(/^.* is working on this catalogue.*\n/, '')).toBe('');
  expect(code).toBe(0);
}

/** Each search has a new connection, so that every thread gets requests. */
const ask = (server: Server, headers: Headers) =>
  server.get('/api/v1/search?q=cat', { 'user-agent': 'nobody', connection: 'close', ...headers });

/** Expects this status from every service, with enough requests to reach all of its threads. */
async function everywhere(status: number, headers: Headers, services = servers): Promise<void> {
  for (const server of services) {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(server, headers)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(status));
  }
}

/** Waits for this status from every service. Without a notification, services remember known callers for an hour. */
const becomes = (status: number, headers: Headers) =>
  vi.waitFor(() => everywhere(status, headers), { timeout: 480_000, interval: 20 });

/** Sends requests from these callers in turn to each service. */
const load = (callers: Headers[]) =>
  startLoad(RATE, (n) => ask(servers[Math.floor(n / callers.length) % servers.length]!, callers[n % callers.length]!));

/** Registers a client directly in the database, like another process. A command would take longer. */
async function newClient(name: string) {
  const registry = openSharedRegistry(postgres.url, REGISTRY_MIGRATIONS);
  await registry.ready();
  const { db } = registry;
  const by = { actor: 'a test', now: 1 };
  const origin = `https://${name.toLowerCase()}.example`;
  const { id } = await createClient(db, by, { name, state: 'approved', pubkeys: [], origins: [origin] });
  const { id: keyId, key } = await createKey(db, by, { clientId: id, name: 'key' });
  const { origins } = await findClient(db, id);
  await registry.close();
  return { id, page: { origin }, originId: origins[0]!.id, native: { authorization: `Bearer ${key}` }, keyId };
}

async function shownBy(server: Server): Promise<string[]> {
  const answer = await server.get('/api/v1/search?q=cat');
  const { items } = (await answer.json()) as { items: { id: string }[] };
  return items.map(({ id }) => id).sort();
}

const showEverywhere = (ids: string[]) =>
  vi.waitFor(async () => expect(await Promise.all(servers.map(shownBy))).toEqual(servers.map(() => ids)), {
    timeout: 480_000,
    interval: 50,
  });

const restart = () => vi.waitFor(() => postgres.start(), { timeout: 480_000 });

describe.skipIf(parts.postgres === undefined)('two services that share a PostgreSQL database', () => {
  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres!);
    env = { ZOETROPE_DATABASE_URL: postgres.url, ZOETROPE_THREADS: '2', ZOETROPE_EMBEDDER: 'none' };
    const rows = writeManifest(`${folder.path}/rows.jsonl`, [{ title: 'cat' }, { title: 'cat again' }]);
    expect((await zoetrope(folders[0], ['add', '--quiet', rows], env)).code).toBe(0);
    fs.cpSync(folders[0], folders[1], { recursive: true });
    servers.push(...(await Promise.all(folders.map((data) => startServer(data, env)))));
  });

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await postgres?.stop();
    folder[Symbol.dispose]();
  });

  test('are notified of a change while they serve others', async () => {
    const stays = await newClient('Stays');
    const goes = await newClient('Goes');
    const gone = await newClient('Gone');
    for (const caller of [stays, goes, gone].flatMap(({ page, native }) => [page, native])) await becomes(200, caller);
    const running = load([stays.page, stays.native]);
    await command('key', 'revoke', goes.keyId);
    await becomes(403, goes.native);
    await everywhere(200, goes.page);
    await command('origin', 'remove', goes.originId);
    await becomes(403, goes.page);
    await command('client', 'delete', gone.id);
    await becomes(403, gone.page);
    await becomes(403, gone.native);
    expect(await running.stop()).toEqual([]);
  });

  test('keep serving known callers when the database is killed, and serve other callers once it is back', async () => {
    const { page, native } = await newClient('Known');
    await becomes(200, page);
    const running = load([page, native]);
    await running.more(RATE);
    await postgres.kill();
    await running.more(RATE);
    const stranger = { origin: 'https://stranger.example' };
    await becomes(503, stranger);
    const answer = await ask(servers[0]!, stranger);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers.get('retry-after')).toBe('10');
    expect(await answer.json()).toMatchObject({ error: { code: 'registry_unavailable' } });
    await everywhere(200, DEVELOPMENT);
    await restart();
    await becomes(403, stranger);
    await running.more(RATE);
    expect(await running.stop()).toEqual([]);
    const late = await newClient('Late');
    await becomes(200, late.native);
  });

  test('admit callers that one thread has admitted within the last hour, on all threads and after a restart, while the database is down', async () => {
    const { page, native } = await newClient('Seen');
    await becomes(200, page);
    /** The callers that the first service has saved for the registry's current revision. */
    const saved = async (): Promise<unknown[]> => {
      const { revision, callers } = JSON.parse(fs.readFileSync(`${folders[0]}/callers.json`, 'utf8'));
      const registry = openSharedRegistry(postgres.url, REGISTRY_MIGRATIONS);
      const now = await registryRevision(registry.db).finally(() => registry.close());
      return revision === now ? callers : [];
    };
    await vi.waitFor(
      async () => {
        expect((await ask(servers[0]!, native)).status).toBe(200);
        expect(await saved()).not.toEqual([]);
      },
      { timeout: 480_000, interval: 500 },
    );
    await postgres.kill();
    await everywhere(200, native, [servers[0]!]);
    await servers[0]!.stop();
    servers[0] = await startServer(folders[0], env);
    await everywhere(200, native, [servers[0]!]);
    await everywhere(503, { origin: 'https://stranger.example' });
    await restart();
    await becomes(403, { origin: 'https://stranger.example' });
  });

  test('show GIFs that are added, and hide GIFs that are hidden, on either machine', async () => {
    const rows = writeManifest(`${folder.path}/more.jsonl`, [{ id: 'more.gif', title: 'cat too' }]);
    await command('add', '--quiet', rows);
    await showEverywhere(['gif-0.gif', 'gif-1.gif', 'more.gif']);
    const { code } = await zoetrope(folders[1], ['gif', 'hide', 'gif-0.gif'], env);
    expect(code).toBe(0);
    await showEverywhere(['gif-1.gif', 'more.gif']);
    await command('gif', 'show', 'gif-0.gif');
    await showEverywhere(['gif-0.gif', 'gif-1.gif', 'more.gif']);
    // Makes changes one after the other, while the other machine still pauses after the previous change.
    for (const id of ['next.gif', 'last.gif']) {
      await command('add', '--quiet', writeManifest(`${folder.path}/${id}.jsonl`, [{ id, title: 'cat' }]));
    }
    await showEverywhere(['gif-0.gif', 'gif-1.gif', 'last.gif', 'more.gif', 'next.gif']);
    for (const id of ['next.gif', 'last.gif']) await command('gif', 'hide', id);
    await showEverywhere(['gif-0.gif', 'gif-1.gif', 'more.gif']);
  });

  test('start while the database is down, report it once, and do everything that does not need it', async () => {
    const second = servers.at(-1)!;
    writeGifs(`${folder.path}/own`, 1);
    const added = await zoetrope(folders[1], ['add', '--quiet', `${folder.path}/own`], env);
    expect(added.code, added.stderr).toBe(0);
    const own = async () => {
      const { items } = (await (await second.get('/api/v1/search?q=happy+dance')).json()) as {
        items: { id: string }[];
      };
      expect(items).toHaveLength(1);
      return items[0]!.id;
    };
    const id = await vi.waitFor(own, { timeout: 480_000, interval: 50 });
    expect((await second.get(`/m/${id}`)).status).toBe(200);
    for (const hidden of ['more.gif', id]) await command('gif', 'hide', hidden);
    await showEverywhere(['gif-0.gif', 'gif-1.gif']);
    await vi.waitFor(async () => expect((await second.get(`/m/${id}`)).status).toBe(404), { timeout: 480_000 });
    await servers.pop()!.stop();
    await postgres.kill();
    const server = await startServer(folders[1], env);
    servers.push(server);
    const log: string[] = [];
    server.process.stderr!.on('data', (lines) => log.push(String(lines)));
    expect(await shownBy(server)).toEqual(['gif-0.gif', 'gif-1.gif']);
    expect((await server.get(`/m/${id}`)).status).toBe(404);
    expect((await ask(server, { origin: 'https://known.example' })).status).toBe(503);
    for (const args of [
      ['gif', 'hide', 'gif-0.gif'],
      ['client', 'list'],
    ]) {
      const { code, stderr } = await zoetrope(folders[1], args, env);
      expect(code).toBe(1);
      expect(stderr).toMatch(/^The PostgreSQL database \(ZOETROPE_DATABASE_URL\) cannot be used: .*ECONNREFUSED.*\n$/);
    }
    const told = log
      .join('')
      .split('\n')
      .filter((line) => line.includes('ZOETROPE_DATABASE_URL'));
    const messages = told.map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual([...new Set(messages)]);
    await restart();
    await becomes(200, { origin: 'https://known.example' });
    await command('gif', 'hide', 'gif-0.gif');
    await showEverywhere(['gif-1.gif']);
  });
});
