import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Length of the part of an IPv6 address that identifies a customer; the customer can choose the rest freely. */
const NETWORK_BYTES = 8;

/**
 * The caller's address for rate limits: an IPv4 address, or the /64 network of an IPv6 address. Each proxy appends the
 * address of its caller to `X-Forwarded-For`, so only the entries that trusted proxies added count.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? '';
  const hops = [...forwarded(headers['x-forwarded-for']), own];
  const hop = hops[Math.max(0, hops.length - 1 - trustedProxies)]!;
  return networkOf(hop) ?? networkOf(own) ?? '';
}

function forwarded(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text === '' ? [] : text.split(',').map((hop) => hop.trim());
}

/** Undefined if it is not an address; proxies can write names instead. */
export function networkOf(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, NETWORK_BYTES)).toString('hex');
}
