import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listReports } from '../../packages/server/src/moderation/index.ts';
import { type Database, openDatabase, openPostgres } from '../../packages/server/src/platform/db/index.ts';
import { enqueueJobs } from '../../packages/server/src/platform/jobs/index.ts';
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
  // A command that has to wait reports this on stderr.
  return { code, stdout, said: stdout + stderr };
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

/** Number of reports that services accepted. */
let accepted = 0;

/**
 * Runs `act` while a service gets searches and reports. Every search must succeed, and every report must be accepted or
 * refused with 503. After that, the service must refuse all reports.
 */
async function whileServed<Result>(data: string, env: Record<string, string>, act: () => Promise<Result>) {
  await using server = await startServer(data, env);
  let isOver = false;
  const report = async () => {
    const body = new URLSearchParams({ gif: 'gif-0.gif', reason: 'illegal' });
    const { status } = await fetch(`${server.url}/report`, { method: 'POST', body, redirect: 'manual' });
    if (status === 303) accepted++;
    else expect(status).toBe(503);
  };
  const ask = async () => expect((await server.get(`/api/v1/search?q=cat+${Math.random()}`)).status).toBe(200);
  const keep = async (request: () => Promise<void>) => {
    while (!isOver) await request();
  };
  const load = Promise.all([keep(report), keep(ask), keep(ask)]);
  await Promise.all([report(), ask()]);
  const result = await act().finally(() => {
    isOver = true;
  });
  await load;
  const before = accepted;
  await report();
  expect(accepted).toBe(before);
  await ask();
  return result;
}

/** Returns the number of reports, including those that were only counted. */
async function reportsIn(db: Database): Promise<number> {
  const reports = await listReports(db, { gif: 'gif-0.gif' });
  await db.destroy();
  return reports.reduce((sum, { more }) => sum + 1 + more, 0);
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

  test('is not moved while jobs are open, because their files may stay behind', async () => {
    const db = openDatabase(`${own}/zoetrope.db`);
    await enqueueJobs(db, 'source', [{ key: 'open', run: 'run', payload: { type: 'folder', path: '/nowhere' } }]);
    await db.destroy();
    const { code, said } = await run(own, ['migrate', '--quiet']);
    expect([code, said]).toEqual([1, expect.stringContaining('1 jobs are open')]);
    const file = new Sqlite(`${own}/zoetrope.db`);
    file.prepare("delete from jobs where key = 'open'").run();
    file.close();
  });

  test('is moved to PostgreSQL and back while it is served, with its clients, keys, decisions and reports', async () => {
    const moved = await whileServed(own, QUICK, () => run(own, ['migrate', '--quiet', '--json']));
    expect(moved.code, moved.said).toBe(0);
    expect(JSON.parse(moved.stdout)).toEqual({ gifs: 2, rows: expect.any(Number), clients: 'copied' });
    const reports = await reportsIn(openPostgres(postgres.url));
    expect(reports).toBe(accepted);
    expect(reports).toBeGreaterThan(0);
    expect(await search(own, shared)).toEqual(['gif-0.gif', 'gif-1.gif']);
    const again = await run(own, ['migrate', '--quiet']);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('was copied before')]);

    const returned = await whileServed(own, shared, () => run(back, ['migrate', '--back', '--quiet']));
    expect(returned.code, returned.said).toBe(0);
    expect(await reportsIn(openDatabase(`${back}/zoetrope.db`))).toBe(accepted);
    expect(accepted).toBeGreaterThan(reports);
    expect(await search(back, QUICK)).toEqual(['gif-0.gif', 'gif-1.gif']);
    expect(orders(back)).toEqual(orders(own));
    expect(orders(back)).toMatchObject([{ id: 'order', state: 'paid', sats: 21, preimage: 'preimage' }]);
  });

  test.each([
    ['folder', ['migrate', '--cancel'], () => QUICK],
    ['database', ['migrate', '--back', '--cancel'], () => shared],
  ])('the copied %s is used again only after --cancel', async (_, cancel, settings) => {
    const env: Record<string, string> = settings();
    const refused = await run(own, ['gif', 'hide', 'gif-0.gif'], env);
    expect([refused.code, refused.said]).toEqual([1, expect.stringContaining(`zoetrope ${cancel.join(' ')}`)]);
    expect((await run(own, cancel, env)).code).toBe(0);
    expect((await run(own, ['gif', 'hide', 'gif-0.gif'], env)).code).toBe(0);
    const again = await run(own, cancel, env);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('can be changed')]);
  });

  test('is backed up from PostgreSQL and restored', async () => {
    const saved = await run(own, ['backup', `${folder.path}/saved`, '--quiet']);
    expect(saved.code, saved.said).toBe(0);
    const restored = await run(`${folder.path}/restored`, ['restore', `${folder.path}/saved`, '--quiet'], QUICK);
    expect(restored.code, restored.said).toBe(0);
    expect(await search(`${folder.path}/restored`, QUICK)).toEqual(['gif-1.gif']);
  });

  test('is not copied over another catalogue', async () => {
    const again = await run(back, ['migrate', '--quiet']);
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('already has a catalogue')]);
    const unused = `${folder.path}/unused`;
    await run(unused, ['gif', 'log'], QUICK);
    const empty = await run(unused, ['migrate', '--quiet']);
    expect([empty.code, empty.said]).toEqual([1, expect.stringContaining('nothing to move')]);
  });
});
