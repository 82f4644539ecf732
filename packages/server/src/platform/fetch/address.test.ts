import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './address.ts';

/**
 * Networks that are not public according to the registries of special addresses (RFC 6890), or that contain IPv4
 * addresses.
 */
const NOT_PUBLIC: Readonly<Record<string, readonly string[]>> = {
  'this network': ['0.0.0.0/8'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'],
  'carrier-grade NAT': ['100.64.0.0/10'],
  loopback: ['127.0.0.0/8', '::1/128'],
  'link-local, with the metadata of clouds': ['169.254.0.0/16', '169.254.169.254/32', 'fe80::/10'],
  'the host of virtual machines in Azure': ['168.63.129.16/32'],
  'protocol assignments': ['192.0.0.0/24', '2001::/23'],
  documentation: ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  benchmarks: ['198.18.0.0/15', '2001:2::/48'],
  relays: ['192.88.99.0/24', '192.52.193.0/24', '192.31.196.0/24', '192.175.48.0/24', '2620:4f:8000::/48'],
  multicast: ['224.0.0.0/4', 'ff00::/8'],
  reserved: ['240.0.0.0/4', '255.255.255.255/32', '4000::/3', '8000::/1', '5f00::/16'],
  unspecified: ['::/128'],
  'discard-only': ['100::/64'],
  'local IPv6': ['fc00::/7', 'fec0::/10'],
  'IPv4 in IPv6, compatible': ['::/96'],
  'IPv4 in IPv6, translated': ['::ffff:0:0:0/96'],
  'IPv4 in IPv6, NAT64': ['64:ff9b::/96', '64:ff9b:1::/48'],
  'IPv4 in IPv6, 6to4': ['2002::/16'],
  'IPv4 in IPv6, Teredo': ['2001::/32'],
};

/** Generates any address of a network. */
function within(network: string): fc.Arbitrary<string> {
  const [base, length] = ipaddr.parseCIDR(network);
  const bytes = base.toByteArray();
  return fc.uint8Array({ minLength: bytes.length, maxLength: bytes.length }).map((random) => {
    const kept = (at: number) => 0xff & (0xff00 >> Math.max(0, Math.min(8, length - 8 * at)));
    const mixed = bytes.map((byte, at) => (byte & kept(at)) | (random[at]! & ~kept(at) & 0xff));
    return ipaddr.fromByteArray(mixed).toString();
  });
}

function edgesOf(network: string): string[] {
  const family = network.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  return [family.networkAddressFromCIDR(network).toString(), family.broadcastAddressFromCIDR(network).toString()];
}

const networks = Object.entries(NOT_PUBLIC).flatMap(([kind, list]) => list.map((network) => [kind, network] as const));

describe('isPublicAddress is false', () => {
  test.each(networks)('for %s, %s, including its first and last address', (_, network) => {
    for (const address of edgesOf(network)) expect(isPublicAddress(address), address).toBe(false);
    fc.assert(
      fc.property(within(network), (address) => {
        expect(isPublicAddress(address)).toBe(false);
      }),
    );
  });

  test('for IPv6 notations of IPv4 addresses that are not public', () => {
    const all = networks.map(([, network]) => network).filter((network) => !network.includes(':'));
    fc.assert(
      fc.property(fc.oneof(...all.map(within)), (address) => {
        const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
        for (const spelling of [`::ffff:${address}`, `::ffff:${hex}`, `::${hex}`, `64:ff9b::${hex}`, `2002:${hex}::`]) {
          expect(isPublicAddress(spelling), spelling).toBe(false);
        }
      }),
    );
  });

  test.each(['fe80::1%eth0', '::ffff:10.0.0.1%eth0', 'example.com', '1.2.3.4.5', '8.8.8.8 ', ''])('for %j', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '::ffff:8.8.8.8',
  '2001:4860:4860::8888',
  '2606:4700::1111',
  '2a00:1450::1',
])('isPublicAddress is true for %s', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});
