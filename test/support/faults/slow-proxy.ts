import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A TCP proxy on 127.0.0.1 that can deliver data late. */
export interface SlowProxy {
  port: number;
  /** Returns the delay of the next piece of data, in milliseconds. Without this function, nothing is delayed. */
  delay: (() => number) | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a proxy. Pieces of a connection keep their order. So one late piece delays the pieces after it, like a lost
 * packet that must be sent again.
 */
export async function startSlowProxy(target: { host?: string; port: number }): Promise<SlowProxy> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((incoming) => {
    const outgoing = net.connect({ host: '127.0.0.1', ...target });
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {}); // `pass` ends the other side
      socket.on('close', () => sockets.delete(socket));
    }
    pass(incoming, outgoing).catch(() => outgoing.destroy());
    pass(outgoing, incoming).catch(() => incoming.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: SlowProxy = {
    port: (server.address() as AddressInfo).port,
    delay: undefined,
    async stop() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };

  async function pass(from: net.Socket, to: net.Socket): Promise<void> {
    for await (const piece of from) {
      const ms = proxy.delay?.() ?? 0;
      if (ms > 0) await wait(ms);
      if (!to.write(piece)) await once(to, 'drain');
    }
    to.end();
  }

  return proxy;
}
