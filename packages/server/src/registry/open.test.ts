import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Stoppable } from '../base/repeat.ts';
import { createClient, deleteClient } from '../clients/index.ts';
import { findPostgres, type Postgres, startPostgres } from '../platform/testing/postgres.ts';
import { registryRevision } from './audit.ts';
import { registryMigrations } from './migrations.ts';
import { openRegistry, openSharedRegistry, type Registry } from './open.ts';

const by = { actor: 'a test', now: 1_700_000_000_000 };
const wanted = { name: 'Wisp', state: 'approved', pubkeys: [], origins: [] } as const;

const programs = findPostgres();

describe.skipIf(programs === undefined)('a registry in its own PostgreSQL database', () => {
  let postgres: Postgres;
  const { registry, notify, details, auditOwners, keyExpiry, clientLimits } = registryMigrations;
  const migrations = { '1': registry, '2': notify, '3': details, '4': auditOwners, '5': keyExpiry, '6': clientLimits };
  const open = () => openSharedRegistry(postgres.url, migrations);

  beforeAll(async () => {
    postgres = await startPostgres(programs!);
  });

  afterAll(() => postgres.stop());

  beforeEach(async () => {
    await (await postgres.open()).destroy();
  });

  test('is set up once when many processes start at the same time', async () => {
    const registries = Array.from({ length: 8 }, open);
    await Promise.all(registries.map((registry) => registry.ready()));
    for (const { db } of registries) await createClient(db, by, wanted);
    expect(await registryRevision(registries[0]!.db)).toBe(8);
    await Promise.all(registries.map((registry) => registry.close()));
  });

  test('notifies others of each change, but not of failed ones', async () => {
    const [one, two] = [open(), open()];
    await one.ready();
    const told = vi.fn<(revision: number | null) => void>();
    const listener = two.listen!(told);
    await vi.waitFor(() => expect(told).toHaveBeenCalledWith(null), { timeout: 480_000 });
    const { id } = await createClient(one.db, by, wanted);
    await expect(deleteClient(one.db, by, 'nobody')).rejects.toThrow('No client');
    await deleteClient(one.db, by, id);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(3), { timeout: 480_000 });
    expect(told.mock.calls).toEqual([[null], [1], [2]]);
    await end(listener, one, two);
  });

  test('continues when its server is back, and then reports that changes may be missing', async () => {
    const registry = open();
    await registry.ready();
    const told = vi.fn<(revision: number | null) => void>();
    const listener = registry.listen!(told);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), { timeout: 480_000 });
    await postgres.kill();
    await expect(registryRevision(registry.db)).rejects.toThrow();
    await restart();
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(2), { timeout: 480_000 });
    expect(told).toHaveBeenLastCalledWith(null);
    await createClient(registry.db, by, wanted);
    await vi.waitFor(() => expect(told).toHaveBeenLastCalledWith(1), { timeout: 480_000 });
    await end(listener, registry);
  });

  test('is ready when its server is up, and until then rejects, naming the setting', async () => {
    await postgres.kill();
    const registry = open();
    await expect(registry.ready()).rejects.toThrow(/ZOETROPE_DATABASE_URL.*ECONNREFUSED/);
    await restart();
    await registry.ready();
    expect(await registryRevision(registry.db)).toBe(0);
    await registry.close();
  });

  test('does not wait for a statement that takes too long', async () => {
    const limits = { databaseUrl: postgres.url, databaseConnections: 2, databaseTimeoutMs: 100 };
    const registry = openRegistry(limits, undefined as never, migrations);
    await expect(sql`select pg_sleep(60)`.execute(registry.db)).rejects.toThrow('statement timeout');
    const { rows } = await sql`select current_setting('statement_timeout') as limit`.execute(registry.db);
    expect(rows).toEqual([{ limit: '100ms' }]);
    await registry.close();
  });

  test('can be closed even if its server hangs', async () => {
    const registry = open();
    await registry.ready();
    const told = vi.fn<(revision: number | null) => void>();
    const listener = registry.listen!(told);
    await vi.waitFor(() => expect(told).toHaveBeenCalledTimes(1), { timeout: 480_000 });
    const { rows } = await sql<{ pid: number }>`
      select pid from pg_stat_activity where application_name = 'zoetrope'`.execute(registry.db);
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
    await Promise.all([listener.stop(), registry.close()]);
    for (const { pid } of rows) process.kill(pid, 'SIGCONT');
  });

  const restart = () => vi.waitFor(() => postgres.start(), { timeout: 480_000 });

  async function end(listener: Stoppable, ...registries: Registry[]): Promise<void> {
    await listener.stop();
    for (const registry of registries) await registry.close();
  }
});
