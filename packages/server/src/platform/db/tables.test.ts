import { expect, test } from 'vitest';
import { tables as accountTables } from '../../account/tables.ts';
import { tables as paymentTables } from '../../payments/tables.ts';
import { openDatabase } from './open.ts';

/* The compiler does the checks of this test. If a query compiles although an error is expected, the lint fails. */

test('each part of the service can query its own tables and no others', () => {
  const db = openDatabase(':memory:');
  // @ts-expect-error clients are a table of the registry
  expect(accountTables(db).selectFrom('clients').compile).toBeDefined();
  // @ts-expect-error and so is their state
  expect(paymentTables(db).updateTable('clients').set).toBeDefined();
  // @ts-expect-error a query needs the view of a room
  expect(db.selectFrom('sessions').compile).toBeDefined();
  expect(accountTables(db).selectFrom('sessions').selectAll().compile().sql).toBe('select * from "sessions"');
  expect(paymentTables(db).selectFrom('orders').selectAll().compile().sql).toBe('select * from "orders"');
});
