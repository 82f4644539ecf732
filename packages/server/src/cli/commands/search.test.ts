import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { Command } from 'commander';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addSearchCommands } from './search.ts';

const hasIpv6 = Object.values(os.networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'));
const NOTHING = { build: 'a', gen: 1, q: 'cat', semantic: false, count: 0, offset: 0, limit: 24, items: [] };

/**
 * Starts a service that finds nothing. @returns the port of the service, and the headers of the requests that it
 * receives
 */
async function startService(host: string) {
  const received: http.IncomingHttpHeaders[] = [];
  const server = http.createServer(({ headers }, response) => {
    received.push(headers);
    response.setHeader('content-type', 'application/json').end(JSON.stringify(NOTHING));
  });
  await once(server.listen(0, host), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, received };
}

/** Runs a command. @returns the lines that it prints */
async function run(args: string[]): Promise<string[]> {
  const printed: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(line));
  onTestFinished(() => log.mockRestore());
  const program = new Command('zoetrope').exitOverride();
  addSearchCommands(program);
  await program.parseAsync(args, { from: 'user' });
  return printed;
}

test.each(['0', '201', '999', '1.5', 'many'])('--limit %s is refused with its bounds', async (limit) => {
  const written = vi.spyOn(process.stderr, 'write').mockImplementation(() => true);
  onTestFinished(() => written.mockRestore());
  await expect(run(['search', 'cat', '--limit', limit])).rejects.toThrow('It must be a number from 1 to 200.');
});

test.each([
  { host: '127.0.0.1', at: '127.0.0.1', isThere: true },
  { host: '0.0.0.0', at: '127.0.0.1', isThere: true },
  { host: '::', at: '127.0.0.1', isThere: true },
  { host: '::1', at: '::1', isThere: hasIpv6 },
])('finds the service that listens on $host, and needs no key', async ({ host, at, isThere }) => {
  if (!isThere) return;
  const { port, received } = await startService(at);
  vi.stubEnv('ZOETROPE_HOST', host);
  vi.stubEnv('ZOETROPE_PORT', String(port));
  vi.stubEnv('ZOETROPE_KEY', 'zoe_of_another_service');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await run(['search', 'cat'])).toEqual(['Nothing found.']);
  expect(received).toMatchObject([{ origin: 'http://localhost' }]);
  expect(received[0]).not.toHaveProperty('authorization');
});
