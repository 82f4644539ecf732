import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Log } from '../base/log.ts';
import { networkOf } from './address.ts';

/**
 * Time after which idle connections are closed when the service stops. Busy connections first send one more response.
 */
const IDLE_MS = 500;

/**
 * Returns the interval between checks for requests that have exceeded the time limit. The interval is a tenth of the
 * time limit.
 */
export function checkInterval(requestTimeoutMs: number): number {
  return Math.ceil(requestTimeoutMs / 10);
}

/**
 * Closes new connections from an IP address that already has too many connections, because even idle connections take
 * memory.
 * @param most maximum number of connections per IP address on this listener; 0: no limit
 */
export function limitConnections(server: Server, most: number, log: Pick<Log, 'warn'>): void {
  if (most === 0) return;
  const open = new Map<string, number>();
  let isTold = false;
  server.on('connection', (socket: Socket) => {
    const address = networkOf(socket.remoteAddress ?? '') ?? '';
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      if (!isTold)
        log.warn({ most }, 'an address has too many connections; if it is a proxy, set ZOETROPE_TRUST_PROXY');
      isTold = true;
      return;
    }
    open.set(address, count);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

/**
 * Keeps idle connections open for a moment when the server closes. Node would close them immediately, even if a request
 * has already been sent.
 */
export function closeIdleLater(server: Server): void {
  const closeIdle = server.closeIdleConnections.bind(server);
  server.closeIdleConnections = () => {};
  setTimeout(closeIdle, IDLE_MS).unref();
}
