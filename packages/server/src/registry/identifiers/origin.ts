import { ServiceError } from '../../base/errors.ts';

/** Scheme, host and port as a browser sends them: nothing else is left of an address. */
const FORM = /^https?:\/\/(?:[^\p{Cc}\s/?#@\\%,*:[\]]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

const WILDCARD = /^(https:\/\/)\*\.(.+)$/i;

/** At least two labels, the last beginning with a letter: no address of a machine, no name of this network alone. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/;

/** Longer than any domain name with its scheme and port. */
const MAX_LENGTH = 300;

/**
 * An http or https origin in the one form that is compared: lower case, IDN in ASCII, without the port that goes without
 * saying. Null for everything else.
 */
export function parseOrigin(text: string): string | null {
  if (text.length > MAX_LENGTH || !FORM.test(text)) return null;
  return URL.parse(text)?.origin ?? null;
}

/**
 * The form an origin is registered in: `https://host`, `https://host:port` or, for every subdomain at any depth but not
 * the domain itself, `https://*.domain`.
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

/** What may be registered for an origin, as `parseOrigin` gives it, to be admitted: the narrowest first. */
export function matchingOrigins(origin: string): string[] {
  const [scheme, host] = origin.split('://') as [string, string];
  const labels = host.split('.');
  const parents = labels.slice(1).map((_, i) => labels.slice(i + 1).join('.'));
  return [origin, ...parents.map((parent) => `${scheme}://*.${parent}`)];
}
