import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is handed out to networks; everything public lies in it. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address belongs to the public internet. Private, loopback, link-local (cloud metadata),
 * carrier-grade NAT, multicast and reserved ones do not, nor do IPv6 ways of writing any IPv4 address
 * other than a public one, nor what is no address at all.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // turns ::ffff:a.b.c.d into a.b.c.d
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}
