import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import { ServiceError } from '../../base/errors.ts';
import { VERSION } from '../../base/version.ts';
import { addressOf } from '../address.ts';
import type { HttpContext } from '../context.ts';
import type { Turns } from '../turns.ts';
import { findEvents } from './answer.ts';
import { Events } from './events.ts';
import { type Filter, RELAY_LIMITS, readMessage } from './filter.ts';

/** Connections of one thread. */
const MAX_CONNECTIONS = 2_000;
/** Maximum number of requests per connection that wait for their response. */
const MAX_WAITING = 20;
/** Maximum number of messages per connection in a period. */
const MAX_MESSAGES = 200;
const PERIOD_MS = 10_000;
/** Connections that did not answer a ping within this time are closed. */
const PING_MS = 30_000;
/** A caller that does not read is disconnected when this number of bytes waits to be sent. */
const MAX_UNREAD = 4 * 1024 * 1024;
const NOSTR_JSON = 'application/nostr+json';

const CLOSE = { goingAway: 1001, policy: 1008, tryLater: 1013 } as const;

/**
 * Registers a read-only Nostr relay at `/`: the GIFs as events of kind 1063, with full-text search (NIP-01, NIP-11,
 * NIP-50). Everybody can use it, with the limits that an IP address has on the service's pages.
 */
export async function registerRelay(app: FastifyInstance, context: HttpContext, turns: Turns): Promise<void> {
  const events = await Events.open(context.nostrKey);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: RELAY_LIMITS.message * 4,
    perMessageDeflate: false,
  });
  app.server.on('upgrade', (request, socket: Duplex, head) => {
    const isFull = sockets.clients.size >= MAX_CONNECTIONS;
    if (request.url?.split('?')[0] !== '/') refuse(socket, '404 Not Found');
    else if (isFull) refuse(socket, '503 Service Unavailable');
    else
      sockets.handleUpgrade(request, socket, head, (connection) => {
        listen(connection, { address: addressOf(request, context.trustedProxies), events, context, turns });
      });
  });
  const pings = setInterval(() => sockets.clients.forEach(ping), PING_MS).unref();
  app.addHook('onRequest', (request, reply, done) => {
    if (request.url.split('?')[0] !== '/' || !asksForInformation(request.raw)) return done();
    reply
      .headers({ 'access-control-allow-origin': '*', 'cache-control': 'no-store', vary: 'Accept' })
      .type(NOSTR_JSON)
      .send(JSON.stringify(informationOf(context, events.pubkey)));
  });
  app.addHook('preClose', (done) => {
    clearInterval(pings);
    for (const connection of sockets.clients) connection.close(CLOSE.goingAway, 'the service stops');
    sockets.close();
    done();
  });
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function asksForInformation({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && (headers.accept ?? '').includes(NOSTR_JSON);
}

/** Source: NIP-11. */
function informationOf({ operator, publicUrl }: HttpContext, pubkey: string): object {
  return {
    name: operator.name || 'Zoetrope',
    description: 'GIFs as events of kind 1063, with search. Events cannot be published here.',
    pubkey,
    contact: operator.url || publicUrl,
    supported_nips: [1, 11, 50, 94],
    software: 'zoetrope',
    version: VERSION,
    limitation: {
      max_message_length: RELAY_LIMITS.message,
      max_subscriptions: RELAY_LIMITS.subscriptions,
      max_filters: RELAY_LIMITS.filters,
      max_subid_length: RELAY_LIMITS.subscriptionId,
      auth_required: false,
      payment_required: false,
      restricted_writes: true,
    },
  };
}

const silent = new WeakSet<WebSocket>();

function ping(connection: WebSocket): void {
  if (silent.has(connection)) connection.terminate();
  else connection.ping();
  silent.add(connection);
}

function listen(connection: WebSocket, caller: Caller): void {
  const conversation = new Conversation(connection, caller);
  connection.on('pong', () => silent.delete(connection));
  connection.on('error', () => connection.terminate());
  connection.on('message', (data, isBinary) => {
    if (isBinary) connection.close(CLOSE.policy, 'messages are text');
    else conversation.take(String(data));
  });
}

interface Caller {
  address: string;
  events: Events;
  context: HttpContext;
  turns: Turns;
}

type Send = (...message: unknown[]) => void;

/** One connection. Its requests are answered one after the other. */
class Conversation {
  readonly #open = new Set<string>();
  readonly #connection: WebSocket;
  readonly #caller: Caller;
  #answered = Promise.resolve();
  #waiting = 0;
  #messages = 0;
  #periodEnd = 0;

  constructor(connection: WebSocket, caller: Caller) {
    this.#connection = connection;
    this.#caller = caller;
  }

  /** Handles a message of the client. */
  take(text: string): void {
    if (this.#isFlood()) {
      this.#connection.close(CLOSE.policy, `more than ${MAX_MESSAGES} messages in 10 s`);
      return;
    }
    const message = readMessage(text);
    if (message.type === 'wrong') this.#refuse(message.id, `invalid: ${message.problem}`);
    else if (message.type === 'EVENT') {
      this.#send('OK', message.id, false, 'blocked: events cannot be published here');
    } else if (message.type === 'CLOSE') this.#open.delete(message.id);
    else this.#request(message.id, message.filters);
  }

  readonly #send: Send = (...message) => {
    if (this.#connection.bufferedAmount > MAX_UNREAD) this.#connection.terminate();
    else this.#connection.send(JSON.stringify(message));
  };

  #isFlood(): boolean {
    const now = performance.now();
    if (now > this.#periodEnd) [this.#messages, this.#periodEnd] = [0, now + PERIOD_MS];
    return ++this.#messages > MAX_MESSAGES;
  }

  #refuse(id: string | undefined, reason: string): void {
    if (id !== undefined) this.#open.delete(id);
    if (id === undefined) this.#send('NOTICE', reason);
    else this.#send('CLOSED', id, reason);
  }

  #problemOf(id: string): string | undefined {
    if (this.#waiting >= MAX_WAITING) return 'rate-limited: too many requests are waiting';
    if (this.#open.has(id) || this.#open.size < RELAY_LIMITS.subscriptions) return undefined;
    return `error: at most ${RELAY_LIMITS.subscriptions} subscriptions`;
  }

  #request(id: string, filters: readonly Filter[]): void {
    const problem = this.#problemOf(id);
    if (problem !== undefined) {
      this.#refuse(id, problem);
      return;
    }
    this.#open.add(id);
    this.#waiting++;
    const answer = async () => {
      this.#waiting--;
      const isOpen = this.#open.has(id) && this.#connection.readyState === this.#connection.OPEN;
      const refusal = isOpen ? await answerRequest(id, filters, this.#caller, this.#send) : undefined;
      if (refusal !== undefined) this.#refuse(id, refusal);
    };
    this.#answered = this.#answered.then(answer).catch((error: unknown) => {
      this.#caller.context.log.error({ err: error }, 'a connection to the relay failed');
      this.#connection.terminate();
    });
  }
}

/** Sends the events for a request. @returns the reason if the request was refused */
async function answerRequest(
  id: string,
  filters: readonly Filter[],
  { address, events, context, turns }: Caller,
  send: Send,
): Promise<string | undefined> {
  const sent = new Set<string>();
  try {
    for (const filter of filters) {
      const verdict = context.limitPages(address);
      if (verdict?.allowed === false) return `rate-limited: try again in ${verdict.retryAfterSeconds} s`;
      const end = await turns.take();
      const parts = { events, context, lease: context.lease(), isWordsOnly: verdict?.isWordsOnly ?? false };
      const found = await findEvents(filter, parts).finally(end);
      for (const event of found) if (!sent.has(event.id)) send('EVENT', id, event);
      for (const event of found) sent.add(event.id);
    }
    // An open subscription gets no later events, because the catalogue changes rarely and people repeat their searches.
    send('EOSE', id);
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError) return `error: ${error.message}`;
    context.log.error({ err: error }, 'a request to the relay failed');
    return 'error: the service could not answer';
  }
}
