import type { Database } from '../platform/db/index.ts';
import type { PaymentsConfig } from './config.ts';
import { weigh } from './invoice.ts';
import type { LightningProvider, Looked } from './provider.ts';
import { hasOrders, type OrderTable, tables } from './tables.ts';

const AT_ONCE = 8;

export interface Unsettled {
  /** Number of orders that count as paid through NWC. */
  readonly orders: number;
  /** Orders that are unknown to the wallet or that it does not report as settled. Null if the wallet got no request. */
  readonly unsettled: readonly OrderTable[] | null;
}

/**
 * Finds orders that wrongly count as paid through NWC. Earlier versions accepted the preimage as proof, but the
 * receiving wallet can reveal the preimage before anybody pays. Rejects with Error if the wallet is unreachable, or
 * with OperatorError if the wallet's URL is wrong.
 */
export async function findUnsettled(config: PaymentsConfig, db: Database): Promise<Unsettled> {
  if (!(await hasOrders(db))) return { orders: 0, unsettled: [] };
  const paid = tables(db).selectFrom('orders').selectAll().where('provider', '=', 'nwc');
  const orders = await paid.where('state', 'in', ['paid', 'surplus', 'orphan']).orderBy('paidAt').execute();
  if (orders.length === 0) return { orders: 0, unsettled: [] };
  if (config.provider !== 'nwc') return { orders: orders.length, unsettled: null };
  const { openNwc } = await import('./providers/nwc.ts');
  // A connection with spending rights is allowed here, because the wallet only gets requests about invoices.
  const wallet = openNwc({ url: config.nwcUrl, allowSpending: true });
  try {
    return { orders: orders.length, unsettled: await askAll(wallet, orders) };
  } finally {
    await wallet.close();
  }
}

async function askAll(wallet: LightningProvider, orders: readonly OrderTable[]): Promise<OrderTable[]> {
  const left = [...orders];
  const unsettled: OrderTable[] = [];
  const asker = async () => {
    for (let order = left.shift(); order; order = left.shift()) {
      if (!isConfirmed(await wallet.lookUp(order.paymentHash), order)) unsettled.push(order);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asker));
  return unsettled.toSorted((a, b) => a.paidAt! - b.paidAt!);
}

/**
 * Whether the wallet confirms a payment. If an order was accepted without a preimage, the wallet's report is enough.
 */
function isConfirmed(looked: Looked | undefined, { paymentHash, preimage }: OrderTable): boolean {
  if (looked === undefined) return false;
  const { is } = weigh(looked, paymentHash);
  return is === 'proven' || (is === 'unproven' && preimage === null);
}
