import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitConnections } from './connections.ts';

test('an address has at most so many connections at a time, and the log says so once', async () => {
  const warn = vi.fn();
  const server = net.createServer();
  limitConnections(server as Parameters<typeof limitConnections>[0], 2, { warn });
  server.on('connection', (socket) => void (socket.destroyed || socket.write('welcome')));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());

  /** Connects. @returns the connection, or undefined if the server closes it */
  async function connect(): Promise<net.Socket | undefined> {
    const socket = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    const isWelcome = new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
    return (await isWelcome) ? socket : undefined;
  }

  const first = await connect();
  expect(await connect()).toBeDefined();
  expect([await connect(), await connect()]).toEqual([undefined, undefined]);
  expect(warn).toHaveBeenCalledTimes(1);
  first!.destroy();
  await vi.waitFor(async () => expect(await connect()).toBeDefined(), { timeout: 480_000 });
  expect(await connect()).toBeUndefined();
});
