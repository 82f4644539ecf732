import { LIMITS } from '@zoetrope/contract';
import { expect, onTestFinished, test } from 'vitest';
import { createLookUp } from '../admission/index.ts';
import { createClient, findClient } from '../clients/index.ts';
import { migrate, openDatabase } from '../platform/db/index.ts';
import { registryMigrations } from '../registry/index.ts';
import { createKey, noteKeyUse, rotateKey } from './keys.ts';

const HOUR = 3_600_000;

const DAY = 24 * HOUR;

async function openWithClient() {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.destroy());
  const { registry, details, auditOwners, keyExpiry, clientLimits } = registryMigrations;
  await migrate(db, { '1': registry, '2': details, '3': auditOwners, '4': keyExpiry, '6': clientLimits });
  const by = { actor: 'a test', now: 1_700_000_000_000 };
  const client = await createClient(db, by, { name: 'Wisp', state: 'approved', pubkeys: [], origins: [] });
  return { db, by, clientId: client.id };
}

test('the last use of a key is noted at most once an hour', async () => {
  const { db, by, clientId } = await openWithClient();
  const { key } = await createKey(db, by, { clientId, name: 'phone' });
  const noted = async (now: number) => {
    await noteKeyUse(db, key, now);
    return (await findClient(db, clientId)).keys[0]!.lastUsedAt;
  };
  expect(await noted(by.now)).toBe(by.now);
  expect(await noted(by.now + HOUR - 1)).toBe(by.now);
  expect(await noted(by.now + HOUR)).toBe(by.now + HOUR);
});

test('a key is refused from the time at which it expires, and no cache keeps it for longer', async () => {
  const { db, by, clientId } = await openWithClient();
  const { key, expiresAt } = await createKey(db, by, { clientId, name: 'phone', days: 30 });
  expect(expiresAt).toBe(by.now + 30 * DAY);
  const clock = { ms: by.now, now: () => clock.ms };
  const lookUp = createLookUp(db, clock);
  clock.ms = by.now + 30 * DAY - 1;
  expect(await lookUp({ kind: 'key', value: key })).toMatchObject({ client: { id: clientId }, expiresAt });
  clock.ms += 1;
  expect(await lookUp({ kind: 'key', value: key })).toBeNull();
});

test('after a rotation the old key works for some days, and never longer than before', async () => {
  const { db, by, clientId } = await openWithClient();
  const old = await createKey(db, by, { clientId, name: 'phone', days: 3 });
  const made = await rotateKey(db, by, { id: old.id, overlapDays: 7, days: 90 });
  const again = await rotateKey(db, by, { id: made.id, overlapDays: 7 });
  expect(again.key).not.toBe(made.key);
  const expected = [3 * DAY, 7 * DAY, null].map((ms) => ms && by.now + ms);
  const { keys } = await findClient(db, clientId);
  expect(keys.map(({ name, expiresAt }) => ({ name, expiresAt }))).toEqual(
    expected.map((expiresAt) => ({ name: 'phone', expiresAt })),
  );
  await expect(rotateKey(db, by, { id: 'nothing', overlapDays: 7 })).rejects.toMatchObject({ code: 'not_found' });
});

test('expired keys do not count against the limit, and are removed when a key is created', async () => {
  const { db, by, clientId } = await openWithClient();
  const create = (now: number) => createKey(db, { ...by, now }, { clientId, name: 'phone', days: 1 });
  for (let n = 0; n < LIMITS.apiKeysPerClient; n++) await create(by.now);
  await expect(create(by.now + DAY - 1)).rejects.toMatchObject({ code: 'limit_reached' });
  const { id } = await create(by.now + DAY);
  expect((await findClient(db, clientId)).keys.map((key) => key.id)).toEqual([id]);
});
