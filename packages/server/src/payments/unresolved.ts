import type { OrderState } from '@zoetrope/contract/account';
import type { Database } from '../platform/db/index.ts';
import type { PaymentsConfig } from './config.ts';
import { oddOrders } from './orders.ts';
import { hasOrders, type OrderTable, tables } from './tables.ts';

export interface Unresolved {
  /** Orders that an operator must resolve, latest first. Orders that cannot be accepted are resolved with a note. */
  readonly orders: readonly OrderTable[];
  /** Whether the wallet proved its latest payment. Undefined if there was no payment. */
  readonly proves: boolean | undefined;
}

/** The states of orders that an operator cannot accept. */
const NOTED: ReadonlySet<OrderState> = new Set(['disproven', 'surplus', 'orphan']);

/** Finds the orders that an operator must resolve, and whether the wallet proves payments. */
export async function findUnresolved(
  { provider }: Pick<PaymentsConfig, 'provider'>,
  db: Database,
  now: number,
): Promise<Unresolved> {
  if (!(await hasOrders(db))) return { orders: [], proves: undefined };
  const odd = await oddOrders(db, now);
  const settled = tables(db).selectFrom('orders').select('preimage').where('provider', '=', provider);
  const latest = await settled
    .where('state', 'in', ['paid', 'surplus', 'orphan', 'unproven'])
    .orderBy('paidAt', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isResolved = ({ state, note }: OrderTable) => note !== '' && NOTED.has(state);
  return { orders: odd.filter((order) => !isResolved(order)), proves: latest && latest.preimage !== null };
}
