import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { findPostgres } from '../platform/testing/postgres.ts';
import { sharedServer } from '../platform/testing/shared-server.ts';
import { takeCatalogueLock } from './service.ts';

describe.skipIf(findPostgres() === undefined)('a process that works on a catalogue in PostgreSQL', () => {
  it('ends when its connection breaks, because another process can then do the same work', async () => {
    const server = await sharedServer('postgres');
    const operator = new pg.Client({ connectionString: server });
    await operator.connect();
    // Locks belong to a database, and other tests take their own.
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await operator.query(`create database ${name}`);
    const store = { databaseUrl: Object.assign(new URL(server), { pathname: name }).href };
    const program = `
      import { takeCatalogueLock } from ${JSON.stringify(new URL('./service.ts', import.meta.url).href)};
      await takeCatalogueLock(${JSON.stringify(store)}, 'writer', { holder: 'first writer' });
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
    const other = () => takeCatalogueLock(store, 'writer', { holder: 'second writer', onLost: () => {} });
    await expect(other()).rejects.toThrow(`first writer (process ${child.pid} on`);
    await operator.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
    await vi.waitFor(() => expect(child.exitCode).toBe(1), { timeout: 120_000 });
    await closed;
    expect(complaints).toContain('The connection to PostgreSQL was lost');
    await (await other()).release();
    await operator.query(`drop database ${name} with (force)`);
    await operator.end();
  });
});
