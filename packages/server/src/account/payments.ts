import type { Invoice, OddOrders } from '@zoetrope/contract/account';

/** What the dashboard wants of whoever takes the fee for registering a client. */
export interface Payments {
  /** The fee in sats, 0 when nothing is paid; who makes the invoices, `none` when nobody does. */
  fee(): { sats: number; provider: string };
  /** The open invoice of a client while it has two minutes left, else a new one. Rejects with ServiceError. */
  createInvoice(order: { clientId: string; pubkey: string }): Promise<Invoice>;
  /** The latest invoice of a client; undefined when there is none. */
  latestInvoice(clientId: string): Promise<Invoice | undefined>;
  /** Paid orders that want an operator's eye. */
  oddOrders(): Promise<OddOrders>;
  /** Notes what an operator did about one. Rejects with ServiceError `not_found`. */
  noteOrder(id: string, note: string): Promise<void>;
}
