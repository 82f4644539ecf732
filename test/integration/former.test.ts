import fs from 'node:fs';
import path from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { expect, it, vi } from 'vitest';
import { startServer, temporaryFolder, zoetrope } from '../support/server.ts';

/*
 * `former` is a data folder that version 0.1 wrote on 2026-11-22. It contains a file and two linked GIFs, an edit that
 * is not in a build yet, a relay with a claim, and a client with an origin, a User-Agent and a key. Its database is
 * stored as SQL text, so that changes can be reviewed.
 */
const FORMER = 'test/integration/former';
const KEY = 'zoe_4sUp5GIDOebbzkqh41rSwV1SIWW8cnIk0mBpo6';
const FILE = 'b1d2ac2e67fc3451566da167d94d182c69c797196bd2cbdcf7d539e3fe2f325f';

function openFormer(folder: string): string {
  const data = path.join(folder, 'data');
  fs.cpSync(FORMER, data, { recursive: true });
  const db = new BetterSqlite3(path.join(data, 'zoetrope.db'));
  db.exec(fs.readFileSync(path.join(FORMER, 'zoetrope.sql'), 'utf8'));
  db.close();
  return data;
}

it('a data folder of an earlier version opens, migrates and serves', async () => {
  using folder = temporaryFolder();
  const data = openFormer(folder.path);
  const server = await startServer(data);
  try {
    const found = await searchAs(server, 'red wave', { authorization: `Bearer ${KEY}` });
    expect(found).toMatchObject([{ id: `${FILE}.gif`, title: 'red wave', width: 32, height: 24, verified: true }]);
    expect(await searchAs(server, 'dog', { origin: 'https://former.example' })).toHaveLength(1);
    expect((await server.get(`/m/${FILE}.gif`)).status).toBe(200);
    // This edit was made after the last build.
    await vi.waitFor(async () => {
      const [moon] = await searchAs(server, 'moon', { 'user-agent': 'Former/1.2' });
      expect(moon).toMatchObject({ title: 'cat dancing on the moon' });
    }, 240_000);
    const { stdout } = await zoetrope(data, ['gif', 'log', '--json']);
    expect(JSON.parse(stdout)).toMatchObject([{ seq: 1, action: 'edit' }]);
  } finally {
    await server.stop();
  }
});

it('a data folder of an earlier version passes the doctor, and can be backed up and restored', async () => {
  using folder = temporaryFolder();
  const data = openFormer(folder.path);
  const examined = await zoetrope(data, ['doctor', '--json']);
  expect(JSON.parse(examined.stdout).findings.filter(({ state }: { state: string }) => state === 'wrong')).toEqual([]);
  const backup = path.join(folder.path, 'backup');
  expect((await zoetrope(data, ['backup', backup])).code).toBe(0);
  const restored = path.join(folder.path, 'restored');
  expect((await zoetrope(restored, ['restore', backup])).code).toBe(0);
});

async function searchAs(
  server: Awaited<ReturnType<typeof startServer>>,
  q: string,
  headers: Record<string, string>,
): Promise<object[]> {
  const answer = await server.get(`/api/v1/search?q=${encodeURIComponent(q)}&mode=text`, headers);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { items: object[] }).items;
}
