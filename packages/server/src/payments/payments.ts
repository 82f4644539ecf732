import { randomBytes } from 'node:crypto';
import type { Invoice, OddOrders } from '@zoetrope/contract/account';
import { renderSVG } from 'uqr';
import type { Clock } from '../base/clock.ts';
import { OperatorError, ServiceError } from '../base/errors.ts';
import { goOn, type Log } from '../base/log.ts';
import { singleFlight } from '../platform/cache/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { PaymentsConfig } from './config.ts';
import { checkInvoice, isPaid, WrongInvoice } from './invoice.ts';
import { expireOrders, insertOrder, latestOrder, noteOrder, oddOrders, settleOrder, watchedOrders } from './orders.ts';
import type { LightningProvider } from './provider.ts';
import { release, reserve } from './reservations.ts';
import { lookInterval } from './schedule.ts';
import type { OrderTable } from './tables.ts';

const EXPIRY_SECONDS = 900;
/**
 * Minimum time until an invoice expires. An invoice that expires sooner is replaced, because the payer might be too
 * late.
 */
const LEAST_LEFT_MS = 120_000;
/** Maximum number of concurrent look-ups in the wallet. */
const LOOK_UPS_AT_ONCE = 8;
/** Time between two checks of a wallet that was unreachable. */
const RECHECK_MS = 30_000;
/** Time between two checks whether an order is due for a look-up. */
const TICK_MS = 1_000;

export interface PaymentsOptions {
  readonly config: Pick<PaymentsConfig, 'feeSats' | 'network'>;
  /** The wallet. Undefined if registration is free. */
  readonly provider: LightningProvider | undefined;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Handles the registration fee. Creates invoices and watches them. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #looked = new Map<string, number>();
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #making = singleFlight<Invoice>();
  readonly #checking = singleFlight<void>();
  /** Whether the wallet has passed its check and has been reachable since then. */
  #isChecked = false;
  #checkedAt = 0;
  #tick: Promise<void> = Promise.resolve();
  #isTicking = false;

  /** Starts to watch every order that can still be paid, including older orders. */
  constructor(options: PaymentsOptions) {
    this.#options = options;
    const { provider } = options;
    if (provider === undefined) return;
    this.#checkedAt = options.clock.now();
    provider.onHint?.((paymentHash) => goOn(this.#lookUp(paymentHash), options.log));
    this.#timer = setInterval(() => this.#startTick(), TICK_MS).unref();
    this.#startTick();
  }

  /** Returns the fee and its provider. The fee is 0 if registration is free. */
  fee(): { sats: number; provider: string } {
    const { provider, config } = this.#options;
    return provider === undefined ? { sats: 0, provider: 'none' } : { sats: config.feeSats, provider: provider.name };
  }

  /**
   * Checks whether the wallet can be used safely. Runs at the start and after every outage, because the wallet may have
   * been replaced. An unreachable wallet is checked later. Rejects with OperatorError if the wallet must not be used.
   */
  check(): Promise<void> {
    return this.#checking('', async () => {
      const { provider, config, clock, log } = this.#options;
      if (provider === undefined || this.#isChecked) return;
      this.#checkedAt = clock.now();
      try {
        await checkProvider(provider, config);
        this.#isChecked = true;
      } catch (error) {
        if (error instanceof OperatorError) throw error;
        log.warn({ err: error }, 'the wallet cannot be reached; trying again');
      }
    });
  }

  /**
   * Returns the invoice for a client. It is the open invoice if that is valid for at least two more minutes, otherwise
   * a new invoice. Rejects with ServiceError `fee_unavailable` if the wallet cannot create an invoice, or with
   * ServiceError `rate_limited`.
   */
  createInvoice({ clientId, pubkey }: { clientId: string; pubkey: string }): Promise<Invoice> {
    return this.#making(clientId, async () => {
      const { db, clock } = this.#options;
      const now = clock.now();
      const open = await latestOrder(db, clientId);
      if (open?.state === 'open' && open.expiresAt - now >= LEAST_LEFT_MS) return this.#show(open);
      const id = randomBytes(12).toString('base64url');
      await reserve(db, { id, pubkey, at: now });
      const order = await this.#makeOrder({ id, clientId, pubkey }).catch(async (error) => {
        await release(db, id);
        throw error;
      });
      await insertOrder(db, order);
      return this.#show(order);
    });
  }

  /** Returns the latest invoice of a client, or undefined if there is none. */
  async latestInvoice(clientId: string): Promise<Invoice | undefined> {
    const order = await latestOrder(this.#options.db, clientId);
    return order && this.#show(order);
  }

  async oddOrders(): Promise<OddOrders> {
    const rows = await oddOrders(this.#options.db);
    const orders = rows.map(({ id, clientId, sats, state, paidAt, note }) => {
      return { id, clientId, sats, state, paidAt: paidAt ?? 0, note };
    });
    return { orders };
  }

  /** @throws ServiceError `not_found` */
  async noteOrder(id: string, note: string): Promise<void> {
    if (!(await noteOrder(this.#options.db, id, note))) {
      throw new ServiceError('not_found', `No order has the id ${id.slice(0, 100)}`);
    }
  }

  /** Looks up all orders that are due, and orders that are just expiring. Tests and the start wait for this method. */
  async look(): Promise<void> {
    const { db, clock } = this.#options;
    const now = clock.now();
    await expireOrders(db, now);
    const watched = await watchedOrders(db, now);
    const hashes = new Set(watched.map(({ paymentHash }) => paymentHash));
    for (const hash of this.#looked.keys()) if (!hashes.has(hash)) this.#looked.delete(hash);
    const isDue = (order: OrderTable) => now - (this.#looked.get(order.paymentHash) ?? 0) >= lookInterval(order, now);
    const due = watched.filter(isDue);
    const looker = async () => {
      for (let order = due.shift(); order; order = due.shift()) await this.#lookUp(order.paymentHash);
    };
    await Promise.all(Array.from({ length: LOOK_UPS_AT_ONCE }, looker));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#options.provider?.close();
    await this.#tick;
  }

  #startTick(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#tick = Promise.all([this.look(), this.#recheck()])
      .then(() => {})
      .catch((error) => this.#options.log.error({ err: error }, 'could not check orders'))
      .finally(() => {
        this.#isTicking = false;
      });
  }

  async #recheck(): Promise<void> {
    const { clock, log } = this.#options;
    if (this.#isChecked || clock.now() - this.#checkedAt < RECHECK_MS) return;
    await this.check().catch((error) =>
      log.error({ err: error }, 'the wallet must not be used, so no fee can be paid'),
    );
  }

  /** Looks up an order in the wallet. All triggers of a look-up use this method. */
  async #lookUp(paymentHash: string): Promise<void> {
    const { provider, db, clock, log } = this.#options;
    this.#looked.set(paymentHash, clock.now());
    try {
      const looked = await provider!.lookUp(paymentHash);
      if (!isPaid(looked, paymentHash)) return;
      const state = await settleOrder(db, { paymentHash, preimage: looked.preimage, now: clock.now() });
      if (state !== undefined) log.info({ state }, 'an order was paid');
    } catch (error) {
      this.#isChecked = false;
      log.warn({ err: error }, 'could not look up an order; trying again');
    }
  }

  async #makeOrder({ id, clientId, pubkey }: Pick<OrderTable, 'id' | 'clientId' | 'pubkey'>): Promise<OrderTable> {
    const { provider, config, clock, log } = this.#options;
    if (provider === undefined) throw new ServiceError('conflict', 'Registration is free: there is nothing to pay');
    const sats = config.feeSats;
    const wanted = { amountMsat: sats * 1_000, description: `Client ${clientId}`, expirySeconds: EXPIRY_SECONDS };
    try {
      await this.check();
      if (!this.#isChecked) throw new Error('the wallet cannot be reached');
      const made = await provider.createInvoice(wanted);
      const { paymentHash, expiresAt } = checkInvoice(made, { network: config.network, amountMsat: wanted.amountMsat });
      return {
        ...{ id, clientId, pubkey, sats, provider: provider.name, paymentHash, bolt11: made.bolt11, state: 'open' },
        ...{ createdAt: clock.now(), expiresAt, paidAt: null, preimage: null, note: '' },
      };
    } catch (cause) {
      this.#isChecked = false;
      log.error(
        { err: cause },
        cause instanceof WrongInvoice ? 'the wallet returned a wrong invoice' : 'could not create an invoice',
      );
      throw new ServiceError('fee_unavailable', 'The wallet cannot create an invoice right now; try again soon', {
        cause,
        retryAfter: 30,
      });
    }
  }

  #show({ id, clientId, sats, bolt11, state, expiresAt }: OrderTable): Invoice {
    const now = this.#options.clock.now();
    // Upper case makes the QR code smaller, because QR has an alphanumeric mode.
    const qr = renderSVG(bolt11.toUpperCase(), { ecc: 'M', border: 2 });
    const shown = state === 'open' && expiresAt <= now ? 'expired' : state;
    return { id, clientId, sats, bolt11, qr, state: shown, expiresAt, serverTime: now };
  }
}

/**
 * Checks the wallet. The check must succeed before anybody can pay, because with an invoice on a test network, clients
 * could register without real money.
 */
export async function checkProvider(provider: LightningProvider, config: PaymentsOptions['config']): Promise<void> {
  await provider.check();
  const wanted = { amountMsat: config.feeSats * 1_000, description: 'Check at startup', expirySeconds: 60 };
  try {
    checkInvoice(await provider.createInvoice(wanted), { network: config.network, amountMsat: wanted.amountMsat });
  } catch (cause) {
    if (!(cause instanceof WrongInvoice)) throw cause;
    const what = `the wallet of ZOETROPE_LIGHTNING (${provider.name}) cannot be used: ${cause.message}`;
    throw new OperatorError(`${what}. ZOETROPE_LIGHTNING_NETWORK is ${config.network}`, { cause });
  }
}
