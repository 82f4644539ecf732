import type { OrderState } from '@zoetrope/contract/account';
import { admitPaid, stateOf } from '../clients/index.ts';
import { notifyOwners } from '../notices/index.ts';
import { type Database, inTransaction } from '../platform/db/index.ts';
import { type By, change } from '../registry/index.ts';
import { type OrderTable, tables } from './tables.ts';

/*
 *   from                            event                                           to
 *   open                            the invoice expires                             unchecked
 *   unchecked                       the wallet reports that it is not settled       expired
 *   open, unchecked, expired        the wallet reports it as settled, no preimage   unproven
 *   these, and unproven             the same, with a preimage that does not match   disproven
 *   unproven, unchecked, disproven  an operator refuses the order                   refused
 *   all of these                    the wallet reports it as settled and proves it  paid, surplus or orphan
 *   unproven, unchecked             an operator accepts the order                   paid, surplus or orphan
 *
 * paid: the client was unpaid and is now approved. surplus: the client had already been approved. orphan: the client
 * had been deleted. These three states are final. docs/operate/clients.md has a drawing.
 */

/** Time for which an invoice is still checked after it has expired. */
export const WATCHED_MS = 48 * 3_600_000;
/**
 * Time that the wallet has to confirm that an expired invoice was not paid. During this time, neither the operator nor
 * the payer needs to do anything. The time is longer than the minute between two look-ups.
 */
export const CONFIRM_MS = 10 * 60_000;

/** The states of an order without a known payment. */
const UNPAID = ['open', 'unchecked', 'expired'] as const;
/** The states in which a proof settles an order. */
const PROVABLE = [...UNPAID, 'unproven', 'disproven', 'refused'] as const;
/** The states in which an order counts as paid without a proof, if ZOETROPE_LIGHTNING_PROOF allows it. */
const TRUSTED = [...UNPAID, 'unproven'] as const;
/**
 * For each doubtful state, the states from which an order can change to it. `unproven` is not in its own list, so that
 * each doubt is reported only once.
 */
const DOUBTED = { unproven: UNPAID, disproven: TRUSTED } as const;
/** The states in which an operator can make each decision. */
export const DECIDED = {
  accept: ['unproven', 'unchecked'],
  refuse: ['unproven', 'unchecked', 'disproven'],
} as const satisfies Record<string, readonly OrderState[]>;
/**
 * States that end only when an operator decides or a proof arrives. A client that has an order in one of these states
 * gets no other invoice.
 */
export const DOUBTFUL: readonly OrderState[] = ['unproven', 'disproven'];

export async function insertOrder(db: Database, order: OrderTable): Promise<void> {
  await tables(db).insertInto('orders').values(order).execute();
}

/**
 * Returns the order that the owners of a client see: an order that an operator must decide, otherwise the latest order.
 */
export function latestOrder(db: Database, clientId: string): Promise<OrderTable | undefined> {
  const own = tables(db).selectFrom('orders').selectAll().where('clientId', '=', clientId);
  const doubtfulFirst = own.orderBy((is) => is('state', 'in', DOUBTFUL), 'desc');
  return doubtfulFirst.orderBy('createdAt', 'desc').orderBy('id').limit(1).executeTakeFirst();
}

/** Returns the orders that can still be paid. */
export function watchedOrders(db: Database, now: number): Promise<OrderTable[]> {
  const unpaid = tables(db).selectFrom('orders').selectAll().where('state', 'in', PROVABLE);
  return unpaid
    .where('expiresAt', '>', now - WATCHED_MS)
    .orderBy('createdAt')
    .execute();
}

/** Returns the order with a payment hash if a proof can settle it, otherwise undefined. */
export function provableOrder(db: Database, paymentHash: string): Promise<OrderTable | undefined> {
  const known = tables(db).selectFrom('orders').selectAll().where('paymentHash', '=', paymentHash);
  return known.where('state', 'in', PROVABLE).executeTakeFirst();
}

/** Records which invoices have expired. @returns the orders whose invoices have expired */
export function expireOrders(db: Database, now: number): Promise<OrderTable[]> {
  const over = tables(db).updateTable('orders').set({ state: 'unchecked' }).where('state', '=', 'open');
  return over.where('expiresAt', '<=', now).returningAll().execute();
}

/**
 * Records that an expired invoice was not paid, and notifies the owners, once a day at most. @returns whether this is new
 */
export function confirmUnpaid(db: Database, paymentHash: string, now: number): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const over = tables(trx).updateTable('orders').set({ state: 'expired' }).where('paymentHash', '=', paymentHash);
    const order = await over.where('state', '=', 'unchecked').returning('clientId').executeTakeFirst();
    if (order === undefined) return false;
    const { clientId } = order;
    const text = (name: string) => `The invoice for ${name} expired, and no payment arrived. You can get a new one.`;
    const about = `no payment on ${new Date(now).toISOString().slice(0, 10)} for ${clientId}`;
    if ((await stateOf(trx, clientId)) === 'unpaid') await notifyOwners(trx, { clientId, text, about, now });
    return true;
  });
}

interface Doubt {
  paymentHash: string;
  state: keyof typeof DOUBTED;
  now: number;
}

/**
 * Records that the wallet reports an order as settled without a valid proof. @returns whether this changed the order
 */
export async function doubtOrder(db: Database, { paymentHash, state, now }: Doubt): Promise<boolean> {
  const doubted = tables(db)
    .updateTable('orders')
    .set(({ fn, val }) => ({ state, paidAt: fn.coalesce('paidAt', val(now)) }));
  const { numUpdatedRows } = await doubted
    .where('paymentHash', '=', paymentHash)
    .where('state', 'in', DOUBTED[state])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the orders that an operator must resolve, latest first. */
export function oddOrders(db: Database, now: number): Promise<OrderTable[]> {
  return tables(db)
    .selectFrom('orders')
    .selectAll()
    .where((is) =>
      is.or([
        is('state', 'in', ['surplus', 'orphan', ...DOUBTFUL]),
        // Open invoices that have expired are included, because without a wallet nothing records that they have
        // expired.
        is('state', 'in', ['open', 'unchecked']).and('expiresAt', '<=', now - CONFIRM_MS),
      ]),
    )
    .orderBy(({ fn }) => fn.coalesce('paidAt', 'expiresAt'), 'desc')
    .limit(200)
    .execute();
}

export async function noteOrder(db: Database, id: string, note: string): Promise<boolean> {
  const { numUpdatedRows } = await tables(db)
    .updateTable('orders')
    .set({ note })
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Returns the state of an order, or undefined if there is no such order. */
export async function orderState(db: Database, id: string): Promise<OrderState | undefined> {
  const order = await tables(db).selectFrom('orders').select('state').where('id', '=', id).executeTakeFirst();
  return order?.state;
}

/** The final states of an order. */
export type PaidState = 'paid' | 'surplus' | 'orphan';

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
export function settleOrder(db: Database, { paymentHash, preimage, now }: Settlement): Promise<PaidState | undefined> {
  return attempt(db, { actor: 'payment', now }, async (trx) => {
    const proven = markPaid(trx, now).set({ preimage }).where('paymentHash', '=', paymentHash);
    return settle(trx, await proven.where('state', 'in', PROVABLE).executeTakeFirst(), { how: '', now });
  });
}

/** Settles an order like `settleOrder`, but for a wallet that is trusted without a preimage. */
export function trustOrder(
  db: Database,
  { paymentHash, now }: Omit<Settlement, 'preimage'>,
): Promise<PaidState | undefined> {
  return attempt(db, { actor: 'payment', now }, async (trx) => {
    const trusted = markPaid(trx, now).where('paymentHash', '=', paymentHash).where('state', 'in', TRUSTED);
    return settle(trx, await trusted.executeTakeFirst(), { how: WITHOUT_PROOF, now });
  });
}

/**
 * Settles an order because an operator has decided that it was paid.
 * @returns the order's new state, or undefined if the order's state does not allow it or the order is unknown
 */
export function acceptOrder(db: Database, by: By, id: string): Promise<PaidState | undefined> {
  return attempt(db, by, async (trx) => {
    const accepted = markPaid(trx, by.now).where('id', '=', id).where('state', 'in', DECIDED.accept);
    const settled = await settle(trx, await accepted.executeTakeFirst(), { how: WITHOUT_PROOF, now: by.now });
    return { ...settled, action: 'order accept' };
  });
}

/**
 * Records that an operator did not find the payment of an order.
 * @returns whether the order's state allowed this; false for an unknown order
 */
export async function refuseOrder(db: Database, by: By, id: string): Promise<boolean> {
  const isRefused = await attempt(db, by, async (trx) => {
    const refused = tables(trx).updateTable('orders').set({ state: 'refused' }).where('id', '=', id);
    const order = await refused.where('state', 'in', DECIDED.refuse).returning('clientId').executeTakeFirst();
    if (!order) throw new NotAllowed();
    const text = (name: string) => `An operator checked your invoice for ${name}, and did not find the payment.`;
    await notifyOwners(trx, { clientId: order.clientId, text, now: by.now });
    return { action: 'order refuse', clientId: order.clientId, subject: id, result: true };
  });
  return isRefused ?? false;
}

/** The notices to owners about a payment that has arrived. */
const PAYMENT_ENDED: Record<Exclude<PaidState, 'orphan'>, (name: string) => string> = {
  paid: (name) => `The payment for ${name} has arrived. Its requests are accepted.`,
  surplus: (name) => `A second payment for ${name} has arrived, although nothing was left to pay. Ask the operator.`,
};

/** Added to the audit entry of an order that was settled without proof. */
const WITHOUT_PROOF = ', without proof';

/** The error that rolls back a change because the state of the order does not allow it, or no longer allows it. */
class NotAllowed extends Error {}

/** Changes an order in a transaction. Returns undefined if the state of the order does not allow the change. */
async function attempt<Result>(
  db: Database,
  by: By,
  act: Parameters<typeof change<Result>>[2],
): Promise<Result | undefined> {
  try {
    return await change(db, by, act);
  } catch (error) {
    if (error instanceof NotAllowed) return undefined;
    throw error;
  }
}

/**
 * Returns the start of an SQL update that settles an order. The update keeps the time when the wallet first reported a
 * payment.
 */
function markPaid(trx: Database, now: number) {
  const paid = tables(trx)
    .updateTable('orders')
    .set(({ fn, val }) => ({ state: 'paid', paidAt: fn.coalesce('paidAt', val(now)) }));
  return paid.returning(['id', 'clientId']);
}

/**
 * Approves the client of an order that is now paid, and corrects the order's state if the client was not unpaid.
 * Notifies the owners.
 * @param order undefined if the order's state did not allow it
 * @param how text for the audit log that says how the order was settled
 */
async function settle(
  trx: Database,
  order: Pick<OrderTable, 'id' | 'clientId'> | undefined,
  { how, now }: { how: string; now: number },
) {
  if (!order) throw new NotAllowed();
  const before = await admitPaid(trx, order.clientId);
  const state: PaidState = before === undefined ? 'orphan' : before === 'unpaid' ? 'paid' : 'surplus';
  if (state !== 'paid') await tables(trx).updateTable('orders').set({ state }).where('id', '=', order.id).execute();
  const { clientId } = order;
  if (state !== 'orphan') await notifyOwners(trx, { clientId, text: PAYMENT_ENDED[state], now });
  const what = state === 'paid' ? `${order.id}: unpaid to approved` : order.id;
  return { action: `order ${state}`, clientId: order.clientId, subject: `${what}${how}`, result: state };
}
