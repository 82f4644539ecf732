import { ServiceError } from '../base/errors.ts';

/** Matches a text that consists only of scheme, host and port, in the form that browsers send. */
const FORM = /^https?:\/\/(?:[^\p{Cc}\s/?#@\\%,*:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

const WILDCARD = /^(https:\/\/)\*\.(.+)$/i;

/** Matches at least two labels. The last label starts with a letter. IP addresses and local names do not match. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** Maximum length of an origin. The longest domain name with scheme and port is shorter. */
const MAX_LENGTH = 300;

/**
 * Parses an http or https origin into its canonical form for comparison, with lower case, IDN in ASCII and no default
 * port. Returns null for everything else.
 */
export function parseOrigin(text: string): string | null {
  if (text.length > MAX_LENGTH || !FORM.test(text)) return null;
  return URL.parse(text)?.origin ?? null;
}

/**
 * Returns the canonical form of an origin to register: `https://host`, `https://host:port`, or `https://*.domain` for
 * every subdomain at any depth, but not the domain itself.
 * @throws ServiceError `validation`
 */
export function canonicalOrigin(text: string): string {
  const wildcard = WILDCARD.exec(text.trim().replace(/\/$/, ''));
  const origin = parseOrigin(wildcard ? `${wildcard[1]}${wildcard[2]}` : text.trim().replace(/\/$/, ''));
  const { protocol, hostname = '', host } = (origin && URL.parse(origin)) || {};
  if (protocol !== 'https:' || hostname.length > 253 || !DOMAIN.test(hostname)) {
    throw new ServiceError(
      'validation',
      `origin must be https://HOST or https://*.DOMAIN with a full domain name and no path, not ${text.slice(0, 200)}`,
    );
  }
  return `https://${wildcard ? '*.' : ''}${host}`;
}

/** Returns the registered forms that would admit an origin (as `parseOrigin` returns it), narrowest first. */
export function matchingOrigins(origin: string): string[] {
  const [scheme, host] = origin.split('://') as [string, string];
  const labels = host.split('.');
  const parents = labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
  return [origin, ...parents.map((parent) => `${scheme}://*.${parent}`)];
}
