import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type DemoInvoice, makeDemoInvoice, makeDemoKey } from '../providers/demo-invoice.ts';

/**
 * A server with the HTTP APIs of LNbits and phoenixd. Its invoices are valid, and a test decides which of them are
 * paid.
 */
export interface RestWallet {
  url: string;
  /** Returns the response to a look-up of an invoice, or the status of a failure. Tests replace this function. */
  answer: (invoice: DemoInvoice) => object | number;
  stop(): void;
}

/** The response about an unpaid invoice. LNbits and phoenixd use different fields. */
export const NOT_PAID = () => ({ paid: false, isPaid: false, preimage: null });

export async function startRestWallet(): Promise<RestWallet> {
  const key = makeDemoKey();
  const made = new Map<string, DemoInvoice>();
  const server = http.createServer((request, response) => {
    respond(request).then(
      (answer) => {
        if (typeof answer === 'number') response.writeHead(answer).end();
        else response.end(JSON.stringify(answer));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const wallet: RestWallet = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: NOT_PAID,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function respond(request: IncomingMessage): Promise<object | number> {
    const path = request.url!;
    if (request.method === 'GET') {
      const invoice = made.get(path.split('/').at(-1)!);
      return invoice === undefined ? 404 : wallet.answer(invoice);
    }
    const wanted = readWanted(path, await text(request));
    const invoice = makeDemoInvoice(wanted, key, Math.floor(Date.now() / 1_000));
    const { bolt11, paymentHash } = invoice;
    made.set(paymentHash, invoice);
    return { bolt11, payment_hash: paymentHash, serialized: bolt11, paymentHash };
  }
  return wallet;
}

function readWanted(path: string, body: string): Parameters<typeof makeDemoInvoice>[0] {
  if (path === '/createinvoice') {
    const { amountSat, description, expirySeconds } = Object.fromEntries(new URLSearchParams(body));
    const amountMsat = Number(amountSat) * 1_000;
    return { amountMsat, description: description!, expirySeconds: Number(expirySeconds) };
  }
  const { amount, memo, expiry } = JSON.parse(body) as { amount: number; memo: string; expiry: number };
  return { amountMsat: amount * 1_000, description: memo, expirySeconds: expiry };
}
