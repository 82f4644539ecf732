import type { Invoice, OddOrders } from '@zoetrope/contract/account';
import type { By } from '../registry/index.ts';

/** The functions that the dashboard needs from the payments room. */
export interface Payments {
  /**
   * Returns the fee in sats, or 0 if registration is free. Also returns the name of the provider, or `none` if there is
   * no fee.
   */
  fee(): { sats: number; provider: string };
  /**
   * Returns a client's open invoice if it is valid for at least two more minutes, otherwise a new invoice. Rejects with
   * ServiceError.
   */
  createInvoice(order: { clientId: string; pubkey: string }): Promise<Invoice>;
  /**
   * Returns the client's invoice about which an operator must decide, otherwise its latest invoice. Returns undefined
   * if there is no invoice.
   */
  latestInvoice(clientId: string): Promise<Invoice | undefined>;
  /** Returns the orders that an operator must resolve. */
  oddOrders(): Promise<OddOrders>;
  /** Saves an operator's note about how an order was resolved. Rejects with ServiceError `not_found`. */
  noteOrder(id: string, note: string): Promise<void>;
  /** Approves the client of an order that counts as paid. Rejects with ServiceError `not_found` or `conflict`. */
  acceptOrder(id: string, by: By): Promise<void>;
  /** Records that an order was not paid. Rejects with ServiceError `not_found` or `conflict`. */
  refuseOrder(id: string, by: By): Promise<void>;
}
