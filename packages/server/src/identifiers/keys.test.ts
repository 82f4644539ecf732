import { expect, onTestFinished, test } from 'vitest';
import { createClient, findClient } from '../clients/index.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import { registryMigrations } from '../registry/index.ts';
import { createKey, noteKeyUse } from './keys.ts';

const HOUR = 3_600_000;

test('the last use of a key is noted at most once an hour', async () => {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const { registry, details, auditOwners } = registryMigrations;
  await migrate(db, { '1': registry, '2': details, '3': auditOwners });
  const by = { actor: 'a test', now: 1_700_000_000_000 };
  const client = await createClient(db, by, { name: 'Wisp', state: 'approved', pubkeys: [], origins: [] });
  const { key } = await createKey(db, by, { clientId: client.id, name: 'phone' });
  const noted = async (now: number) => {
    await noteKeyUse(db, key, now);
    return (await findClient(db, client.id)).keys[0]!.lastUsedAt;
  };
  expect(await noted(by.now)).toBe(by.now);
  expect(await noted(by.now + HOUR - 1)).toBe(by.now);
  expect(await noted(by.now + HOUR)).toBe(by.now + HOUR);
});
