/** The meaning of what somebody typed into the field for an origin. */
export type ReadOrigin =
  /** An origin that can be registered, repaired if necessary. */
  | { kind: 'origin'; origin: string }
  /** A page on the developer's machine, which needs no registration. */
  | { kind: 'local' }
  /** A page without https. `origin` is the same host with https. */
  | { kind: 'insecure'; origin: string }
  /** A scheme of apps, such as `capacitor://`, whose origins many apps share. */
  | { kind: 'app'; scheme: string }
  | { kind: 'unclear' };

const SCHEME = /^([a-z][a-z\d+.-]*):\/\//i;
const LOCAL = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
/** At least two labels, the last of which starts with a letter: neither an IP address nor a local name. */
const DOMAIN = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+[a-z](?:[a-z\d-]*[a-z\d])?$/;
const WILDCARD = '*.';

/** Reads a typed origin: adds a missing scheme, removes a path, and writes the host as browsers send it. */
export function readOrigin(typed: string): ReadOrigin {
  const text = typed.trim();
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase() ?? 'https';
  if (scheme !== 'https' && scheme !== 'http') return { kind: 'app', scheme };
  const rest = text.replace(SCHEME, '').replace(/^\/+/, '');
  const isWildcard = rest.startsWith(WILDCARD);
  const url = URL.parse(`${scheme}://${isWildcard ? rest.slice(WILDCARD.length) : rest}`);
  if (url === null) return { kind: 'unclear' };
  if (LOCAL.test(url.hostname)) return { kind: 'local' };
  if (!DOMAIN.test(url.hostname)) return { kind: 'unclear' };
  const origin = `https://${isWildcard ? WILDCARD : ''}${url.host}`;
  return scheme === 'http' ? { kind: 'insecure', origin } : { kind: 'origin', origin };
}
