import ipaddr from 'ipaddr.js';

/** The range of IPv6 that is assigned to networks. All public IPv6 addresses are in this range. */
const GLOBAL_V6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/**
 * An address that looks public. Virtual machines in Azure reach their host at this address. Source: Microsoft's
 * documentation.
 */
const AZURE_HOST = '168.63.129.16';

/**
 * Returns whether an address is on the public internet. These addresses are not public: private, loopback, link-local
 * (cloud metadata), Azure's host, carrier-grade NAT, multicast and reserved ones, IPv6 notations of non-public IPv4
 * addresses, and invalid addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address); // turns ::ffff:a.b.c.d into a.b.c.d
  if (parsed.range() !== 'unicast' || parsed.toString() === AZURE_HOST) return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_V6);
}
