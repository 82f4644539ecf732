import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findPostgres } from '../platform/testing/postgres.ts';
import { sharedServer } from '../platform/testing/shared-server.ts';
import { takeCatalogueLock, takeWorkLock } from './service.ts';

describe.skipIf(findPostgres() === undefined)('a process that works on a catalogue in PostgreSQL', () => {
  // The test has its own database, because locks belong to a database, and other tests also take locks.
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  let operator: pg.Client;
  let databaseUrl: string;

  beforeAll(async () => {
    const server = await sharedServer('postgres');
    operator = new pg.Client({ connectionString: server });
    await operator.connect();
    await operator.query(`create database ${name}`);
    databaseUrl = Object.assign(new URL(server), { pathname: name }).href;
  });

  afterAll(async () => {
    await operator.query(`drop database ${name} with (force)`);
    await operator.end();
  });

  it('ends when its connection breaks, because another process can then do the same work', async () => {
    const program = `
      import { takeCatalogueLock } from ${JSON.stringify(new URL('./service.ts', import.meta.url).href)};
      await takeCatalogueLock(${JSON.stringify({ databaseUrl })}, 'writer', { holder: 'first writer' });
      console.log('held');
      setInterval(() => {}, 1_000);`;
    const flags = ['--conditions=zoetrope', '--input-type=module', '--eval', program];
    const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let complaints = '';
    child.stderr.on('data', (chunk) => {
      complaints += chunk;
    });
    const closed = once(child, 'close');
    await once(child.stdout, 'data');
    const other = () => takeCatalogueLock({ databaseUrl }, 'writer', { holder: 'second writer', onLost: () => {} });
    await expect(other()).rejects.toThrow(`first writer (process ${child.pid} on`);
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await vi.waitFor(() => expect(child.exitCode).toBe(1), { timeout: 480_000 });
    await closed;
    expect(complaints).toContain('The connection to PostgreSQL was lost');
    await (await other()).release();
  });

  it('can take its work after another machine has ended it', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const other = await takeCatalogueLock({ databaseUrl }, 'probe', { holder: 'another machine' });
    const take = () => takeWorkLock({ folder, databaseUrl }, 'probe');
    await expect(take()).rejects.toThrow('another machine');
    await other.release();
    await (await take()).release();
    await (await take()).release();
  });
});
