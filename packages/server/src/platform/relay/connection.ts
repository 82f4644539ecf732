import { nip77 } from 'nostr-tools';
import { AbstractRelay } from 'nostr-tools/abstract-relay';
import { type Filter, matchFilters } from 'nostr-tools/filter';
import { WebSocket } from 'ws';
import { type EventRefusal, MAX_EVENT, type RelayEvent, readEvent } from './event.ts';

const CONNECT_MS = 15_000;
/** Maximum time for a complete response. */
const ANSWER_MS = 60_000;
/** Maximum size of a message, in bytes. A longer message closes the connection. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** Maximum size of a message without an event, such as a list of event ids. The unit is characters. */
const MAX_ANSWER = 1024 * 1024;
const EVENT = /^\s*\[\s*"EVENT"/;
/** Maximum number of events per request. A relay can allow fewer. */
const PAGE = 500;
/** Maximum number of events per response. A relay that sends far more than requested is broken or hostile. */
const MAX_PAGE = 10 * PAGE;

/** The error if a relay cannot be read. The message is for the operator. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
}

/** A relay's response to a request. */
export interface RelayPage {
  /** The events in the relay's order. Their signatures are not checked. */
  events: RelayEvent[];
  /** Number of events that the relay sent, including events that were rejected without parsing. */
  count: number;
  /** Timestamp of the oldest event, in seconds since the Unix epoch. */
  oldest: number;
}

export interface ConnectionOptions {
  url: string;
  /** Called for events that were rejected without parsing. */
  onRefused(reason: EventRefusal): void;
}

/** A socket with a message size limit, whose errors are reported when it closes. */
class BoundedSocket extends WebSocket {
  constructor(url: string) {
    super(url, { maxPayload: MAX_MESSAGE, handshakeTimeout: CONNECT_MS });
    this.on('error', () => {});
  }
}

/**
 * Passes only well-formed events to the subscriber. The library itself would parse every message, and would print
 * messages that it cannot parse.
 */
class CheckedRelay extends AbstractRelay {
  onRefused: (reason: EventRefusal, createdAt: number | null, subscription: string) => void = () => {};

  /** Sends a message. A failure is not reported here, because it ends the connection, and the end is reported. */
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

  /**
   * Reports a rejected event. Quotes in strings are escaped, so the search finds only the event's own field, and never
   * text by the event's author.
   */
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

/** Messages that the library handles. The handler of NIP-77 messages is `oncustom`. */
const ANSWERS = new Set<unknown>(['EOSE', 'CLOSED', 'NEG-MSG', 'NEG-ERR']);

/**
 * A connection for reading a relay. It does not reconnect automatically, because only its owner knows which events are
 * missing after a reconnection.
 */
export class RelayConnection {
  /** Resolves with the reason when the connection is closed. */
  readonly ended: Promise<string>;
  readonly #relay: CheckedRelay;
  readonly #refused = new Map<string, (createdAt: number | null) => void>();

  private constructor(relay: CheckedRelay, { onRefused }: ConnectionOptions) {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.ended = promise;
    this.#relay = relay;
    relay.onclose = () => resolve('the relay closed the connection');
    relay.onRefused = (reason, createdAt, subscription) => {
      onRefused(reason);
      this.#refused.get(subscription)?.(createdAt);
    };
  }

  /** @throws RelayError if the server does not respond like a relay */
  static async open(options: ConnectionOptions): Promise<RelayConnection> {
    // Threads check signatures in batches.
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

  /**
   * Returns the relay's events for a filter, newest first, at most `limit`. Many relays return fewer events than
   * requested.
   */
  page(filter: Filter): Promise<RelayPage> {
    if (!this.#relay.connected) return Promise.reject(new RelayError('the connection is closed'));
    const page: RelayPage = { events: [], count: 0, oldest: Number.POSITIVE_INFINITY };
    const { promise, resolve, reject } = Promise.withResolvers<RelayPage>();
    const see = (createdAt: number | null) => {
      page.count++;
      page.oldest = Math.min(page.oldest, createdAt ?? page.oldest);
      if (page.count > MAX_PAGE) reject(new RelayError('it sends more than was requested'));
    };
    const subscription = this.#relay.subscribe([{ limit: PAGE, ...filter }], {
      onevent: (event) => {
        page.events.push(event);
        see(event.created_at);
      },
      oneose: () => resolve(page),
      onclose: (reason) => reject(new RelayError(`it ended its response: ${reason}`)),
      eoseTimeout: 2 * ANSWER_MS,
    });
    this.#refused.set(subscription.id, see);
    const timer = setTimeout(() => reject(new RelayError('it does not respond')), ANSWER_MS);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#refused.delete(subscription.id);
      subscription.receivedEose();
      subscription.close();
    });
  }

  /** Subscribes to events that arrive from now on, even if their timestamps are old. */
  listen(filter: Filter, onEvent: (event: RelayEvent) => void): void {
    // The limit applies only to stored events.
    this.#relay.subscribe([{ ...filter, limit: 1 }], {
      onevent: onEvent,
      // A relay can close a subscription without closing the connection. No more events would arrive, so the connection
      // is closed here.
      onclose: () => this.close(),
      eoseTimeout: ANSWER_MS,
    });
  }

  /** Returns the events with these ids that the relay has. */
  async byId(ids: readonly string[]): Promise<RelayEvent[]> {
    const found = new Map<string, RelayEvent>();
    for (let asked = [...ids]; asked.length > 0; ) {
      const before = found.size;
      for (const event of (await this.page({ ids: asked })).events) found.set(event.id, event);
      // If the last request returned nothing new, the relay has no more of these events. Otherwise, it returns fewer
      // events per request, so the rest is requested again.
      asked = found.size === before ? [] : asked.filter((id) => !found.has(id));
    }
    return [...found.values()];
  }

  /**
   * Compares the sets of events that match a filter (NIP-77). Returns the ids of events that the relay has and that are
   * not in `known`.
   * @throws RelayError if the relay refuses, for example because the relay's set is too large
   */
  missing(filter: Filter, known: readonly { id: string; createdAt: number }[]): Promise<string[]> {
    if (!this.#relay.connected) return Promise.reject(new RelayError('the connection is closed'));
    const storage = new nip77.NegentropyStorageVector();
    for (const { id, createdAt } of known) storage.insert(createdAt, id);
    storage.seal();
    const comparison = new nip77.Negentropy(storage, MAX_EVENT / 4);
    const missing: string[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<string[]>();
    const onclose = (reason: string) => reject(new RelayError(`it ended the set comparison: ${reason}`));
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
        reject(new RelayError(`the set comparison failed: ${String(cause)}`, { cause }));
      }
    };
    const timer = setTimeout(() => reject(new RelayError('it does not finish the set comparison')), ANSWER_MS);
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
