import { OperatorError } from '../../base/errors.ts';
import { type LightningProvider, readHash, readPreimage, textOf } from '../provider.ts';
import { askWallet } from './rest.ts';

/**
 * Opens phoenixd through its HTTP API, with the limited-access password.
 * @throws OperatorError if a setting is missing
 */
export function openPhoenixd({ url, password }: { url: string; password: string }): LightningProvider {
  if (url === '' || password === '') {
    throw new OperatorError(
      'phoenixd needs its URL with the limited-access password: ZOETROPE_WALLET=phoenixd+http://:PASSWORD@HOST:PORT',
    );
  }
  const headers = { authorization: `Basic ${Buffer.from(`:${password}`).toString('base64')}` };
  return {
    name: 'phoenixd',
    async check() {},
    async createInvoice({ amountMsat, description, expirySeconds }) {
      const body = new URLSearchParams({
        ...{ amountSat: String(amountMsat / 1_000), description, expirySeconds: String(expirySeconds) },
      });
      const made = await askWallet(url, '/createinvoice', { method: 'POST', headers, body });
      return { bolt11: textOf(made?.['serialized']), paymentHash: readHash(made?.['paymentHash']) };
    },
    async lookUp(paymentHash) {
      const found = await askWallet(url, `/payments/incoming/${paymentHash}`, { headers });
      if (found === undefined) return undefined;
      return { isSettled: found['isPaid'] === true, preimage: readPreimage(found['preimage']) };
    },
    async close() {},
  };
}
