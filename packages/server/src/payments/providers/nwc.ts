import { finalizeEvent, getPublicKey, nip44, verifyEvent } from 'nostr-tools';
import { AbstractSimplePool } from 'nostr-tools/abstract-pool';
import { WebSocket } from 'ws';
import { OperatorError } from '../../base/errors.ts';
import {
  type LightningProvider,
  type Looked,
  type MadeInvoice,
  readHash,
  readPreimage,
  textOf,
  type WantedInvoice,
} from '../provider.ts';

/* NIP-47: a wallet that responds to encrypted requests over a relay. */

const REQUEST = 23_194;
const ANSWER = 23_195;
const NOTIFICATION = 23_197;
/** Maximum time for a response. A wallet on a phone can be slow, but a user is waiting. */
const TIMEOUT_MS = 8_000;
const CONNECT_MS = 3_000;
/** Delay before resubscribing to notifications after the relay has disconnected. */
const RESUBSCRIBE_MS = 5_000;
/**
 * Maximum size of a message, in bytes. The plaintext of a message is at most 64 kB. After encryption, encoding and
 * wrapping in an event, it is still smaller than this maximum.
 */
const MAX_MESSAGE = 128 * 1024;
const HEX_32 = /^[0-9a-f]{64}$/;

interface Connection {
  readonly wallet: string;
  readonly relays: string[];
  readonly secret: Uint8Array;
}

interface Transaction {
  readonly invoice?: unknown;
  readonly payment_hash?: unknown;
  readonly preimage?: unknown;
  readonly state?: unknown;
  /** Seconds since the Unix epoch. */
  readonly settled_at?: unknown;
}

/** A refusal by the wallet, with the wallet's error code, such as NOT_FOUND or RATE_LIMITED. */
class WalletError extends Error {
  override readonly name = 'WalletError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(`the wallet returned ${code}: ${message}`);
    this.code = code;
  }
}

/**
 * A socket with a message size limit, because the relay is not trusted. A message that is longer than any valid message
 * closes the connection.
 */
class BoundedSocket extends WebSocket {
  constructor(url: string) {
    super(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: CONNECT_MS });
    this.on('error', () => {}); // without a listener, a late error would be thrown; the failed request already reports the problem
  }
}

/** An encrypted connection to a wallet. */
class Connected {
  readonly #wallet: string;
  readonly #relays: string[];
  readonly #secret: Uint8Array;
  readonly #key: Uint8Array;
  readonly #pool = new AbstractSimplePool({
    verifyEvent,
    websocketImplementation: BoundedSocket as never,
    maxWaitForConnection: CONNECT_MS,
  });
  #hints: { close(): void } | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;

  constructor({ wallet, relays, secret }: Connection) {
    this.#wallet = wallet;
    this.#relays = relays;
    this.#secret = secret;
    this.#key = nip44.getConversationKey(secret, wallet);
  }

  call<Result>(method: string, params: object): Promise<Result> {
    const now = Math.floor(Date.now() / 1_000);
    const tags = [
      ['p', this.#wallet],
      ['encryption', 'nip44_v2'],
      ['expiration', String(now + 60)],
    ];
    const content = nip44.encrypt(JSON.stringify({ method, params }), this.#key);
    const request = finalizeEvent({ kind: REQUEST, created_at: now, tags, content }, this.#secret);
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const timer = setTimeout(() => reject(new Error(`the wallet did not respond to ${method}`)), TIMEOUT_MS);
    const filter = { kinds: [ANSWER], authors: [this.#wallet], '#e': [request.id] };
    const answers = this.#pool.subscribe(this.#relays, filter, {
      onevent: (event) => {
        try {
          resolve(readAnswer<Result>(this.#open(event)));
        } catch (error) {
          reject(error);
        }
      },
      // The request is sent after the relay has confirmed the subscription to the response.
      oneose: () => void Promise.any(this.#pool.publish(this.#relays, request)).catch(reject),
      onclose: () => reject(new Error('the relay of the wallet cannot be reached')),
    });
    return promise.finally(() => {
      clearTimeout(timer);
      answers.close();
    });
  }

  /**
   * Listens for notifications. Does not use the pool's reconnection, which left old subscriptions behind after longer
   * outages.
   */
  listen(hint: (paymentHash: string) => void): void {
    const filter = { kinds: [NOTIFICATION], authors: [this.#wallet], '#p': [getPublicKey(this.#secret)] };
    const since = Math.floor(Date.now() / 1_000);
    this.#hints = this.#pool.subscribe(
      this.#relays,
      { ...filter, since },
      {
        onevent: (event) => {
          const hash = hintOf(() => this.#open(event));
          if (hash !== undefined) hint(hash);
        },
        onclose: () => {
          if (!this.#closed) this.#retry = setTimeout(() => this.listen(hint), RESUBSCRIBE_MS).unref();
        },
      },
    );
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    this.#hints?.close();
    this.#pool.destroy();
  }

  #open({ content }: { content: string }): unknown {
    return JSON.parse(nip44.decrypt(content, this.#key));
  }
}

/** Opens a wallet. @throws OperatorError if the URL is invalid. The URL is a secret, so no message repeats it. */
export function openNwc({ url, allowSpending }: { url: string; allowSpending: boolean }): LightningProvider {
  const wallet = new Connected(readUrl(url));
  return {
    name: 'nwc',

    async check() {
      const { methods = [] } = await wallet.call<{ methods?: unknown }>('get_info', {});
      if (!Array.isArray(methods)) throw new Error('the wallet did not return a list of its methods');
      if (!methods.includes('pay_invoice') || allowSpending) return;
      const advice = 'create one that can only make and look up invoices, or set ZOETROPE_NWC_ALLOW_SPENDING=true';
      throw new OperatorError(`The wallet connection of ZOETROPE_WALLET has spending rights: ${advice}`);
    },

    async createInvoice({ amountMsat, description, expirySeconds }: WantedInvoice): Promise<MadeInvoice> {
      const params = { amount: amountMsat, description, expiry: expirySeconds };
      const { invoice, payment_hash: hash } = await wallet.call<Transaction>('make_invoice', params);
      return { bolt11: textOf(invoice), paymentHash: readHash(hash) };
    },

    async lookUp(paymentHash): Promise<Looked | undefined> {
      try {
        const found = await wallet.call<Transaction>('lookup_invoice', { payment_hash: paymentHash });
        return { isSettled: isSettled(found), preimage: readPreimage(found.preimage) };
      } catch (error) {
        if (error instanceof WalletError && error.code === 'NOT_FOUND') return undefined;
        throw error;
      }
    },

    onHint: (hint) => wallet.listen(hint),
    close: async () => wallet.close(),
  };
}

/**
 * Returns whether a transaction is settled. Wallets that follow older drafts of NIP-47 send the settlement time instead
 * of a state.
 */
function isSettled({ state, settled_at: settledAt }: Transaction): boolean {
  if (typeof state === 'string') return state === 'settled';
  return typeof settledAt === 'number' && settledAt > 0;
}

/** Returns the payment hash in a notification, or undefined if the notification cannot be read. */
function hintOf(read: () => unknown): string | undefined {
  try {
    const { notification } = read() as { notification?: Transaction };
    const hash = readHash(notification?.payment_hash);
    return HEX_32.test(hash) ? hash : undefined;
  } catch {
    return undefined;
  }
}

function readAnswer<Result>(answer: unknown): Result {
  const { result, error } = (answer ?? {}) as { result?: Result | null; error?: { code?: unknown; message?: unknown } };
  if (error) throw new WalletError(textOf(error.code), textOf(error.message).slice(0, 200));
  if (result === undefined || result === null) throw new Error('the wallet returned an empty response');
  return result;
}

function readUrl(text: string): Connection {
  const url = URL.parse(text.replace(/^nostr\+walletconnect:(\/\/)?/, 'http://'));
  const secret = url?.searchParams.get('secret') ?? '';
  const relays = url?.searchParams.getAll('relay') ?? [];
  const wallet = url?.hostname ?? '';
  if (!HEX_32.test(wallet) || !HEX_32.test(secret) || relays.length === 0) {
    throw new OperatorError(
      'ZOETROPE_WALLET must be nostr+walletconnect://PUBKEY?relay=wss://…&secret=…, as shown by the wallet',
    );
  }
  return { wallet, relays, secret: Uint8Array.from(Buffer.from(secret, 'hex')) };
}
