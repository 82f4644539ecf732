import type { OrderState } from '@zoetrope/contract/account';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { type Database, viewOf } from '../platform/db/index.ts';

export interface OrderTable {
  id: string;
  /** The client's id. The client may have been deleted. */
  clientId: string;
  /** The public key of the person who requested the invoice. */
  pubkey: string;
  sats: number;
  provider: string;
  paymentHash: string;
  bolt11: string;
  state: OrderState;
  /** Milliseconds since the Unix epoch, here and below. */
  createdAt: number;
  expiresAt: number;
  paidAt: number | null;
  preimage: string | null;
  /** An operator's note about how the order was resolved. */
  note: string;
}

export interface PaymentTables {
  orders: OrderTable;
  /** Invoices that were requested from the wallet in the last hour. A row without an id serves as a lock. */
  reservations: { id: string; pubkey: string; at: number };
}

/** Returns a view of a database that has only the tables of this room. */
export const tables = viewOf<PaymentTables>();

/** Whether a database has orders. A data folder from an earlier version may not have the table. */
export async function hasOrders(db: Database): Promise<boolean> {
  return (await db.introspection.getTables()).some(({ name }) => name === 'orders');
}

const ordersMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('orders')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('sats', 'bigint', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('payment_hash', 'text', (column) => column.notNull().unique())
      .addColumn('bolt11', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('paid_at', 'bigint')
      .addColumn('preimage', 'text')
      .addColumn('note', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('orders_client').on('orders').columns(['client_id', 'created_at']).execute();
    await db.schema.createIndex('orders_pubkey').on('orders').columns(['pubkey', 'created_at']).execute();
    await db.schema.createIndex('orders_state').on('orders').columns(['state', 'expires_at']).execute();
  },
};

const reservationsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('reservations')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('pubkey', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('reservations_pubkey').on('reservations').columns(['pubkey', 'at']).execute();
    await tables(db as Database)
      .insertInto('reservations')
      .values({ id: '', pubkey: '', at: 0 })
      .execute();
  },
};

/** Migrations that create the room's tables. */
export const paymentMigrations = { orders: ordersMigration, reservations: reservationsMigration };
