import { once } from 'node:events';
import { type Event, EventRepository, type Filter } from '@nostr-relay/common';
import { NostrRelay } from '@nostr-relay/core';
import { Validator } from '@nostr-relay/validator';
import { matchFilter } from 'nostr-tools';
import { WebSocketServer } from 'ws';
import { freePort, untilFree } from '../../platform/testing/free-port.ts';

/** A Nostr relay on this machine that keeps its events in memory. */
export interface TestRelay {
  url: string;
  /** Public keys for whose messages a client has a subscription. */
  awaited: ReadonlySet<string>;
  /** Breaks all connections, and accepts no new connections until `up` is called. */
  down(): Promise<void>;
  up(): Promise<void>;
  stop(): Promise<void>;
}

class MemoryEvents extends EventRepository {
  readonly #events = new Map<string, Event>();

  isSearchSupported(): boolean {
    return false;
  }

  upsert(event: Event): { isDuplicate: boolean } {
    const isDuplicate = this.#events.has(event.id);
    this.#events.set(event.id, event);
    return { isDuplicate };
  }

  find({ limit = 500, ...filter }: Filter): Event[] {
    const found = [...this.#events.values()].filter((event) => matchFilter(filter as never, event));
    return found.sort((a, b) => b.created_at - a.created_at).slice(0, limit);
  }

  override async deleteByDeletionRequest(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

export async function startRelay(): Promise<TestRelay> {
  const relay = new NostrRelay(new MemoryEvents());
  const validator = new Validator();
  const awaited = new Set<string>();
  // The port is reserved, so that no other program gets it while the relay is down.
  const port = await freePort();
  let server = await listen();

  async function listen(): Promise<WebSocketServer> {
    const opened = new WebSocketServer({ port, host: '127.0.0.1' });
    opened.on('connection', (socket) => {
      relay.handleConnection(socket);
      socket.on('error', () => {});
      socket.on('close', () => relay.handleDisconnect(socket));
      socket.on('message', (data) => {
        validator
          .validateIncomingMessage(data as Buffer)
          .then(async (message) => {
            await relay.handleMessage(socket, message);
            for (const pubkey of pubkeysOf(message)) awaited.add(pubkey);
          })
          .catch((error: Error) => socket.send(JSON.stringify(['NOTICE', error.message])));
      });
    });
    await once(opened, 'listening');
    return opened;
  }

  async function down(): Promise<void> {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
    await untilFree(port);
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    awaited,
    down,
    async up() {
      server = await listen();
    },
    async stop() {
      await down();
      await relay.destroy();
    },
  };
}

function pubkeysOf([kind, , ...filters]: readonly unknown[]): string[] {
  return kind === 'REQ' ? filters.flatMap((filter) => (filter as { '#p'?: string[] })['#p'] ?? []) : [];
}
