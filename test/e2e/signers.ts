import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { NostrConnectProvider, type NostrConnectProviderOptions, PrivateKeySigner } from 'applesauce-signers';
import { decrypt, encrypt, getConversationKey } from 'nostr-tools/nip44';
import { SimplePool } from 'nostr-tools/pool';
import { type Event, finalizeEvent, generateSecretKey, getPublicKey } from 'nostr-tools/pure';
import { startRelay, type TestRelay } from '../../packages/server/src/payments/testing/relay.ts';
import { makeCertificate } from './pages.ts';

/** The relay's host name for browsers. */
export const RELAY_HOST = 'relay.example';
const NOSTR_CONNECT = 24_133;

/** A relay. Pages reach it over wss, because they accept nothing else. Signers in this process need no TLS. */
export class Meeting {
  readonly relay: TestRelay;
  readonly pool = new SimplePool();
  readonly #front: tls.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(relay: TestRelay, front: tls.Server) {
    this.relay = relay;
    this.#front = front;
    front.on('secureConnection', (socket) => this.#sockets.add(socket));
  }

  /** @param folder the folder to which the certificate is written */
  static async start(folder: string): Promise<Meeting> {
    const relay = await startRelay();
    const { port } = new URL(relay.url);
    const front = tls.createServer(makeCertificate(folder), (socket) => {
      const onward = net.connect(Number(port), '127.0.0.1');
      socket.pipe(onward).pipe(socket);
      for (const end of [socket, onward]) end.on('error', () => {});
    });
    front.listen(0, '127.0.0.1');
    await once(front, 'listening');
    return new Meeting(relay, front);
  }

  /** Returns the relay's URL for browsers. */
  get url(): string {
    return `wss://${RELAY_HOST}:${(this.#front.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    this.pool.destroy();
    for (const socket of this.#sockets) socket.destroy();
    this.#front.close();
    await once(this.#front, 'close');
    await this.relay.stop();
  }

  /** Creates a bunker that runs another project's code, over this relay. */
  bunker(userKey: Uint8Array, options: Partial<NostrConnectProviderOptions> = {}): NostrConnectProvider {
    return new NostrConnectProvider({
      relays: [this.relay.url],
      upstream: new PrivateKeySigner(userKey),
      signer: new PrivateKeySigner(generateSecretKey()),
      subscriptionMethod: (_, filters) => this.#stream(filters[0]!),
      publishMethod: (_, event) => this.send(event),
      ...options,
    });
  }

  /**
   * Starts a bunker that sends the test's own responses. If a response is null, the bunker sends nothing. @returns the
   * bunker's URL
   */
  hostileBunker(answer: (request: { id: string; method: string; params: string[] }) => object | null): string {
    const key = generateSecretKey();
    const pubkey = getPublicKey(key);
    this.pool.subscribe(
      [this.relay.url],
      { kinds: [NOSTR_CONNECT], '#p': [pubkey] },
      {
        onevent: (event) => {
          const request = JSON.parse(decrypt(event.content, getConversationKey(key, event.pubkey)));
          const reply = answer(request);
          if (reply) void this.say(key, event.pubkey, { id: request.id, ...reply });
        },
      },
    );
    return `bunker://${pubkey}?relay=${encodeURIComponent(this.url)}&secret=once`;
  }

  /** Sends a NIP-46 message. */
  async say(key: Uint8Array, to: string, message: object): Promise<void> {
    const content = encrypt(JSON.stringify(message), getConversationKey(key, to));
    const created_at = Math.floor(Date.now() / 1000);
    await this.send(finalizeEvent({ kind: NOSTR_CONNECT, content, created_at, tags: [['p', to]] }, key));
  }

  async send(event: Event): Promise<void> {
    await Promise.all(this.pool.publish([this.relay.url], event));
  }

  #stream(filter: Parameters<SimplePool['subscribe']>[1]): ReadableStream<Event> {
    let subscription: { close(): void } | undefined;
    return new ReadableStream({
      start: (controller) => {
        subscription = this.pool.subscribe([this.relay.url], filter, { onevent: (event) => controller.enqueue(event) });
      },
      cancel: () => subscription?.close(),
    });
  }
}
