import type { Database } from '../platform/db/index.ts';
import { admitPaid, change } from '../registry/index.ts';
import { type OrderTable, tables } from './tables.ts';

/*
 *   open ---> paid        the client was unpaid and is now approved
 *    |   \--> surplus     the client had already been approved by another invoice
 *    v    \-> orphan      the client was deleted
 *  expired -> the same three, because a late payment counts
 *
 * The last three states are final.
 */

/** Time for which an invoice is still checked after it has expired. */
const WATCHED_MS = 48 * 3_600_000;

export async function insertOrder(db: Database, order: OrderTable): Promise<void> {
  await tables(db).insertInto('orders').values(order).execute();
}

export function latestOrder(db: Database, clientId: string): Promise<OrderTable | undefined> {
  const own = tables(db).selectFrom('orders').selectAll().where('clientId', '=', clientId);
  return own.orderBy('createdAt', 'desc').orderBy('id').limit(1).executeTakeFirst();
}

/** Returns the orders that can still be paid. */
export function watchedOrders(db: Database, now: number): Promise<OrderTable[]> {
  const unpaid = tables(db).selectFrom('orders').selectAll().where('state', 'in', ['open', 'expired']);
  return unpaid
    .where('expiresAt', '>', now - WATCHED_MS)
    .orderBy('createdAt')
    .execute();
}

export async function expireOrders(db: Database, now: number): Promise<void> {
  const over = tables(db).updateTable('orders').set({ state: 'expired' }).where('state', '=', 'open');
  await over.where('expiresAt', '<=', now).execute();
}

/** Returns the paid orders that an operator must resolve, latest first. */
export function oddOrders(db: Database): Promise<OrderTable[]> {
  const odd = tables(db).selectFrom('orders').selectAll().where('state', 'in', ['surplus', 'orphan']);
  return odd.orderBy('paidAt', 'desc').limit(200).execute();
}

export async function noteOrder(db: Database, id: string, note: string): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('orders')
    .set({ note })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The error that rolls back a change because another process has settled the order. */
class Settled extends Error {}

export interface Settlement {
  paymentHash: string;
  preimage: string;
  now: number;
}

/**
 * Records that an order was paid and approves its client, in one transaction and only once, even if several processes
 * notice the payment.
 * @returns the order's new state, or undefined if the order was already settled or is unknown
 */
export async function settleOrder(
  db: Database,
  { paymentHash, preimage, now }: Settlement,
): Promise<'paid' | 'surplus' | 'orphan' | undefined> {
  try {
    return await change(db, { actor: 'payment', now }, async (trx) => {
      const unpaid = tables(trx).updateTable('orders').set({ state: 'paid', paidAt: now, preimage });
      const order = await unpaid
        .where('paymentHash', '=', paymentHash)
        .where('state', 'in', ['open', 'expired'])
        .returning(['id', 'clientId'])
        .executeTakeFirst();
      if (!order) throw new Settled();
      const before = await admitPaid(trx, order.clientId);
      const state = before === undefined ? 'orphan' : before === 'unpaid' ? 'paid' : 'surplus';
      if (state !== 'paid') await tables(trx).updateTable('orders').set({ state }).where('id', '=', order.id).execute();
      const subject = state === 'paid' ? `${order.id}: unpaid to approved` : order.id;
      return { action: `order ${state}`, clientId: order.clientId, subject, result: state };
    });
  } catch (error) {
    if (error instanceof Settled) return undefined;
    throw error;
  }
}
