/** Of an invoice that was asked for. */
export interface WantedInvoice {
  readonly amountMsat: number;
  readonly description: string;
  readonly expirySeconds: number;
}

/** What a wallet says it made; all of it is checked against the invoice itself. */
export interface MadeInvoice {
  readonly bolt11: string;
  readonly paymentHash: string;
}

/**
 * What a wallet says of an invoice. It is paid when the wallet calls it settled and the preimage fits the payment hash. The
 * preimage alone proves nothing: the receiving wallet chose it when it made the invoice, and many show it at once.
 */
export interface Looked {
  readonly isSettled: boolean;
  readonly preimage: string | undefined;
}

/** A wallet that receives the fee. Everything rejects with an Error when it cannot be reached or refuses. */
export interface LightningProvider {
  readonly name: string;
  /** Rejects with OperatorError when the wallet must not be used as it is. */
  check(): Promise<void>;
  createInvoice(wanted: WantedInvoice): Promise<MadeInvoice>;
  /** By the payment hash, 64 hexadecimal digits. Undefined when the wallet does not know it. */
  lookUp(paymentHash: string): Promise<Looked | undefined>;
  /** Says that an invoice may have been paid: a hint, after which it is looked up. */
  onHint?(hint: (paymentHash: string) => void): void;
  close(): Promise<void>;
}
