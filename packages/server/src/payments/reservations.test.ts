import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, migrate, openDatabase } from '../platform/db/index.ts';
import { release, reserve } from './reservations.ts';
import { paymentMigrations, tables } from './tables.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 1);

let db: Database;
let made: number;

beforeEach(async () => {
  db = openDatabase(':memory:');
  made = 0;
  await migrate(db, { '1': paymentMigrations.orders, '2': paymentMigrations.reservations });
});

afterEach(() => db.destroy());

/** Reserves an invoice for a person. @returns the id of the reservation */
async function reserveFor(pubkey: string, at: number): Promise<string> {
  const id = `${++made}`;
  await reserve(db, { id, pubkey, at });
  return id;
}

const limited = { code: 'rate_limited', retryAfter: 600 };

test('a person gets five invoices per hour, and more when the first hour is over', async () => {
  for (let n = 0; n < 5; n++) await reserveFor('ann', NOW + n * MINUTE);
  await expect(reserveFor('ann', NOW + 60 * MINUTE - 1)).rejects.toMatchObject(limited);
  await reserveFor('bob', NOW + 5 * MINUTE);
  await reserveFor('ann', NOW + 60 * MINUTE);
  await expect(reserveFor('ann', NOW + 60 * MINUTE)).rejects.toMatchObject(limited);
});

test('a reservation that was cancelled does not count', async () => {
  for (let n = 0; n < 4; n++) await reserveFor('ann', NOW);
  await release(db, await reserveFor('ann', NOW));
  await reserveFor('ann', NOW);
});

test('reservations from before the clock was set back do not count, unless a process is a little ahead', async () => {
  for (let n = 0; n < 5; n++) await reserveFor('ann', NOW);
  await expect(reserveFor('ann', NOW - 5 * MINUTE)).rejects.toMatchObject(limited);
  await reserveFor('ann', NOW - 6 * MINUTE);
});

test('all people together get 500 invoices per hour', async () => {
  const others = Array.from({ length: 499 }, (_, n) => ({ id: `other ${n}`, pubkey: `${n}`, at: NOW }));
  await tables(db).insertInto('reservations').values(others).execute();
  await reserveFor('ann', NOW);
  await expect(reserveFor('ann', NOW)).rejects.toMatchObject({ code: 'fee_unavailable', retryAfter: 600 });
});
