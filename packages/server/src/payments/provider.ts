/** A requested invoice. */
export interface WantedInvoice {
  readonly amountMsat: number;
  readonly description: string;
  readonly expirySeconds: number;
}

/** An invoice as the wallet describes it. `checkInvoice` compares `paymentHash` with the hash in the invoice itself. */
export interface MadeInvoice {
  readonly bolt11: string;
  readonly paymentHash: string;
}

/**
 * A wallet's information about an invoice. The payment is proven if the wallet reports the invoice as settled and the
 * preimage matches the payment hash. The preimage alone proves nothing, because the receiving wallet chooses the
 * preimage when it creates the invoice, and many wallets reveal the preimage immediately.
 */
export interface Looked {
  readonly isSettled: boolean;
  /** The preimage, in lower case. Undefined if the wallet returned none (see `readPreimage`). */
  readonly preimage: string | undefined;
}

/**
 * A wallet that receives the fee. All methods reject with an Error if the wallet is unreachable or refuses the request.
 */
export interface LightningProvider {
  readonly name: string;
  /** Checks the wallet. Rejects with OperatorError if the wallet must not be used. */
  check(): Promise<void>;
  createInvoice(wanted: WantedInvoice): Promise<MadeInvoice>;
  /**
   * Looks up an invoice by its payment hash, 64 hexadecimal digits. Returns undefined if the wallet does not know the
   * invoice.
   */
  lookUp(paymentHash: string): Promise<Looked | undefined>;
  /** Registers a callback, which is called when an invoice may have been paid. The caller then looks up the invoice. */
  onHint?(hint: (paymentHash: string) => void): void;
  close(): Promise<void>;
}

const HEX_32 = /^[0-9a-f]{64}$/;
/** Some wallets send zeros instead of an unknown preimage. */
const ZEROS = '0'.repeat(64);

/**
 * Returns the first preimage among the fields of a wallet's response, in lower case. Returns undefined if there is no
 * preimage: some wallets omit the field, or send null, an empty string or zeros.
 */
export function readPreimage(...fields: readonly unknown[]): string | undefined {
  return fields.map(readHash).find((field) => HEX_32.test(field) && field !== ZEROS);
}

/**
 * Returns a hash in lower case, because some wallets send capital letters. Returns an empty string if the field is not
 * a string.
 */
export function readHash(field: unknown): string {
  return textOf(field).toLowerCase();
}

/** Returns a string that a wallet sent, or an empty string if the wallet sent another type. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
