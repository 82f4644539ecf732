import { expect, test } from 'vitest';
import { tables as accountTables } from '../../account/tables.ts';
import { tables as paymentTables } from '../../payments/tables.ts';
import { openDatabase } from './open.ts';

/* The compiler checks this file with all others: a query that compiles where an error is expected is a failure of the lint. */

test('a room can query its own tables and no others', () => {
  const db = openDatabase(':memory:');
  // @ts-expect-error clients are a table of the registry
  expect(accountTables(db).selectFrom('clients').compile).toBeDefined();
  // @ts-expect-error and so is their state
  expect(paymentTables(db).updateTable('clients').set).toBeDefined();
  // @ts-expect-error nobody queries a database without its own view
  expect(db.selectFrom('sessions').compile).toBeDefined();
  expect(accountTables(db).selectFrom('sessions').selectAll().compile().sql).toBe('select * from "sessions"');
  expect(paymentTables(db).selectFrom('orders').selectAll().compile().sql).toBe('select * from "orders"');
});
