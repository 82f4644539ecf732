import ipaddr from 'ipaddr.js';

/** The range of IPv6 that is assigned to networks; all public addresses are in it. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address is on the public internet. Private, loopback, link-local (cloud metadata), carrier-grade NAT,
 * multicast and reserved addresses are not, nor IPv6 notations of non-public IPv4 addresses, nor invalid ones.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // turns ::ffff:a.b.c.d into a.b.c.d
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}
