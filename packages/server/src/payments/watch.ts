import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Database } from '../platform/db/index.ts';
import type { PaymentsConfig } from './config.ts';
import { weigh } from './invoice.ts';
import {
  confirmUnpaid,
  doubtOrder,
  expireOrders,
  type PaidState,
  provableOrder,
  settleOrder,
  trustOrder,
  WATCHED_MS,
  watchedOrders,
} from './orders.ts';
import type { LightningProvider, Looked } from './provider.ts';
import { lookInterval } from './schedule.ts';
import type { OrderTable } from './tables.ts';

/** Maximum number of concurrent look-ups in the wallet. */
const LOOK_UPS_AT_ONCE = 8;

const REVIEW = 'in the dashboard, under Console, Clients';
const MESSAGES = {
  unreachable: 'could not look up an order; trying again',
  unknown: `the wallet does not know the invoice of an expired order, so nobody knows whether it was paid. If you replaced the wallet, check the former one, and resolve the order ${REVIEW}`,
  unwatched: `an order expired while no service checked it, so nobody knows whether it was paid. Check the wallet, and resolve the order ${REVIEW}`,
  unproven: `the wallet reports an order as settled, but returned no preimage that proves it. Accept or refuse the order ${REVIEW}. If this wallet never returns preimages and you trust it, set ZOETROPE_LIGHTNING_PROOF=optional`,
  disproven: `the wallet reports an order as settled, but its preimage does not match the invoice, so the order does not count as paid. Check the wallet, and resolve the order ${REVIEW}`,
  surplus: `an order was paid, but its client was no longer unpaid. Resolve the order ${REVIEW}`,
  orphan: `an order was paid, but its client had been deleted. Resolve the order ${REVIEW}`,
};

export interface WatchOptions {
  readonly config: Pick<PaymentsConfig, 'proof'>;
  readonly provider: LightningProvider;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the wallet did not respond to a look-up. */
  readonly onFailure: () => void;
}

/**
 * Watches the orders that can still be paid. Logs when an order is settled or expires, as a warning if an operator must
 * act.
 */
export class OrderWatch {
  readonly #options: WatchOptions;
  /** Time of the last look-up of each order, by payment hash. */
  readonly #looked = new Map<string, number>();
  /** The orders for which the wallet gave no usable response, by payment hash, with the message that was logged. */
  readonly #unanswered = new Map<string, keyof typeof MESSAGES>();

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Looks up all orders that are due or that have just expired. */
  async look(): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const expired = await expireOrders(db, now);
    for (const { id, expiresAt } of expired) if (expiresAt <= now - WATCHED_MS) this.#warn(id, 'unwatched');
    const watched = await watchedOrders(db, now);
    const hashes = new Set(watched.map(({ paymentHash }) => paymentHash));
    for (const known of [this.#looked, this.#unanswered]) {
      for (const hash of known.keys()) if (!hashes.has(hash)) known.delete(hash);
    }
    const isDue = (order: OrderTable) => now - (this.#looked.get(order.paymentHash) ?? 0) >= lookInterval(order, now);
    const due = watched.filter(isDue);
    const looker = async () => {
      for (let order = due.shift(); order; order = due.shift()) await this.#lookUp(order);
    };
    await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, looker));
  }

  /**
   * Looks up the order to which a notification belongs. For notifications about other payments, sends no request to the
   * wallet.
   */
  async hear(paymentHash: string): Promise<void> {
    const order = await provableOrder(this.#options.db, paymentHash);
    if (order !== undefined) await this.#lookUp(order);
  }

  /** Looks up an order in the wallet. All look-ups use this method. */
  async #lookUp(order: OrderTable): Promise<void> {
    const { provider, clock, log, onFailure } = this.#options;
    this.#looked.set(order.paymentHash, clock.now());
    let looked: Looked | undefined;
    try {
      looked = await provider.lookUp(order.paymentHash);
    } catch (error) {
      onFailure();
      this.#warnOnce(order, 'unreachable', error);
      return;
    }
    try {
      await this.#follow(order, looked);
    } catch (error) {
      log.error({ err: error }, "could not save the wallet's response about an order; trying again");
    }
  }

  /** Changes an order according to the wallet's response. */
  async #follow(order: OrderTable, looked: Looked | undefined): Promise<void> {
    const { db, clock, config, log } = this.#options;
    const { id, paymentHash, state } = order;
    const now = clock.now();
    if (looked === undefined) {
      // Wallets can list a new invoice late, and can delete an invoice that expired unpaid.
      if (state === 'unchecked') this.#warnOnce(order, 'unknown');
      return;
    }
    this.#unanswered.delete(paymentHash);
    const evidence = weigh(looked, paymentHash);
    if (evidence.is === 'unsettled') {
      if (state === 'unchecked' && (await confirmUnpaid(db, paymentHash, now)))
        log.info({ order: id }, 'an order expired');
    } else if (evidence.is === 'proven') {
      this.#logPaid(id, await settleOrder(db, { paymentHash, preimage: evidence.preimage, now }));
    } else if (evidence.is === 'unproven' && config.proof === 'optional') {
      this.#logPaid(id, await trustOrder(db, { paymentHash, now }));
    } else if (await doubtOrder(db, { paymentHash, state: evidence.is, now })) {
      this.#warn(id, evidence.is);
    }
  }

  /** @param state undefined if the order was already settled and logged */
  #logPaid(order: string, state: PaidState | undefined): void {
    if (state === 'paid') this.#options.log.info({ order }, 'an order was paid');
    else if (state !== undefined) this.#warn(order, state);
  }

  /** Warns about an order, but not again while the reason is the same. */
  #warnOnce({ id, paymentHash }: OrderTable, reason: keyof typeof MESSAGES, error?: unknown): void {
    if (this.#unanswered.get(paymentHash) === reason) return;
    this.#unanswered.set(paymentHash, reason);
    this.#warn(id, reason, error);
  }

  #warn(order: string, reason: keyof typeof MESSAGES, error?: unknown): void {
    const { provider, log } = this.#options;
    log.warn({ order, wallet: provider.name, ...(error !== undefined && { err: error }) }, MESSAGES[reason]);
  }
}
