import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPostgres } from '../../packages/server/src/platform/testing/postgres.ts';
import { sharedServer } from '../../packages/server/src/platform/testing/shared-server.ts';
import { outcome, spawnZoetrope, temporaryFolder, zoetrope } from '../support/server.ts';

const PATIENCE = { timeout: 480_000 };
const folder = temporaryFolder();
const name = `test_${randomUUID().replaceAll('-', '')}`;
let client: pg.Client;

afterAll(() => folder[Symbol.dispose]());

describe.skipIf(findPostgres() === undefined)('a slow PostgreSQL database', () => {
  let env: Record<string, string>;
  let slow: pg.Client;

  beforeAll(async () => {
    const server = await sharedServer('postgres');
    client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(`create database ${name}`);
    const url = Object.assign(new URL(server), { pathname: name }).href;
    env = { ZOETROPE_DATABASE_URL: url, ZOETROPE_TEST_DATABASE_TIMEOUT_MS: '100', ZOETROPE_EMBEDDER: 'none' };
    expect(await zoetrope(folder.path, ['build', '--quiet'], env)).toMatchObject({ code: 0 });
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
    const command = spawnZoetrope(folder.path, ['build', '--quiet', '--json'], env);
    const ended = outcome(command);
    const waiting = `select 1 from pg_stat_activity
      where datname = '${name}' and wait_event_type = 'Lock' and clock_timestamp() - query_start > interval '1 second'`;
    const hasWaited = async () => (await client.query(waiting)).rowCount === 1 || command.exitCode !== null;
    await expect.poll(hasWaited, PATIENCE).toBe(true);
    expect(command.exitCode).toBeNull();
    await slow.query('rollback');
    const { code, stdout, stderr } = await ended;
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ gifs: 0 });
  });
});
