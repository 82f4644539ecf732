import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import { isLoopback } from '../base/web-address.ts';

/**
 * Number of leading bytes of an IPv6 address that identify a customer of an internet provider. The customer can choose
 * the other bytes freely.
 */
const NETWORK_BYTES = 8;

/**
 * Returns the caller's address for rate limits, which is an IPv4 address or the /64 network of an IPv6 address. Each
 * proxy appends the address of its caller to `X-Forwarded-For`. Only the entries that trusted proxies appended are
 * used.
 */
export function addressOf({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const own = socket.remoteAddress ?? '';
  const hops = [...forwarded(headers['x-forwarded-for']), own];
  const hop = hops[Math.max(0, hops.length - 1 - trustedProxies)]!;
  return networkOf(hop) ?? networkOf(own) ?? '';
}

/**
 * Whether a request came from this machine and was sent to a host name that only this machine has. All entries of
 * `X-Forwarded-For` are checked, even those from untrusted proxies: callers can add entries, but cannot remove the
 * entry that a proxy on this machine appends.
 */
export function isLocal({ headers, socket }: IncomingMessage): boolean {
  const hops = [...forwarded(headers['x-forwarded-for']), socket.remoteAddress ?? ''];
  return hops.every(isLoopback) && isLoopback(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '');
}

function forwarded(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text === '' ? [] : text.split(',').map((hop) => hop.trim());
}

/**
 * Returns the network of an IP address, or undefined if the text is not an IP address. Proxies can write names instead
 * of addresses.
 */
export function networkOf(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, NETWORK_BYTES)).toString('hex');
}
