import type { Clock } from '../../base/clock.ts';
import { OperatorError } from '../../base/errors.ts';
import { isLoopback } from '../../base/web-address.ts';
import type { LightningProvider } from '../provider.ts';
import { type DemoInvoice, makeDemoInvoice, makeDemoKey } from './demo-invoice.ts';

/** Time after which an invoice settles by itself. */
const SETTLES_MS = 5_000;
/** Time after which an invoice is forgotten. By then, its order is settled. */
const KEPT_MS = 3_600_000;

/** Where a service can be reached. */
export interface Reached {
  /** ZOETROPE_HOST. */
  readonly host: string;
  /** ZOETROPE_PUBLIC_URL, or an empty string. */
  readonly publicUrl: string;
}

/**
 * Opens a wallet without real money, so that operators can try the payment page. Its invoices pass the same checks as
 * those of other wallets.
 * @throws OperatorError if other machines can reach the service, because anybody could register without paying
 */
export function openDemo(clock: Clock, { host, publicUrl }: Reached): LightningProvider {
  if (!isLoopback(host))
    throw new OperatorError(`${REFUSED} Set ZOETROPE_HOST=127.0.0.1, not ${host}, or ${OTHERWISE}`);
  if (publicUrl !== '' && !isLoopback(URL.parse(publicUrl)?.hostname ?? '')) {
    throw new OperatorError(`${REFUSED} Unset ZOETROPE_PUBLIC_URL, which is ${publicUrl}, or ${OTHERWISE}`);
  }
  const key = makeDemoKey();
  const made = new Map<string, { preimage: string; settlesAt: number }>();
  return {
    name: 'demo',
    async check() {},
    async createInvoice(wanted): Promise<DemoInvoice> {
      const now = clock.now();
      for (const [hash, { settlesAt }] of made) if (settlesAt < now - KEPT_MS) made.delete(hash);
      const invoice = makeDemoInvoice(wanted, key, Math.floor(now / 1_000));
      made.set(invoice.paymentHash, { preimage: invoice.preimage, settlesAt: now + SETTLES_MS });
      return invoice;
    },
    async lookUp(paymentHash) {
      const invoice = made.get(paymentHash);
      return invoice && { isSettled: clock.now() >= invoice.settlesAt, preimage: invoice.preimage };
    },
    async close() {},
  };
}

const REFUSED = 'With ZOETROPE_WALLET=demo nothing is paid, so only this machine is allowed to reach the service.';
const OTHERWISE = 'set ZOETROPE_WALLET to a real wallet';
