import { OperatorError } from '../../base/errors.ts';
import { type LightningProvider, readHash, readPreimage, textOf } from '../provider.ts';
import { askWallet } from './rest.ts';

/**
 * Opens a wallet of LNbits through its HTTP API, with the wallet's invoice key.
 * @throws OperatorError if a setting is missing
 */
export function openLnbits({ url, key }: { url: string; key: string }): LightningProvider {
  if (url === '' || key === '')
    throw new OperatorError('lnbits needs its URL with the invoice key: ZOETROPE_WALLET=lnbits+https://:KEY@HOST');
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return {
    name: 'lnbits',
    async check() {},
    async createInvoice({ amountMsat, description, expirySeconds }) {
      const body = JSON.stringify({ out: false, amount: amountMsat / 1_000, memo: description, expiry: expirySeconds });
      const made = await askWallet(url, '/api/v1/payments', { method: 'POST', headers, body });
      const bolt11 = made?.['bolt11'] ?? made?.['payment_request'];
      return { bolt11: textOf(bolt11), paymentHash: readHash(made?.['payment_hash']) };
    },
    async lookUp(paymentHash) {
      const found = await askWallet(url, `/api/v1/payments/${paymentHash}`, { headers });
      if (found === undefined) return undefined;
      // This object contains the whole payment. In some versions of LNbits, the preimage is only in this object.
      const details = (found['details'] ?? {}) as Record<string, unknown>;
      const preimage = readPreimage(found['preimage'], details['preimage']);
      return { isSettled: isSettled(found, details), preimage };
    },
    async close() {},
  };
}

/** Returns whether a payment is settled. Some versions of LNbits send only the status of a payment. */
function isSettled({ paid, status }: Record<string, unknown>, details: Record<string, unknown>): boolean {
  if (typeof paid === 'boolean') return paid;
  return status === 'success' || details['status'] === 'success';
}
