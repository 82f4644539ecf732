import type { Filter } from 'nostr-tools/filter';
import type { CheckedRelay } from './checked-relay.ts';
import { type EventRefusal, MAX_EVENT, type RelayEvent } from './event.ts';

/** Maximum time for a complete response. */
const ANSWER_MS = 60_000;
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
    // The library is loaded here, because few processes read relays.
    const { CheckedRelay, CONNECT_MS } = await import('./checked-relay.ts');
    const relay = new CheckedRelay(options.url);
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
      // If the last request returned nothing new, the relay has no more of these events. Otherwise, the relay limits
      // the events per response, so the missing events are requested again.
      asked = found.size === before ? [] : asked.filter((id) => !found.has(id));
    }
    return [...found.values()];
  }

  /**
   * Compares the sets of events that match a filter (NIP-77). Returns the ids of events that the relay has and that are
   * not in `known`.
   * @throws RelayError if the relay refuses, for example because the relay's set is too large
   */
  async missing(filter: Filter, known: readonly { id: string; createdAt: number }[]): Promise<string[]> {
    const { nip77 } = await import('nostr-tools');
    if (!this.#relay.connected) throw new RelayError('the connection is closed');
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
