import ipaddr from 'ipaddr.js';

/** The range of IPv6 that is assigned to networks. All public IPv6 addresses are in this range. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** An address that looks public, at which virtual machines in Azure reach their host. Source: Microsoft's documentation. */
const AZURE_HOST = '168.63.129.16';

/**
 * Returns whether an address is on the public internet. Private, loopback, link-local (cloud metadata), the host of Azure,
 * carrier-grade NAT, multicast and reserved addresses are not public. Neither are IPv6 notations of non-public IPv4 addresses, nor
 * invalid addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // turns ::ffff:a.b.c.d into a.b.c.d
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}
