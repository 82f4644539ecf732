import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Bytes of an IPv6 address that a provider gives to one customer; of the rest anybody has as many as they like. */
const NETWORK_BYTES = 8;

/**
 * Who is at the other end, as far as budgets go: an IPv4 address, or the /64 network of an IPv6 one. Each proxy adds the
 * address it was asked from to `X-Forwarded-For`, so that only what the trusted ones wrote there is believed.
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

/** Undefined for what is no address: a proxy may write a name there. */
export function networkOf(text: string): string | undefined {
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return Buffer.from(address.toByteArray().slice(0, NETWORK_BYTES)).toString('hex');
}
