import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, isLocal } from './address.ts';

function requestFrom(remoteAddress: string | undefined, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { headers, socket: { remoteAddress } } as unknown as IncomingMessage;
}

const of = (remote: string, forwarded: string | undefined, proxies: number) =>
  addressOf(requestFrom(remote, forwarded), proxies);

test.each<[string, string, string | undefined, number, string]>([
  ['without proxies, the address is that of the socket', '192.0.2.1', undefined, 0, '192.0.2.1'],
  ['without proxies, X-Forwarded-For is ignored', '192.0.2.1', '198.51.100.7', 0, '192.0.2.1'],
  ['with one proxy, the entry that it added counts', '192.0.2.1', '198.51.100.7', 1, '198.51.100.7'],
  ['with one proxy, earlier entries are ignored', '192.0.2.1', '203.0.113.9, 198.51.100.7', 1, '198.51.100.7'],
  ['with two proxies, the entry of the outer one counts', '192.0.2.1', '203.0.113.9,198.51.100.7', 2, '203.0.113.9'],
  ['without the header, the socket counts behind proxies, too', '192.0.2.1', undefined, 2, '192.0.2.1'],
  ['an entry that is not an address is ignored', '192.0.2.1', 'unknown', 1, '192.0.2.1'],
  ['an incomplete address is ignored', '192.0.2.1', '127.1', 1, '192.0.2.1'],
  ['an IPv4 address mapped to IPv6 becomes IPv4', '::ffff:192.0.2.1', undefined, 0, '192.0.2.1'],
])('%s', (_, ...[remote, forwarded, proxies, expected]) => {
  expect(of(remote, forwarded, proxies)).toBe(expected);
});

test('a closed socket has no address', () => {
  expect(addressOf(requestFrom(undefined), 0)).toBe('');
});

test('treats the addresses of one IPv6 network as one caller', () => {
  const group = fc.nat(0xffff).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 });
  // ::ffff:0:0/96 is left out, because it contains the IPv4 addresses. Each of them counts as a separate caller.
  const network = half.filter((groups) => groups.some((text) => text !== '0'));
  fc.assert(
    fc.property(network, network, half, half, (one, two, host, other) => {
      const at = (groups: string[], rest: string[]) => of([...groups, ...rest].join(':'), undefined, 0);
      expect(at(one, host)).toBe(at(one, other));
      expect(at(one, host) === at(two, host)).toBe(one.join() === two.join());
    }),
  );
});

test('returns an address for any header', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(5), (forwarded, proxies) => {
      expect(of('192.0.2.1', forwarded, proxies)).not.toBe('');
    }),
  );
});

test.each<[boolean, string, string, string | undefined]>([
  [true, '127.0.0.1', '127.0.0.1:8080', undefined],
  [true, '::1', '[::1]:8080', undefined],
  [true, '::ffff:127.0.0.1', 'localhost', '127.0.0.1, ::1'],
  [false, '192.0.2.1', '127.0.0.1:8080', undefined],
  [false, '192.0.2.1', '127.0.0.1:8080', '127.0.0.1'],
  [false, '127.0.0.1', '127.0.0.1:8080', '192.0.2.1'],
  [false, '127.0.0.1', '127.0.0.1:8080', '127.0.0.1, 192.0.2.1'],
  [false, '127.0.0.1', 'gifs.example', undefined],
  [false, '127.0.0.1', 'localhost.example:8080', undefined],
  [false, '127.0.0.1', '', undefined],
])('it is %s that a request from %s to %s, forwarded for %s, is local', (expected, remote, host, forwarded) => {
  const { headers, socket } = requestFrom(remote, forwarded);
  expect(isLocal({ headers: { ...headers, host }, socket } as unknown as IncomingMessage)).toBe(expected);
});
