import { createHash } from 'node:crypto';
import { decode } from 'light-bolt11-decoder';
import type { PaymentsConfig } from './config.ts';
import type { Looked, MadeInvoice } from './provider.ts';

/** How invoices of a network begin. Source: BOLT 11, human-readable part. The amount follows. */
const PREFIXES: Record<PaymentsConfig['network'], string> = {
  mainnet: 'lnbc',
  testnet: 'lntb',
  signet: 'lntbs',
  regtest: 'lnbcrt',
};
const HEX_32 = /^[0-9a-f]{64}$/;

/** What an invoice itself says. */
export interface ReadInvoice {
  readonly paymentHash: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** An invoice that is not what was asked for; the message never holds the wallet's secrets. */
export class WrongInvoice extends Error {
  override readonly name = 'WrongInvoice';
}

/** Reads an invoice and holds it to what was wanted: network, amount, and the hash that the wallet named. */
export function checkInvoice(
  { bolt11, paymentHash }: MadeInvoice,
  { network, amountMsat }: { network: PaymentsConfig['network']; amountMsat: number },
): ReadInvoice {
  // The amount begins with a digit, so lnbc is not taken for the beginning of lnbcrt.
  if (!new RegExp(`^${PREFIXES[network]}\\d`).test(bolt11)) throw new WrongInvoice(`the invoice is not of ${network}`);
  const sections = read(bolt11);
  const amount = find(sections, 'amount');
  if (amount !== String(amountMsat)) throw new WrongInvoice(`the invoice is over ${amount} msat, not ${amountMsat}`);
  const hash = find(sections, 'payment_hash');
  if (typeof hash !== 'string' || !HEX_32.test(hash)) throw new WrongInvoice('the invoice has no payment hash');
  if (hash !== paymentHash) throw new WrongInvoice('the wallet names another payment hash than its invoice');
  const [made, lasts] = [Number(find(sections, 'timestamp')), Number(find(sections, 'expiry') ?? 3_600)];
  return { paymentHash: hash, expiresAt: (made + lasts) * 1_000 };
}

/** Whether a wallet calls an invoice settled and proves it, see `Looked`. */
export function isPaid(looked: Looked | undefined, paymentHash: string): looked is Looked & { preimage: string } {
  const { isSettled, preimage } = looked ?? { isSettled: false };
  if (!isSettled || preimage === undefined || !HEX_32.test(preimage)) return false;
  return createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex') === paymentHash;
}

type Sections = ReturnType<typeof decode>['sections'];

function read(bolt11: string): Sections {
  try {
    return decode(bolt11).sections;
  } catch (cause) {
    throw new WrongInvoice('the wallet gave what is no invoice', { cause });
  }
}

function find(sections: Sections, name: string): unknown {
  const section = sections.find((candidate) => candidate.name === name);
  return section !== undefined && 'value' in section ? section.value : undefined;
}
