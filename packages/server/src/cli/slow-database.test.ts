import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres } from '../platform/testing/postgres.ts';
import { sharedServer } from '../platform/testing/shared-server.ts';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const PATIENCE = { timeout: 480_000 };
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-'));
const name = `test_${randomUUID().replaceAll('-', '')}`;
let client: pg.Client;

afterAll(() => fs.rmSync(folder, { recursive: true }));

/** Starts a command that makes a build of the catalogue in this database. */
function startBuild(url: string) {
  const child = spawn(process.execPath, ['--conditions=zoetrope', MAIN, 'build', '--quiet', '--json'], {
    env: {
      ...process.env,
      ZOETROPE_DATA: folder,
      ZOETROPE_DATABASE_URL: url,
      ZOETROPE_TEST_DATABASE_TIMEOUT_MS: '100',
      ZOETROPE_EMBEDDER: 'none',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]).then(([stdout, stderr, [code]]) => {
    return { code, stdout, stderr };
  });
  return { child, ended };
}

describe.skipIf(findPostgres() === undefined)('a slow PostgreSQL database', () => {
  let url: string;
  let slow: pg.Client;

  beforeAll(async () => {
    const server = await sharedServer('postgres');
    client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(`create database ${name}`);
    url = Object.assign(new URL(server), { pathname: name }).href;
    expect(await startBuild(url).ended).toMatchObject({ code: 0 });
    slow = new pg.Client({ connectionString: url });
    await slow.connect();
  });

  afterAll(async () => {
    await slow?.end();
    await client?.query(`drop database if exists ${name} with (force)`);
    await client?.end();
  });

  test('does not end a command, which waits longer than a request', async () => {
    await slow.query('begin');
    await slow.query('lock table gifs in access exclusive mode');
    const { child, ended } = startBuild(url);
    const waiting = `select 1 from pg_stat_activity
      where datname = '${name}' and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1 second'`;
    const hasWaited = async () => (await client.query(waiting)).rowCount === 1 || child.exitCode !== null;
    await expect.poll(hasWaited, PATIENCE).toBe(true);
    expect(child.exitCode).toBeNull();
    await slow.query('rollback');
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ gifs: 0 });
  });
});
