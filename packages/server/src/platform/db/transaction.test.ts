import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './open.ts';
import type { Database } from './tables.ts';
import { inTransaction } from './transaction.ts';

let folder: string;
/** Two databases on the same file, as if two processes had opened it. */
let one: Database;
let other: Database;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'zoetrope-'));
  one = openDatabase(path.join(folder, 'zoetrope.db'));
  other = openDatabase(path.join(folder, 'zoetrope.db'));
  await sql`create table counters (n integer)`.execute(one);
  await sql`insert into counters values (0)`.execute(one);
});

afterEach(async () => {
  await Promise.all([one.destroy(), other.destroy()]);
  await rm(folder, { recursive: true });
});

async function read(db: Database): Promise<number> {
  const { rows } = await sql<{ n: number }>`select n from counters`.execute(db);
  return rows[0]!.n;
}

const write = (db: Database, n: number) => sql`update counters set n = ${n}`.execute(db);

test('a transaction is repeated if another process wrote after its first read', async () => {
  const seen: number[] = [];
  const sum = await inTransaction(one, async (trx) => {
    const n = await read(trx);
    seen.push(n);
    if (seen.length < 3) await write(other, n + 10);
    await write(trx, n + 1);
    return n + 1;
  });
  expect(seen).toEqual([0, 10, 20]);
  expect(sum).toBe(21);
  expect(await read(other)).toBe(21);
});

test('a transaction that has only read waits until another process has finished writing', async () => {
  const held = await other.startTransaction().execute();
  await write(held, 10);
  let times = 0;
  await inTransaction(one, async (trx) => {
    const n = await read(trx);
    if (++times === 2) await held.commit().execute();
    await write(trx, n + 1);
  });
  expect([times, await read(one)]).toEqual([3, 11]);
});

test('a transaction that others overtake at every attempt gives up and changes nothing', async () => {
  let times = 0;
  const late = inTransaction(one, async (trx) => {
    const n = await read(trx);
    await write(other, ++times);
    await write(trx, n - 100);
  });
  await expect(late).rejects.toMatchObject({ code: 'SQLITE_BUSY_SNAPSHOT' });
  expect(await read(one)).toBe(times);
});

test('any other failure is reported without retries', async () => {
  let times = 0;
  const failing = inTransaction(one, async (trx) => {
    await write(trx, ++times);
    throw new Error('enough');
  });
  await expect(failing).rejects.toThrow('enough');
  expect([times, await read(one)]).toEqual([1, 0]);
});
