import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { OperatorError } from '../../base/errors.ts';
import { tablesOf } from './copy-tables.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import type { Database } from './tables.ts';

/** A migration that creates a table. */
const creating = (name: string) => ({
  async up(db: Kysely<unknown>) {
    await db.schema.createTable(name).addColumn('id', 'integer').execute();
  },
});
const first = { '01-cats': creating('cats') };
const both = { ...first, '02-dogs': creating('dogs') };

let db: Database;

beforeEach(() => {
  db = openDatabase(':memory:');
});

afterEach(() => db.destroy());

test('a newer program applies only the migrations that are missing', async () => {
  await migrate(db, first);
  expect(await tablesOf(db)).toEqual(['cats']);
  await migrate(db, both);
  await migrate(db, both);
  expect(await tablesOf(db)).toEqual(['cats', 'dogs']);
});

test('an older program can open the database of a newer program', async () => {
  await migrate(db, both);
  await migrate(db, first);
  expect(await tablesOf(db)).toEqual(['cats', 'dogs']);
});

test('a migration that fails is named, and leaves the database unchanged', async () => {
  await migrate(db, first);
  const failing = migrate(db, { ...first, '02-birds': creating('birds'), '03-cats again': creating('cats') });
  const refusal = await failing.then(String, (error: unknown) => error);
  expect(refusal).toBeInstanceOf(OperatorError);
  expect((refusal as OperatorError).message).toMatch(/^The database migration failed at step 03-cats again: .*cats/);
  expect(await tablesOf(db)).toEqual(['cats']);
  await migrate(db, both);
  expect(await tablesOf(db)).toEqual(['cats', 'dogs']);
});

test('the tables of two rooms in one database are migrated independently', async () => {
  await migrate(db, first);
  await migrate(db, { '01-dogs': creating('dogs') }, 'migrations_of_dogs');
  await migrate(db, first);
  expect(await tablesOf(db)).toEqual(expect.arrayContaining(['cats', 'dogs']));
});

test('two processes that start at the same time migrate a new database once', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'zoetrope-migrate-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const processes = Array.from({ length: 2 }, () => openDatabase(path.join(folder, 'zoetrope.db')));
  await Promise.all(processes.map((opened) => migrate(opened, both)));
  for (const opened of processes) {
    expect(await tablesOf(opened)).toEqual(['cats', 'dogs']);
    await opened.destroy();
  }
});
