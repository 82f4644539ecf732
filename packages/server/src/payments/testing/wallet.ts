import { finalizeEvent, generateSecretKey, getPublicKey, nip44, SimplePool } from 'nostr-tools';
import { type LightningPair, startLightningPair } from './lightning-pair.ts';
import { startRelay, type TestRelay } from './relay.ts';

/** A wallet that speaks NIP-47 over a relay, on top of a real Lightning node; and somebody who pays. */
export interface TestWallet {
  /** For ZOETROPE_NWC_URL. */
  url: string;
  relay: TestRelay;
  /** Pays as any other wallet would. @returns whether the payment went through */
  pay(bolt11: string): boolean;
  /** How it behaves from now on. */
  mood: {
    /** Says that everything is settled, with a preimage that it made up. */
    lies: boolean;
    /** Says nothing. */
    silent: boolean;
    /** Tells of payments by notifications. */
    notifies: boolean;
    methods: string[];
    /** Makes invoices over so many times the amount. */
    factor: number;
  };
  /** Sends a notification signed by somebody else. */
  forge(paymentHash: string, preimage: string): Promise<void>;
  /** Sends so many notifications of a payment that never was. */
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
  const preimages = new Map<string, string>();
  const calls: Record<string, number> = {};
  const methods = ['get_info', 'make_invoice', 'lookup_invoice'];
  const mood = { lies: false, silent: false, notifies: true, methods, factor: 1 };

  const answer = (request: Request): object => answerTo(request, { node, mood, preimages, calls });

  const send = (kind: number, tags: string[][], content: object, secret = walletSecret): Promise<unknown> => {
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
          const tags = [
            ['p', app],
            ['e', event.id],
          ];
          void send(23_195, tags, { result_type: request.method, ...answer(request) });
        },
      },
    );
  };
  serve();
  await ready.promise;
  node.onPaid((paymentHash, preimage) => {
    preimages.set(paymentHash, preimage);
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
  preimages: ReadonlyMap<string, string>;
  calls: TestWallet['calls'];
}

function answerTo({ method, params }: Request, { node, mood, preimages, calls }: Wallet): object {
  calls[method] = (calls[method] ?? 0) + 1;
  if (method === 'get_info') return { result: { network: 'regtest', methods: mood.methods } };
  if (method === 'make_invoice') return { result: makeInvoice(node, params, mood.factor) };
  if (method !== 'lookup_invoice') return { error: { code: 'NOT_IMPLEMENTED', message: method } };
  const preimage = mood.lies ? '00'.repeat(32) : preimages.get(params.payment_hash);
  const state = preimage === undefined ? 'pending' : 'settled';
  return { result: { state, payment_hash: params.payment_hash, ...(preimage && { preimage }) } };
}

function makeInvoice(node: LightningPair, { amount, description, expiry }: Request['params'], factor: number): object {
  const { bolt11, paymentHash } = node.invoice(amount * factor, description, expiry);
  return { invoice: bolt11, payment_hash: paymentHash, state: 'pending', amount };
}
