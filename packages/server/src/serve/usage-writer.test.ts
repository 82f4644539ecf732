import { expect, onTestFinished, test, vi } from 'vitest';
import { listUsage, UsageTally } from '../admission/index.ts';
import { systemClock } from '../base/clock.ts';
import { createClient } from '../clients/index.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import { registryMigrations } from '../registry/index.ts';
import type { Service } from '../service/index.ts';
import { openUsageWriter } from './usage-writer.ts';

test('counts that cannot be saved are logged, and later ones are saved', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const { registry, details, auditOwners, keyExpiry, usageByWay } = registryMigrations;
  await migrate(db, { '1': registry, '2': details, '3': auditOwners, '4': keyExpiry, '5': usageByWay });
  const now = systemClock.now();
  const fields = { name: 'Wisp', state: 'approved', pubkeys: [], origins: [] } as const;
  const { id } = await createClient(db, { actor: 'a test', now }, fields);
  const ready = vi.fn(async () => {});
  const warn = vi.fn();
  const desk = openUsageWriter({ registry: { db, ready }, log: { warn } } as unknown as Service);
  const write = () => {
    const tally = new UsageTally();
    tally.count({ id }, 'search', 'made', now);
    desk.write(tally.take());
  };
  ready.mockRejectedValueOnce(new Error('the registry is down'));
  write();
  write();
  write();
  await desk.settled();
  expect(await listUsage(db, id, now)).toMatchObject([{ requests: 2 }]);
  expect(warn).toHaveBeenCalledOnce();
});
