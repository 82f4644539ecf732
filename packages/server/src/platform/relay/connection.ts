import { nip77 } from 'nostr-tools';
import { AbstractRelay } from 'nostr-tools/abstract-relay';
import { type Filter, matchFilters } from 'nostr-tools/filter';
import { WebSocket } from 'ws';
import { type EventRefusal, MAX_EVENT, type RelayEvent, readEvent } from './event.ts';

const CONNECT_MS = 15_000;
/** How long an answer may take from its question to its end. */
const ANSWER_MS = 60_000;
/** The longest message that is received at all: a longer one ends the connection. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** The longest message without an event in it that is looked into: ids of events that a relay has and we do not. */
const MAX_ANSWER = 1024 * 1024;
const EVENT = /^\s*\[\s*"EVENT"/;
/** Asked for at once, where the relay does not give less. */
const PAGE = 500;
/** A relay that sends more than was asked for is not one. */
const MAX_PAGE = 10 * PAGE;

/** Why a relay could not be read; the message is for the operator. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
}

/** What a relay answered to one question. */
export interface RelayPage {
  /** As the relay ordered them; their signatures are not checked. */
  events: RelayEvent[];
  /** How many it sent, those that were refused unread too. */
  count: number;
  /** Seconds since the Unix epoch: when the oldest of them was made. */
  oldest: number;
}

export interface ConnectionOptions {
  url: string;
  /** Hears of events that were not even looked into. */
  onRefused(reason: EventRefusal): void;
}

/** A socket that takes no endless message, and whose errors are told by its end. */
class BoundedSocket extends WebSocket {
  constructor(url: string) {
    super(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: CONNECT_MS });
    this.on('error', () => {});
  }
}

/**
 * The library would look into whatever comes, and print what it cannot read: here only an event in the form of one
 * reaches who asked for it.
 */
class CheckedRelay extends AbstractRelay {
  onRefused: (reason: EventRefusal, createdAt: number | null, subscription: string) => void = () => {};

  /** What is sent when the line has gone is answered by its end. */
  override async send(message: string): Promise<void> {
    if (this.connected) await super.send(message);
  }

  override _onmessage(message: { data: unknown }): void {
    const text = message.data;
    if (typeof text !== 'string') return;
    const isTooLong = text.length > (EVENT.test(text) ? MAX_EVENT : MAX_ANSWER);
    const parts = isTooLong ? undefined : read(text);
    if (parts === undefined) this.#refuse(isTooLong ? 'too_long' : 'malformed', text);
    else if (parts[0] === 'EVENT') this.#take(parts, text);
    else if (ANSWERS.has(parts[0])) super._onmessage(message as MessageEvent);
  }

  #take([, id, value]: unknown[], text: string): void {
    const subscription = this.openSubs.get(String(id));
    if (subscription === undefined) return;
    const event = readEvent(value);
    if (typeof event === 'string') this.#refuse(event, text);
    else if (matchFilters(subscription.filters, event)) subscription.onevent(event);
    else this.#refuse('not_asked_for', text);
  }

  /** Strings have their quotes escaped, so that this finds the field of the event and nothing that somebody wrote. */
  #refuse(reason: EventRefusal, text: string): void {
    const createdAt = /"created_at":\s*(\d{1,12})/.exec(text)?.[1];
    const subscription = /^\s*\[\s*"EVENT"\s*,\s*"([^"\\]*)"/.exec(text.slice(0, 200))?.[1];
    this.onRefused(reason, createdAt === undefined ? null : Number(createdAt), subscription ?? '');
  }
}

function read(text: string): unknown[] | undefined {
  try {
    const message: unknown = JSON.parse(text);
    return Array.isArray(message) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Messages that the library knows what to do with; NIP-77 comes to `oncustom`. */
const ANSWERS = new Set<unknown>(['EOSE', 'CLOSED', 'NEG-MSG', 'NEG-ERR']);

/** One connection to a relay, to read from. It does not come back by itself: whoever opened it knows what is missing then. */
export class RelayConnection {
  /** Resolves with the reason when the connection has ended. */
  readonly ended: Promise<string>;
  readonly #relay: CheckedRelay;
  readonly #refused = new Map<string, (createdAt: number | null) => void>();

  private constructor(relay: CheckedRelay, { onRefused }: ConnectionOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#relay = relay;
    relay.onclose = () => resolve('the relay ended the connection');
    relay.onRefused = (reason, createdAt, subscription) => {
      onRefused(reason);
      this.#refused.get(subscription)?.(createdAt);
    };
  }

  /** @throws RelayError when it does not answer as a relay */
  static async open(options: ConnectionOptions): Promise<RelayConnection> {
    // Signatures are checked in batches, by threads.
    const relay = new CheckedRelay(options.url, {
      verifyEvent: () => true,
      websocketImplementation: BoundedSocket as never,
      enablePing: true,
    });
    const connection = new RelayConnection(relay, options);
    try {
      await relay.connect({ timeout: CONNECT_MS });
    } catch (cause) {
      throw new RelayError('it cannot be reached', { cause });
    }
    return connection;
  }

  /** What the relay has of a filter, newest first and at most `limit`; many relays give less than asked for. */
  page(filter: Filter): Promise<RelayPage> {
    if (!this.#relay.connected) return Promise.reject(new RelayError('the connection has ended'));
    const page: RelayPage = { events: [], count: 0, oldest: Number.POSITIVE_INFINITY };
    const { promise, resolve, reject } = Promise.withResolvers<RelayPage>();
    const see = (createdAt: number | null) => {
      page.count++;
      page.oldest = Math.min(page.oldest, createdAt ?? page.oldest);
      if (page.count > MAX_PAGE) reject(new RelayError('it sends more than it was asked for'));
    };
    const subscription = this.#relay.subscribe([{ limit: PAGE, ...filter }], {
      onevent: (event) => {
        page.events.push(event);
        see(event.created_at);
      },
      oneose: () => resolve(page),
      onclose: (reason) => reject(new RelayError(`it ended its answer: ${reason}`)),
      eoseTimeout: 2 * ANSWER_MS,
    });
    this.#refused.set(subscription.id, see);
    const timer = setTimeout(() => reject(new RelayError('it does not answer')), ANSWER_MS);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#refused.delete(subscription.id);
      subscription.receivedEose();
      subscription.close();
    });
  }

  /** Hears of what comes from now on, whenever it was made. */
  listen(filter: Filter, onEvent: (event: RelayEvent) => void): void {
    // A limit is for what is stored already.
    this.#relay.subscribe([{ ...filter, limit: 1 }], {
      onevent: onEvent,
      // A relay may end one subscription and keep the line; then nothing more would be heard.
      onclose: () => this.close(),
      eoseTimeout: ANSWER_MS,
    });
  }

  /** The events of these ids, as far as the relay has them. */
  async byId(ids: readonly string[]): Promise<RelayEvent[]> {
    const found = new Map<string, RelayEvent>();
    for (let asked = [...ids]; asked.length > 0; ) {
      const before = found.size;
      for (const event of (await this.page({ ids: asked })).events) found.set(event.id, event);
      // It gives fewer at once, or has no more of them.
      asked = found.size === before ? [] : asked.filter((id) => !found.has(id));
    }
    return [...found.values()];
  }

  /**
   * Ids of all events of a filter that the relay has and we do not, by comparing sets (NIP-77).
   * @throws RelayError when the relay will not, as one whose set is too large for it does
   */
  missing(filter: Filter, known: readonly { id: string; createdAt: number }[]): Promise<string[]> {
    if (!this.#relay.connected) return Promise.reject(new RelayError('the connection has ended'));
    const storage = new nip77.NegentropyStorageVector();
    for (const { id, createdAt } of known) storage.insert(createdAt, id);
    storage.seal();
    const comparison = new nip77.Negentropy(storage, MAX_EVENT / 4);
    const missing: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const onclose = (reason: string) => reject(new RelayError(`it ended the comparison: ${reason}`));
    const subscription = this.#relay.prepareSubscription([{}], { label: 'compare', onclose });
    const answer = (message: string) => {
      const next = comparison.reconcile(message, undefined, (id) => missing.push(id));
      if (next === null) return resolve(missing);
      void this.#relay.send(JSON.stringify(['NEG-MSG', subscription.id, next]));
    };
    subscription.oncustom = ([type, , message = '']) => {
      try {
        if (type !== 'NEG-MSG') throw new Error(message);
        answer(message);
      } catch (cause) {
        reject(new RelayError(`it does not compare: ${String(cause)}`, { cause }));
      }
    };
    const timer = setTimeout(() => reject(new RelayError('it does not end the comparison')), ANSWER_MS);
    void this.#relay.send(JSON.stringify(['NEG-OPEN', subscription.id, filter, comparison.initiate()]));
    return promise.finally(() => {
      clearTimeout(timer);
      void this.#relay.send(JSON.stringify(['NEG-CLOSE', subscription.id]));
      this.#relay.openSubs.delete(subscription.id);
    });
  }

  close(): void {
    this.#relay.close();
  }
}
