import { once } from 'node:events';
import net from 'node:net';
import os from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../platform/testing/free-port.ts';
import { claimPorts, type ServiceSettings } from './ports.ts';

const SETTINGS = {
  ...{ host: '127.0.0.1', port: 0, edgeHost: '127.0.0.1', edgePort: 0 },
  ...{ publicUrl: '', mediaUrl: '', operatorUrl: '' },
} as ServiceSettings;

const hasIpv6 = Object.values(os.networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));

test('the public URL is that of the address and of the port that was found', async () => {
  const { addresses, release } = await claimPorts(SETTINGS);
  await release();
  expect(addresses.port).toBeGreaterThan(0);
  const url = `http://127.0.0.1:${addresses.port}`;
  expect(addresses).toMatchObject({ publicUrl: url, mediaUrl: url, operatorUrl: url });
});

test.skipIf(!hasIpv6)('an IPv6 address is in brackets in the public URL', async () => {
  const { addresses, release } = await claimPorts({ ...SETTINGS, host: '::1' });
  await release();
  expect(addresses.publicUrl).toBe(`http://[::1]:${addresses.port}`);
});

test('the port for the edge, whose callers are trusted, is never the public one', async () => {
  const port = await freePort();
  await expect(claimPorts({ ...SETTINGS, port, edgePort: port })).rejects.toThrow('must differ');
});

// Only Linux has the names with which a service claims its ports.
test.skipIf(process.platform !== 'linux')('a port belongs to one service until it is released', async () => {
  const port = await freePort();
  const { release } = await claimPorts({ ...SETTINGS, port });
  await expect(claimPorts({ ...SETTINGS, port })).rejects.toThrow(`Port ${port} is in use`);
  await release();
  await (await claimPorts({ ...SETTINGS, port })).release();
});

test('a service that cannot get its second port releases the first port', async () => {
  const other = net.createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port: edgePort } = other.address() as net.AddressInfo;
  const port = await freePort();
  await expect(claimPorts({ ...SETTINGS, port, edgePort })).rejects.toThrow('set ZOETROPE_EDGE_PORT');
  await (await claimPorts({ ...SETTINGS, port })).release();
});
