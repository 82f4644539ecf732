import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const of = (remote: string, forwarded: string | undefined, proxies: number) =>
  addressOf(requestFrom(remote, forwarded), proxies);

test.each<[string, string, string | undefined, number, string]>([
  ['the socket speaks for itself', '192.0.2.1', undefined, 0, '192.0.2.1'],
  ['nobody is believed unasked', '192.0.2.1', '198.51.100.7', 0, '192.0.2.1'],
  ['one proxy is', '192.0.2.1', '198.51.100.7', 1, '198.51.100.7'],
  ['but only what it wrote itself', '192.0.2.1', '203.0.113.9, 198.51.100.7', 1, '198.51.100.7'],
  ['of two, the farther one', '192.0.2.1', '203.0.113.9,198.51.100.7', 2, '203.0.113.9'],
  ['who goes past a proxy is who asks', '192.0.2.1', undefined, 2, '192.0.2.1'],
  ['what is no address is none', '192.0.2.1', 'unknown', 1, '192.0.2.1'],
  ['nor is half an address', '192.0.2.1', '127.1', 1, '192.0.2.1'],
  ['IPv4 is IPv4 on every socket', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
])('%s', (_, ...[remote, forwarded, proxies, expected]) => {
  expect(of(remote, forwarded, proxies)).toBe(expected);
});

test('a closed socket has no address', () => {
  expect(addressOf(requestFrom(undefined), 0)).toBe('');
});

test('treats the addresses of one IPv6 network as one caller', () => {
  const group = fc.nat(0xffff).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  // ::ffff:0:0/96 holds the addresses of IPv4.
  const network = half.filter((groups) => groups.some((text) => text !== '0'));
  fc.assert(
    fc.property(network, network, half, half, (one, two, host, other) => {
      const at = (groups: string[], rest: string[]) => of([...groups, ...rest].join(':'), undefined, 0);
      expect(at(one, host)).toBe(at(one, other));
      expect(at(one, host) === at(two, host)).toBe(one.join() === two.join());
    }),
  );
});

test('any header has a result', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(5), (forwarded, proxies) => {
      expect(of('192.0.2.1', forwarded, proxies)).not.toBe('');
    }),
  );
});
