import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Postgres, startPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { writeManifest } from '../support/catalogue.ts';
import { parts } from '../support/parts.ts';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

const folder = temporaryFolder();
const [own, back] = [`${folder.path}/own`, `${folder.path}/back`];
const QUICK = { ZOETROPE_EMBEDDER: 'none', ZOETROPE_STARTER: 'off' };
let postgres: Postgres;
let shared: Record<string, string>;
let key: string;

async function run(data: string, args: string[], env: Record<string, string> = shared) {
  const { code, stdout, stderr } = await zoetrope(data, args, env);
  return { code, said: stdout + stderr };
}

function orders(data: string): unknown[] {
  const db = new Sqlite(`${data}/zoetrope.db`, { readonly: true });
  const rows = db.prepare('select * from orders').all();
  db.close();
  return rows;
}

/** Starts a service, searches with the client's key, and stops it. */
async function search(data: string, env: Record<string, string>): Promise<string[]> {
  const server = await startServer(data, env);
  try {
    const headers = { authorization: `Bearer ${key}`, 'user-agent': 'nobody' };
    const answer = await server.get('/api/v1/search?q=cat', headers);
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id).sort();
  } finally {
    await server.stop();
  }
}

describe.skipIf(parts.postgres === undefined)('a data folder', () => {
  beforeAll(async () => {
    postgres = await startPostgres(parts.postgres!);
    shared = { ...QUICK, ZOETROPE_DATABASE_URL: postgres.url };
    const rows = writeManifest(`${folder.path}/rows.jsonl`, [
      { title: 'cat' },
      { title: 'cat again' },
      { title: 'cat' },
    ]);
    expect((await run(own, ['add', '--quiet', rows], QUICK)).code).toBe(0);
    expect((await run(own, ['gif', 'hide', 'gif-2.gif'], QUICK)).code).toBe(0);
    const { id } = JSON.parse((await zoetrope(own, ['client', 'add', 'App', '--json'], QUICK)).stdout);
    ({ key } = JSON.parse((await zoetrope(own, ['key', 'create', id, '--json'], QUICK)).stdout));
    const db = new Sqlite(`${own}/zoetrope.db`);
    db.prepare(
      "insert into orders values ('order', ?, 'pubkey', 21, 'nwc', 'hash', 'lnbc', 'paid', 1, 2, 3, 'preimage', 'note')",
    ).run(id);
    db.close();
  });

  afterAll(async () => {
    await postgres?.stop();
    folder[Symbol.dispose]();
  });

  test('is not served from an empty database by mistake', async () => {
    const { code, said } = await run(own, ['serve']);
    expect([code, said]).toEqual([1, expect.stringContaining('Run zoetrope migrate')]);
  });

  test('is not moved while a service uses it', async () => {
    const server = await startServer(own, QUICK);
    const { code, said } = await run(own, ['migrate']);
    expect([code, said]).toEqual([1, expect.stringContaining('zoetrope serve')]);
    await server.stop();
  });

  test('is moved to PostgreSQL, backed up there, and moved back with its clients, keys and decisions', async () => {
    const { code, said } = await run(own, ['migrate', '--quiet', '--json']);
    expect(code, said).toBe(0);
    expect(JSON.parse(said)).toEqual({ gifs: 2, rows: expect.any(Number), clients: 'copied' });
    expect(await search(own, shared)).toEqual(['gif-0.gif', 'gif-1.gif']);
    const again = await run(own, ['migrate', '--quiet']);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('already has a catalogue')]);
    const saved = await run(own, ['backup', `${folder.path}/saved`, '--quiet']);
    expect(saved.code, saved.said).toBe(0);
    const restored = await run(`${folder.path}/restored`, ['restore', `${folder.path}/saved`, '--quiet'], QUICK);
    expect(restored.code, restored.said).toBe(0);
    expect(await search(`${folder.path}/restored`, QUICK)).toEqual(['gif-0.gif', 'gif-1.gif']);
    const returned = await run(back, ['migrate', '--back', '--quiet']);
    expect(returned.code, returned.said).toBe(0);
    expect(await search(back, QUICK)).toEqual(['gif-0.gif', 'gif-1.gif']);
    expect(orders(back)).toEqual(orders(own));
    expect(orders(back)).toMatchObject([{ id: 'order', state: 'paid', sats: 21, preimage: 'preimage' }]);
  });
});
