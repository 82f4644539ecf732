import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Value from 'typebox/value';
import { Invoice } from '../../../packages/contract/src/account/index.ts';
import { ServiceError } from '../../../packages/server/src/base/errors.ts';
import { silentLog } from '../../../packages/server/src/media/testing/test-media.ts';
import { weigh } from '../../../packages/server/src/payments/invoice.ts';
import { Payments } from '../../../packages/server/src/payments/payments.ts';
import type { LightningProvider, WantedInvoice } from '../../../packages/server/src/payments/provider.ts';
import { openLnbits } from '../../../packages/server/src/payments/providers/lnbits.ts';
import { openNwc } from '../../../packages/server/src/payments/providers/nwc.ts';
import { openPhoenixd } from '../../../packages/server/src/payments/providers/phoenixd.ts';
import { type Database, migrate, openDatabase } from '../../../packages/server/src/platform/db/index.ts';
import { DATA_MIGRATIONS } from '../../../packages/server/src/service/migrations.ts';
import { drawJson } from '../change-json.ts';
import { changeText } from '../change-text.ts';
import { pick, type Random } from '../draw.ts';
import { type Checker, Fault, isMistake } from '../target.ts';
import { type Answer, drawAnswer, sendAnswer } from './answers.ts';
import { drawInvoice, invoiceFor } from './invoice.ts';
import { startNwcWallet, type WalletRequest } from './nwc-wallet.ts';

const CONFIG = { feeSats: 1_000, network: 'regtest', proof: 'required' } as const;
/**
 * The clock of the payments advances by this time between two invoices, because the number of invoices per hour is
 * limited.
 */
const STEP_MS = 60_000;
/**
 * Share of the inputs for NWC. It is small, because NWC takes ten times as long: every message is encrypted, signed and
 * checked.
 */
const NWC_SHARE = 0.15;

type Kind = 'lnbits' | 'phoenixd' | 'nwc';

interface Said {
  kind: Kind;
  asked: 'invoice' | 'payment' | 'rights';
  /** The response of the wallet's server. */
  answer: Answer;
  /** The response of a wallet behind a relay, and whether it is encrypted. */
  text: string;
  isSealed: boolean;
}

export async function openWallets(): Promise<Checker<Said>> {
  const wallets = await startWallets();
  let [db, payments] = await openPayments(wallets);
  return {
    draw: drawSaid,
    check: (said, number) => wallets.ask(number, said, payments),
    async refresh() {
      await db.destroy();
      [db, payments] = await openPayments(wallets);
    },
  };
}

/** Opens payments with a new database, so that memory does not grow with the number of orders. */
async function openPayments(provider: LightningProvider): Promise<[Database, Payments]> {
  const db = openDatabase(':memory:');
  await migrate(db, DATA_MIGRATIONS);
  let time = Date.UTC(2026, 0, 1);
  const clock = {
    now: () => {
      time += STEP_MS;
      return time;
    },
  };
  const payments = new Payments({ config: CONFIG, provider, db, clock, log: silentLog() });
  // After it is closed, it no longer looks for paid orders by itself, but still creates invoices.
  await payments.close();
  return [db, payments];
}

interface Wallets extends LightningProvider {
  /** Makes a wallet respond once, and returns the result of this response. */
  ask(number: number, said: Said, payments: Payments): Promise<string>;
}

/** Starts one wallet of each kind. All of them choose their responses by the number of the input. */
async function startWallets(): Promise<Wallets> {
  /** The response to each request, by the number of the input and by its payment hash. */
  const waiting = new Map<string, Said>();
  const rest = await startServer((path) => waiting.get(path.split('/')[1]!)?.answer);
  const rights: Said[] = [];
  const silence = { text: '', isSealed: false };
  const url = await startNwcWallet((request) => {
    return (request.method === 'get_info' ? rights.shift() : waiting.get(subjectOf(request.params))) ?? silence;
  });
  const nwc = openNwc({ url, allowSpending: false });
  const providerFor = (number: string, { kind }: Said): LightningProvider => {
    const base = `${rest}/${number}`;
    if (kind === 'nwc') return nwc;
    return kind === 'lnbits' ? openLnbits({ url: base, key: 'key' }) : openPhoenixd({ url: base, password: 'secret' });
  };
  // A wallet does not know which input asks for its rights, so only one input at a time asks for them.
  let asked: Promise<unknown> = Promise.resolve();
  const askRights = async (said: Said): Promise<string> => {
    const mine = asked.then(() => {
      rights.push(said);
      return nwc.check();
    });
    asked = mine.catch(() => {});
    await mine;
    return 'rights';
  };
  return {
    name: 'wallets',
    check: async () => {},
    async createInvoice(wanted) {
      const number = subjectOf(wanted);
      const said = waiting.get(number);
      return said === undefined ? correctInvoice(wanted) : providerFor(number, said).createInvoice(wanted);
    },
    lookUp: async () => undefined,
    close: async () => {},
    async ask(number, said, payments) {
      const hash = hashOf(number);
      const keys = [String(number), hash];
      for (const key of keys) waiting.set(key, said);
      try {
        if (said.asked === 'rights') return await askRights(said);
        if (said.asked === 'invoice') return await makeInvoice(payments, number);
        const looked = await providerFor(String(number), said).lookUp(hash);
        return looked === undefined ? 'unknown' : weigh(looked, hash).is;
      } catch (error) {
        return refusalOf(error);
      } finally {
        for (const key of keys) waiting.delete(key);
      }
    },
  };
}

/** Starts a server whose responses are chosen by the path. @returns its URL */
async function startServer(answerTo: (path: string) => Answer | undefined): Promise<string> {
  const server = http.createServer((request, response) => {
    request.resume();
    const answer = answerTo(request.url!);
    if (answer === undefined) response.writeHead(404).end();
    else sendAnswer(response, answer);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Returns the subject of a request: a payment hash, or the number of the input, which is the name of the client. */
function subjectOf({ description, payment_hash: hash }: WalletRequest['params']): string {
  return hash ?? /^Client n(\d+)$/.exec(description ?? '')?.[1] ?? '';
}

async function makeInvoice(payments: Payments, number: number): Promise<string> {
  const invoice = await payments.createInvoice({ clientId: `n${number}`, pubkey: `p${number}` });
  const [error] = Value.Errors(Invoice, invoice);
  if (error !== undefined) throw new Fault(`the invoice is wrong: ${error.instancePath} ${error.message}`);
  return 'invoice';
}

/** Returns the reason why the response was refused. @throws the error if it comes from a mistake in a program */
function refusalOf(error: unknown): string {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof Error) || cause instanceof Fault || isMistake(cause)) throw error;
  return error instanceof ServiceError ? error.code : 'refused';
}

function preimageOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

function hashOf(number: number): string {
  return createHash('sha256')
    .update(Buffer.from(preimageOf(number), 'hex'))
    .digest('hex');
}

/** Returns the invoice for the check at the start. */
function correctInvoice({ description }: WantedInvoice): { bolt11: string; paymentHash: string } {
  const paymentHash = createHash('sha256').update(description).digest('hex');
  return { bolt11: invoiceFor(paymentHash), paymentHash };
}

function drawSaid(random: Random, number: number): Said {
  const kind: Kind = random() < NWC_SHARE ? 'nwc' : pick(random, ['lnbits', 'phoenixd']);
  const asked = pick(random, ['invoice', 'invoice', 'payment', kind === 'nwc' ? 'rights' : 'payment'] as const);
  const document = documentOf(random, kind, asked, number);
  const text = random() < 0.9 ? drawJson(random, document) : changeText(random, JSON.stringify(document));
  return { kind, asked, answer: drawAnswer(random, text), text, isSealed: random() < 0.95 };
}

/** Returns a wallet's response before it is damaged. Half of its invoices are already damaged. */
function documentOf(random: Random, kind: Kind, asked: Said['asked'], number: number): object {
  const [hash, preimage] = [hashOf(number), preimageOf(number)];
  const bolt11 = random() < 0.5 ? invoiceFor(hash) : drawInvoice(random, hash);
  const documents: Record<Kind, Record<Said['asked'], object>> = {
    lnbits: {
      invoice: { payment_hash: hash, payment_request: bolt11, bolt11, checking_id: hash },
      payment: { paid: true, preimage, details: { amount: 1_000_000 } },
      rights: {},
    },
    phoenixd: {
      invoice: { serialized: bolt11, paymentHash: hash, amountSat: 1_000 },
      payment: { isPaid: true, preimage, paymentHash: hash },
      rights: {},
    },
    nwc: {
      invoice: {
        result_type: 'make_invoice',
        result: { invoice: bolt11, payment_hash: hash, amount: 1_000_000 },
        error: null,
      },
      payment: {
        result_type: 'lookup_invoice',
        result: { state: 'settled', settled_at: 1, preimage, payment_hash: hash },
      },
      rights: { result_type: 'get_info', result: { methods: ['make_invoice', 'lookup_invoice'] }, error: null },
    },
  };
  return documents[kind][asked];
}
