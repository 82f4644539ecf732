import { once } from 'node:events';
import http from 'node:http';
import { type Filter, matchFilter } from 'nostr-tools/filter';
import { type WebSocket, WebSocketServer } from 'ws';
import { freePort, untilFree } from '../../testing/free-port.ts';
import type { RelayEvent } from '../event.ts';
import { answerComparison } from './comparison.ts';

export interface RelayTraits {
  /** Maximum number of events per response. */
  cap?: number;
  /** Whether the relay supports set comparison (NIP-77). */
  compares?: boolean;
  /** The relay disconnects once, at the request with this number. */
  breaksAt?: number;
  /** Whether the relay refuses all requests for events, like relays that require signing in. */
  closes?: boolean;
  /** Events that the relay sends with every response, although nobody requested them. */
  intrudes?: readonly RelayEvent[];
}

/** A relay on this machine that accepts all events and keeps them in memory. */
export class FilledRelay {
  /** Number of requests so far. */
  questions = 0;
  readonly #events = new Map<string, RelayEvent>();
  readonly #listening = new Map<WebSocket, Map<string, Filter[]>>();
  readonly #traits: Required<RelayTraits>;
  #server = http.createServer();
  readonly #port: number;

  private constructor(port: number, traits: RelayTraits) {
    this.#port = port;
    this.#traits = { cap: 500, compares: false, breaksAt: 0, closes: false, intrudes: [], ...traits };
  }

  static async start(traits: RelayTraits = {}): Promise<FilledRelay> {
    const relay = new FilledRelay(await freePort(), traits);
    await relay.up();
    return relay;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** Stores events and sends them to subscribers. */
  publish(events: Iterable<RelayEvent>): void {
    for (const event of events) {
      this.#events.set(event.id, event);
      for (const [socket, subscriptions] of this.#listening) {
        for (const [id, filters] of subscriptions) {
          if (filters.some((filter) => matchFilter(filter, event))) say(socket, 'EVENT', id, event);
        }
      }
    }
  }

  /** Accepts connections, on the same port as before. */
  async up(): Promise<void> {
    this.#server = http.createServer((_, response) => {
      response.setHeader('content-type', 'application/nostr+json');
      response.end(JSON.stringify({ supported_nips: this.#traits.compares ? [1, 9, 11, 77] : [1, 9, 11] }));
    });
    const sockets = new WebSocketServer({ server: this.#server });
    sockets.on('connection', (socket) => this.#serve(socket));
    // The WebSocket server repeats the errors of the HTTP server. They already reject `up`, and nobody would catch them
    // here.
    sockets.on('error', () => {});
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Breaks all connections, and accepts no new connections until `up` is called. */
  async down(): Promise<void> {
    for (const socket of this.#listening.keys()) socket.terminate();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
    await untilFree(this.#port);
  }

  #find({ limit = Number.POSITIVE_INFINITY, ...filter }: Filter): RelayEvent[] {
    const found = [...this.#events.values()].filter((event) => matchFilter(filter, event));
    found.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
    return found.slice(0, limit);
  }

  #serve(socket: WebSocket): void {
    this.#listening.set(socket, new Map());
    socket.on('error', () => {});
    socket.on('close', () => this.#listening.delete(socket));
    const comparisons = new Map<string, RelayEvent[]>();
    socket.on('message', (data) => {
      const [type, id, ...rest] = JSON.parse(String(data));
      if (++this.questions === this.#traits.breaksAt) socket.terminate();
      else if (type.startsWith('NEG-')) this.#compare([type, id, ...rest], socket, comparisons);
      else this.#answer([type, id, ...rest], socket);
    });
  }

  #answer([type, id, ...filters]: [string, string, ...Filter[]], socket: WebSocket): void {
    if (type === 'EVENT') {
      const event = id as unknown as RelayEvent;
      this.publish([event]);
      say(socket, 'OK', event.id, true, '');
      return;
    }
    const subscriptions = this.#listening.get(socket);
    subscriptions?.delete(id);
    if (type !== 'REQ') return;
    const { cap, closes, intrudes } = this.#traits;
    if (closes) {
      say(socket, 'CLOSED', id, 'restricted: go away');
      return;
    }
    const found = filters.flatMap((filter) => this.#find({ ...filter, limit: Math.min(filter.limit ?? cap, cap) }));
    for (const event of [...new Set(found), ...intrudes]) say(socket, 'EVENT', id, event);
    say(socket, 'EOSE', id);
    subscriptions?.set(id, filters);
  }

  #compare(
    [type, id, ...rest]: [string, string, ...unknown[]],
    socket: WebSocket,
    comparisons: Map<string, RelayEvent[]>,
  ): void {
    if (!this.#traits.compares || type === 'NEG-CLOSE') return;
    if (type === 'NEG-OPEN') comparisons.set(id, this.#find(rest[0] as Filter));
    say(socket, 'NEG-MSG', id, answerComparison(comparisons.get(id)!, rest.at(-1) as string));
  }
}

function say(socket: WebSocket, ...message: unknown[]): void {
  socket.send(JSON.stringify(message));
}
