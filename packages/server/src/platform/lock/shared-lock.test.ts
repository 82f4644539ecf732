import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPostgres } from '../testing/postgres.ts';
import { sharedServer } from '../testing/shared-server.ts';
import { takeSharedLock } from './shared-lock.ts';

/** The two numbers of the lock. All locks of the service have the same first number. */
const [LOCKS, LOCK] = [2_051_433, 1];

describe.skipIf(findPostgres() === undefined)('a lock in PostgreSQL', () => {
  let url: string;
  let operator: pg.Client;

  beforeAll(async () => {
    // The test has its own database, because locks belong to a database, and other tests also take locks.
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    const server = await sharedServer('postgres');
    operator = new pg.Client({ connectionString: server });
    await operator.connect();
    await operator.query(`create database ${name}`);
    url = Object.assign(new URL(server), { pathname: name }).href;
  });

  afterAll(async () => {
    await operator.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`);
    await operator.end();
  });

  /** Breaks the connections of a holder. @returns the number of broken connections */
  async function breakConnection(holder: string): Promise<number | null> {
    const { rowCount } = await operator.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where starts_with(application_name, $1)',
      [holder],
    );
    return rowCount;
  }

  it('refuses the second holder and names the first, until the first releases it', async () => {
    const [onLost, other] = [vi.fn(), vi.fn()];
    const lock = await takeSharedLock(url, LOCK, 'first holder', onLost);
    await expect(takeSharedLock(url, LOCK, 'second holder', other)).rejects.toThrow(
      `first holder (process ${process.pid} on`,
    );
    await lock.release();
    await (await takeSharedLock(url, LOCK, 'second holder', other)).release();
    expect([onLost.mock.calls, other.mock.calls]).toEqual([[], []]);
  });

  it('refuses a lock whose holder has no name', async () => {
    const nameless = new pg.Client({ connectionString: url });
    await nameless.connect();
    await nameless.query('select pg_advisory_lock($1, $2)', [LOCKS, LOCK]);
    await expect(takeSharedLock(url, LOCK, 'holder', vi.fn())).rejects.toThrow('Another zoetrope process');
    await nameless.end();
  });

  it('informs its holder when the connection breaks, and another process can then take the lock', async () => {
    const [onLost, other] = [vi.fn(), vi.fn()];
    const lock = await takeSharedLock(url, LOCK, 'first holder', onLost);
    expect(await breakConnection('first holder')).toBe(1);
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledTimes(1), { timeout: 480_000 });
    const next = await takeSharedLock(url, LOCK, 'second holder', other);
    await lock.release();
    await expect(takeSharedLock(url, LOCK, 'third holder', vi.fn())).rejects.toThrow('second holder');
    await next.release();
    expect(onLost).toHaveBeenCalledTimes(1);
    expect(other).not.toHaveBeenCalled();
  });
});
