import type { Invoice, OddOrders } from '@zoetrope/contract/account';

/** What the dashboard needs from the payments room. */
export interface Payments {
  /** The fee in sats, 0 if registering is free; the provider, `none` if there is none. */
  fee(): { sats: number; provider: string };
  /**
   * A client's open invoice if it is valid for at least two more minutes, otherwise a new one. Rejects with
   * ServiceError.
   */
  createInvoice(order: { clientId: string; pubkey: string }): Promise<Invoice>;
  /** The latest invoice of a client; undefined if there is none. */
  latestInvoice(clientId: string): Promise<Invoice | undefined>;
  /** Paid orders that an operator has to resolve. */
  oddOrders(): Promise<OddOrders>;
  /** Saves what an operator did about an order. Rejects with ServiceError `not_found`. */
  noteOrder(id: string, note: string): Promise<void>;
}
