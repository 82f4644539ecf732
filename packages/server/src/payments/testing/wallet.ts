import { finalizeEvent, generateSecretKey, getPublicKey, nip44, SimplePool } from 'nostr-tools';
import { type LightningPair, type PairInvoice, startLightningPair } from './lightning-pair.ts';
import { startRelay, type TestRelay } from './relay.ts';

/** A NIP-47 wallet on a real Lightning node, and a second node that pays. */
export interface TestWallet {
  /** URL for ZOETROPE_WALLET. */
  url: string;
  relay: TestRelay;
  /** Pays an invoice as any other wallet would. @returns whether the payment succeeded */
  pay(bolt11: string): boolean;
  /** The wallet's current behaviour. */
  mood: {
    /** Reports every invoice as settled, with an invented preimage. */
    lies: boolean;
    /** Sends the settlement time instead of the state, as some wallets do. */
    timesOnly: boolean;
    /** The settlement time that the wallet sends for an unpaid invoice. */
    unsettledAt: 0 | null;
    /** Does not respond. */
    silent: boolean;
    /** Responds to everything with an error. */
    busy: boolean;
    /** Responds to everything with null. */
    blank: boolean;
    /** Sends notifications of payments. */
    notifies: boolean;
    methods: string[];
    /** Factor by which the wallet multiplies the amount of its invoices. */
    factor: number;
    /** Returns the response to a look-up of an invoice, instead of the usual response. */
    answer: ((invoice: PairInvoice) => object) | undefined;
  };
  /** Sends a notification signed with another key. */
  forge(paymentHash: string, preimage: string): Promise<void>;
  /** Sends `count` notifications of a payment that never happened. */
  flood(count: number): Promise<void>;
  calls: Record<string, number>;
  stop(): Promise<void>;
}

interface Request {
  method: string;
  params: { amount: number; description: string; expiry: number; payment_hash: string };
}

export async function startWallet(): Promise<TestWallet> {
  const relay = await startRelay();
  const node = await startLightningPair();
  const [walletSecret, appSecret] = [generateSecretKey(), generateSecretKey()];
  const [wallet, app] = [getPublicKey(walletSecret), getPublicKey(appSecret)];
  const key = nip44.getConversationKey(walletSecret, app);
  const pool = new SimplePool();
  const invoices = new Map<string, PairInvoice>();
  const settled = new Set<string>();
  const calls: Record<string, number> = {};
  const methods = ['get_info', 'make_invoice', 'lookup_invoice'];
  const mood: TestWallet['mood'] = {
    ...{ lies: false, timesOnly: false, unsettledAt: null, silent: false, busy: false, blank: false, notifies: true },
    ...{ methods, factor: 1, answer: undefined },
  };

  const answer = (request: Request): object => answerTo(request, { node, mood, invoices, settled, calls });

  const send = (kind: number, tags: string[][], content: object | null, secret = walletSecret): Promise<unknown> => {
    const sealed = nip44.encrypt(
      JSON.stringify(content),
      secret === walletSecret ? key : nip44.getConversationKey(secret, app),
    );
    const event = finalizeEvent({ kind, created_at: Math.floor(Date.now() / 1000), tags, content: sealed }, secret);
    return Promise.any(pool.publish([relay.url], event)).catch(() => {});
  };
  const notify = (paymentHash: string, preimage: string, secret = walletSecret): Promise<unknown> => {
    const notification = { payment_hash: paymentHash, preimage, state: 'settled' };
    return send(23_197, [['p', app]], { notification_type: 'payment_received', notification }, secret);
  };
  const ready = Promise.withResolvers<void>();
  let stopped = false;
  const serve = (): void => {
    const since = Math.floor(Date.now() / 1000);
    pool.subscribe(
      [relay.url],
      { kinds: [23_194], '#p': [wallet], since },
      {
        oneose: ready.resolve,
        onclose: () => void (stopped || setTimeout(serve, 200).unref()),
        onevent: (event) => {
          if (mood.silent) return;
          const request = JSON.parse(nip44.decrypt(event.content, key)) as Request;
          // biome-ignore format: fits on one line
          const tags = [['p', app], ['e', event.id]];
          const said = () => ({ result_type: request.method, ...answer(request) });
          void send(23_195, tags, mood.blank ? null : said());
        },
      },
    );
  };
  serve();
  await ready.promise;
  node.onPaid((paymentHash, preimage) => {
    settled.add(paymentHash);
    if (mood.notifies) void notify(paymentHash, preimage);
  });
  const secret = Buffer.from(appSecret).toString('hex');
  return {
    url: `nostr+walletconnect://${wallet}?relay=${encodeURIComponent(relay.url)}&secret=${secret}`,
    ...{ relay, mood, calls },
    pay: (bolt11) => node.pay(bolt11) !== undefined,
    forge: async (paymentHash, preimage) => void (await notify(paymentHash, preimage, generateSecretKey())),
    async flood(count) {
      for (let n = 0; n < count; n++) await notify(n.toString(16).padStart(64, '0'), '00'.repeat(32));
    },
    async stop() {
      stopped = true;
      pool.destroy();
      await relay.stop();
    },
  };
}

interface Wallet {
  node: LightningPair;
  mood: TestWallet['mood'];
  invoices: Map<string, PairInvoice>;
  settled: ReadonlySet<string>;
  calls: TestWallet['calls'];
}

function answerTo({ method, params }: Request, wallet: Wallet): object {
  const { mood, calls } = wallet;
  calls[method] = (calls[method] ?? 0) + 1;
  if (mood.busy) return { error: { code: 'INTERNAL', message: 'try again' } };
  if (method === 'get_info') return { result: { network: 'regtest', methods: mood.methods } };
  if (method === 'make_invoice') return { result: makeInvoice(params, wallet) };
  if (method === 'lookup_invoice') return lookUp(params.payment_hash, wallet);
  return { error: { code: 'NOT_IMPLEMENTED', message: method } };
}

function makeInvoice({ amount, description, expiry }: Request['params'], { node, mood, invoices }: Wallet): object {
  const made = node.invoice(amount * mood.factor, description, expiry);
  invoices.set(made.paymentHash, made);
  return { invoice: made.bolt11, payment_hash: made.paymentHash, state: 'pending', amount };
}

/** Looks up an invoice. The preimage is available before anybody has paid, as in real wallets. */
function lookUp(paymentHash: string, { mood, invoices, settled }: Wallet): object {
  const invoice = invoices.get(paymentHash);
  if (invoice === undefined) return { error: { code: 'NOT_FOUND', message: 'no such invoice' } };
  if (mood.answer !== undefined) return { result: { payment_hash: paymentHash, ...mood.answer(invoice) } };
  const isSettled = mood.lies || settled.has(paymentHash);
  const preimage = mood.lies ? '00'.repeat(32) : invoice.preimage;
  const state = mood.timesOnly
    ? { settled_at: isSettled ? Math.floor(Date.now() / 1000) : mood.unsettledAt }
    : { state: isSettled ? 'settled' : 'pending' };
  return { result: { ...state, payment_hash: paymentHash, preimage } };
}
