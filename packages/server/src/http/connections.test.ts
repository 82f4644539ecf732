import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { limitConnections } from './connections.ts';

/** Starts a server that greets callers. @returns a function that connects, and the log's function for warnings */
async function listen(most: number) {
  const warn = vi.fn();
  const server = net.createServer();
  limitConnections(server as Parameters<typeof limitConnections>[0], most, { warn });
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

  return { connect, warn };
}

test('the number of connections of an address is limited, and the log reports this once', async () => {
  const { connect, warn } = await listen(2);
  const first = await connect();
  expect(await connect()).toBeDefined();
  expect([await connect(), await connect()]).toEqual([undefined, undefined]);
  expect(warn).toHaveBeenCalledTimes(1);
  first!.destroy();
  await vi.waitFor(async () => expect(await connect()).toBeDefined(), { timeout: 480_000 });
  expect(await connect()).toBeUndefined();
});

test('with 0, an address has any number of connections', async () => {
  const { connect } = await listen(0);
  for (let n = 0; n < 3; n++) expect(await connect()).toBeDefined();
});
