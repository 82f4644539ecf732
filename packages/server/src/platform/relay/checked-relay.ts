import { AbstractRelay } from 'nostr-tools/abstract-relay';
import { matchFilters } from 'nostr-tools/filter';
import { WebSocket } from 'ws';
import { type EventRefusal, MAX_EVENT, readEvent } from './event.ts';

export const CONNECT_MS = 15_000;
/** Maximum size of a message, in bytes. A longer message closes the connection. */
const MAX_MESSAGE = 32 * 1024 * 1024;
/** Maximum size of a message without an event, such as a list of event ids. The unit is characters. */
const MAX_ANSWER = 1024 * 1024;
const EVENT = /^\s*\[\s*"EVENT"/;

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
export class CheckedRelay extends AbstractRelay {
  onRefused: (reason: EventRefusal, createdAt: number | null, subscription: string) => void = () => {};

  constructor(url: string) {
    // Threads check signatures in batches.
    super(url, { verifyEvent: () => true, websocketImplementation: BoundedSocket as never, enablePing: true });
  }

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
