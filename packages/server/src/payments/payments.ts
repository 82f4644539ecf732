import { randomBytes } from 'node:crypto';
import type { Invoice, OddOrders, OrderState } from '@zoetrope/contract/account';
import { renderSVG } from 'uqr';
import type { Clock } from '../base/clock.ts';
import { OperatorError, ServiceError } from '../base/errors.ts';
import { goOn, type Log } from '../base/log.ts';
import { singleFlight } from '../platform/cache/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { By } from '../registry/index.ts';
import type { PaymentsConfig } from './config.ts';
import { checkInvoice, WrongInvoice, weigh } from './invoice.ts';
import {
  acceptOrder,
  CONFIRM_MS,
  DECIDED,
  DOUBTFUL,
  expireOrders,
  insertOrder,
  latestOrder,
  noteOrder,
  oddOrders,
  orderState,
  refuseOrder,
} from './orders.ts';
import type { LightningProvider } from './provider.ts';
import { release, reserve } from './reservations.ts';
import type { OrderTable } from './tables.ts';
import { OrderWatch } from './watch.ts';

const EXPIRY_SECONDS = 900;
/**
 * Minimum time until an invoice expires. An invoice that expires sooner is replaced, because the user might pay it too
 * late.
 */
const LEAST_LEFT_MS = 120_000;
/** Time between two checks of a wallet that was unreachable. */
const RECHECK_MS = 30_000;
/** Time between two searches for orders that are due for a look-up. */
const TICK_MS = 1_000;

const RETURNS_PREIMAGES = 'the wallet returns preimages, so it can prove payments';
const MAY_RETURN_PREIMAGES =
  'the wallet shows no preimage before an invoice is paid, so the first payment shows whether it can prove payments (ZOETROPE_LIGHTNING_PROOF)';
/** Message for the payer while an operator must decide. */
const UNDECIDED =
  'The wallet reports a payment for this client without a valid proof. Do not pay again: an operator decides about it';

export interface PaymentsOptions {
  readonly config: Pick<PaymentsConfig, 'feeSats' | 'network' | 'proof'>;
  /** The wallet. Undefined if registration is free. */
  readonly provider: LightningProvider | undefined;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Handles the registration fee. Creates invoices and watches them. */
export class Payments {
  readonly #options: PaymentsOptions;
  readonly #watch: OrderWatch | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #making = singleFlight<Invoice>();
  readonly #checking = singleFlight<void>();
  /** Whether the wallet has passed the check and has been reachable since the check. */
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
    const onFailure = () => {
      this.#isChecked = false;
    };
    const watch = new OrderWatch({ ...options, provider, onFailure });
    this.#watch = watch;
    provider.onHint?.((paymentHash) => goOn(watch.hear(paymentHash), options.log));
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
        const showsPreimage = await checkProvider(provider, config);
        this.#isChecked = true;
        log.info({ wallet: provider.name }, showsPreimage ? RETURNS_PREIMAGES : MAY_RETURN_PREIMAGES);
      } catch (error) {
        if (error instanceof OperatorError) throw error;
        log.warn({ err: error }, 'the wallet cannot be reached; trying again');
      }
    });
  }

  /**
   * Returns the invoice for a client. This is the open invoice if it is valid for at least two more minutes, otherwise
   * a new invoice. Rejects with ServiceError `fee_unavailable` if the wallet cannot create an invoice, `rate_limited`,
   * or `conflict` while an operator must decide about an earlier payment.
   */
  createInvoice({ clientId, pubkey }: { clientId: string; pubkey: string }): Promise<Invoice> {
    return this.#making(clientId, async () => {
      const { db, clock } = this.#options;
      const now = clock.now();
      const open = await latestOrder(db, clientId);
      if (open && DOUBTFUL.includes(open.state)) throw new ServiceError('conflict', UNDECIDED);
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

  /**
   * Returns the invoice that the owners of a client see: an invoice about which an operator must decide, otherwise the
   * latest invoice. Returns undefined if there is no invoice.
   */
  async latestInvoice(clientId: string): Promise<Invoice | undefined> {
    const order = await latestOrder(this.#options.db, clientId);
    return order && this.#show(order);
  }

  /** Returns the orders that an operator must resolve, latest first. */
  async oddOrders(): Promise<OddOrders> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const orders = (await oddOrders(db, now)).map((order) => {
      const { id, clientId, sats, provider, paidAt, expiresAt, note } = order;
      return { id, clientId, sats, state: stateAt(order, now), provider, paidAt, expiresAt, note };
    });
    return { orders };
  }

  /**
   * Accepts an unproven or unchecked order for an operator. The client is approved as if the payment was proven.
   * Rejects with ServiceError `not_found`, or `conflict` if the state of the order does not allow it.
   */
  async acceptOrder(id: string, by: By): Promise<void> {
    const { db, clock } = this.#options;
    await expireOrders(db, clock.now());
    if ((await acceptOrder(db, by, id)) === undefined) throw await this.#undecidable(id, 'accept');
  }

  /**
   * Refuses an unproven, disproven or unchecked order for an operator who did not find the payment. The owners of the
   * client can then get another invoice. Rejects with ServiceError `not_found`, or `conflict` if the state of the order
   * does not allow it.
   */
  async refuseOrder(id: string, by: By): Promise<void> {
    const { db, clock } = this.#options;
    await expireOrders(db, clock.now());
    if (!(await refuseOrder(db, by, id))) throw await this.#undecidable(id, 'refuse');
  }

  /** @throws ServiceError `not_found` */
  async noteOrder(id: string, note: string): Promise<void> {
    if (!(await noteOrder(this.#options.db, id, note))) throw unknownOrder(id);
  }

  /** Looks up all orders that are due or have just expired. Public so that tests can wait for the result. */
  async look(): Promise<void> {
    await this.#watch?.look();
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

  /** Returns the error for a decision that the state of an order does not allow. */
  async #undecidable(id: string, decision: keyof typeof DECIDED): Promise<ServiceError> {
    const state = await orderState(this.#options.db, id);
    if (state === undefined) return unknownOrder(id);
    const needed = DECIDED[decision].join(' or ');
    return new ServiceError('conflict', `state must be ${needed} to ${decision} an order; it is ${state}`);
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

  #show(order: OrderTable): Invoice {
    const { id, clientId, sats, bolt11, expiresAt } = order;
    const now = this.#options.clock.now();
    // Upper case makes the QR code smaller, because QR has an alphanumeric mode.
    const qr = renderSVG(bolt11.toUpperCase(), { ecc: 'M', border: 2 });
    return { id, clientId, sats, bolt11, qr, state: stateAt(order, now), expiresAt, serverTime: now };
  }
}

/**
 * Returns the state of an order that is shown to people. An expired invoice counts as expired while the wallet still
 * has time to confirm that nobody paid it.
 */
function stateAt({ state, expiresAt }: OrderTable, now: number): OrderState {
  if ((state !== 'open' && state !== 'unchecked') || expiresAt > now) return state;
  return expiresAt > now - CONFIRM_MS ? 'expired' : 'unchecked';
}

function unknownOrder(id: string): ServiceError {
  return new ServiceError('not_found', `No order has the id ${id.slice(0, 100)}`);
}

/**
 * Checks the wallet. The check must succeed before anybody can pay. With an invoice on a test network, clients could
 * register without real money. Without look-ups, no payment would be noticed.
 * @returns whether the wallet returns the preimage of an unpaid invoice. A wallet that does not may still return
 * preimages of paid invoices
 */
export async function checkProvider(provider: LightningProvider, config: PaymentsOptions['config']): Promise<boolean> {
  await provider.check();
  const paymentHash = await checkNetwork(provider, config);
  const looked = await provider.lookUp(paymentHash);
  return looked !== undefined && weigh({ ...looked, isSettled: true }, paymentHash).is === 'proven';
}

/** Creates an invoice and checks it. @returns the payment hash of the invoice */
async function checkNetwork(provider: LightningProvider, config: PaymentsOptions['config']): Promise<string> {
  const { feeSats, network } = config;
  const wanted = { amountMsat: feeSats * 1_000, description: 'Check at startup', expirySeconds: 60 };
  try {
    const made = await provider.createInvoice(wanted);
    return checkInvoice(made, { network, amountMsat: wanted.amountMsat }).paymentHash;
  } catch (cause) {
    if (!(cause instanceof WrongInvoice)) throw cause;
    const what = `the wallet of ZOETROPE_WALLET (${provider.name}) cannot be used: ${cause.message}`;
    throw new OperatorError(`${what}. Connect a wallet on ${network}`, { cause });
  }
}
