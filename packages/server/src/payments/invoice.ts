import { createHash } from 'node:crypto';
import { decode } from 'light-bolt11-decoder';
import type { PaymentsConfig } from './config.ts';
import type { Looked, MadeInvoice } from './provider.ts';

/** Prefix of invoices in each network, followed by the amount. Source: BOLT 11, human-readable part. */
const PREFIXES: Record<PaymentsConfig['network'], string> = {
  mainnet: 'lnbc',
  testnet: 'lntb',
  signet: 'lntbs',
  regtest: 'lnbcrt',
};
const HEX_32 = /^[0-9a-f]{64}$/;
/**
 * Maximum length of an invoice, in characters. A QR code has room for 3,391 characters, and no wallet needs half of
 * that.
 */
const MAX_LENGTH = 3_000;

/** The content of an invoice. */
export interface ReadInvoice {
  readonly paymentHash: string;
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number;
}

/** The error if an invoice differs from the requested invoice. The message never contains the wallet's secrets. */
export class WrongInvoice extends Error {
  override readonly name = 'WrongInvoice';
}

/** Parses an invoice and checks network, amount and the payment hash that the wallet returned. */
export function checkInvoice(
  { bolt11, paymentHash }: MadeInvoice,
  { network, amountMsat }: { network: PaymentsConfig['network']; amountMsat: number },
): ReadInvoice {
  // The amount starts with a digit. The digit distinguishes lnbc from lnbcrt.
  if (!new RegExp(`^${PREFIXES[network]}\\d`).test(bolt11)) throw new WrongInvoice(`the invoice is not for ${network}`);
  if (bolt11.length > MAX_LENGTH) throw new WrongInvoice(`the invoice has more than ${MAX_LENGTH} characters`);
  const sections = read(bolt11);
  const amount = find(sections, 'amount');
  if (amount !== String(amountMsat))
    throw new WrongInvoice(`the invoice is for ${amount} msat instead of ${amountMsat}`);
  const hash = find(sections, 'payment_hash');
  if (typeof hash !== 'string' || !HEX_32.test(hash)) throw new WrongInvoice('the invoice has no payment hash');
  if (hash !== paymentHash) throw new WrongInvoice('the payment hashes of wallet and invoice differ');
  const [made, lasts] = [Number(find(sections, 'timestamp')), Number(find(sections, 'expiry') ?? 3_600)];
  const expiresAt = (made + lasts) * 1_000;
  if (!Number.isSafeInteger(expiresAt)) throw new WrongInvoice('the invoice expires at an impossible time');
  return { paymentHash: hash, expiresAt };
}

/**
 * The evidence in a wallet's response about an invoice. unsettled: the wallet does not report the invoice as settled.
 * proven: settled, and the preimage matches the payment hash. unproven: settled, but without a preimage. disproven:
 * settled, but the preimage does not match.
 */
export type Evidence =
  | { readonly is: 'proven'; readonly preimage: string }
  | { readonly is: 'unsettled' | 'unproven' | 'disproven' };

/** Returns the evidence in a wallet's response about the invoice with this payment hash. */
export function weigh({ isSettled, preimage }: Looked, paymentHash: string): Evidence {
  if (!isSettled) return { is: 'unsettled' };
  if (preimage === undefined) return { is: 'unproven' };
  const hash = createHash('sha256').update(Buffer.from(preimage, 'hex')).digest('hex');
  return hash === paymentHash ? { is: 'proven', preimage } : { is: 'disproven' };
}

type Sections = ReturnType<typeof decode>['sections'];

function read(bolt11: string): Sections {
  try {
    return decode(bolt11).sections;
  } catch (cause) {
    throw new WrongInvoice('the wallet did not return a valid invoice', { cause });
  }
}

function find(sections: Sections, name: string): unknown {
  const section = sections.find((candidate) => candidate.name === name);
  return section !== undefined && 'value' in section ? section.value : undefined;
}
