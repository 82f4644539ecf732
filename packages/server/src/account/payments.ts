import type { Invoice, OddOrders } from '@zoetrope/contract/account';

/** The functions that the dashboard needs from the payments room. */
export interface Payments {
  /** The fee in sats (0 if registration is free), and the provider (`none` if there is no fee). */
  fee(): { sats: number; provider: string };
  /**
   * A client's open invoice if it is valid for at least two more minutes, otherwise a new one. Rejects with
   * ServiceError.
   */
  createInvoice(order: { clientId: string; pubkey: string }): Promise<Invoice>;
  /** The latest invoice of a client; undefined if there is none. */
  latestInvoice(clientId: string): Promise<Invoice | undefined>;
  /** Paid orders that an operator must resolve. */
  oddOrders(): Promise<OddOrders>;
  /** Saves an operator's note about how an order was resolved. Rejects with ServiceError `not_found`. */
  noteOrder(id: string, note: string): Promise<void>;
}
