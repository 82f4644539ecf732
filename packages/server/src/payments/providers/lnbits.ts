import { OperatorError } from '../../base/errors.ts';
import type { LightningProvider } from '../provider.ts';
import { askWallet } from './rest.ts';

/**
 * Opens a wallet of LNbits through its HTTP API, with the wallet's invoice key.
 * @throws OperatorError if a setting is missing
 */
export function openLnbits({ url, key }: { url: string; key: string }): LightningProvider {
  if (url === '' || key === '') throw new OperatorError('lnbits needs ZOETROPE_LNBITS_URL and ZOETROPE_LNBITS_KEY');
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  return {
    name: 'lnbits',
    async check() {},
    async createInvoice({ amountMsat, description, expirySeconds }) {
      const body = JSON.stringify({ out: false, amount: amountMsat / 1_000, memo: description, expiry: expirySeconds });
      const made = await askWallet(url, '/api/v1/payments', { method: 'POST', headers, body });
      const bolt11 = made?.['bolt11'] ?? made?.['payment_request'];
      return { bolt11: String(bolt11), paymentHash: String(made?.['payment_hash']) };
    },
    async lookUp(paymentHash) {
      const found = await askWallet(url, `/api/v1/payments/${paymentHash}`, { headers });
      if (found === undefined) return undefined;
      const { paid, preimage } = found;
      return { isSettled: paid === true, preimage: typeof preimage === 'string' ? preimage : undefined };
    },
    async close() {},
  };
}
