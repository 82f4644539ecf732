import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../base/errors.ts';
import { isKey } from './api-key.ts';
import { parseOrigin } from './origin.ts';

/** Who a request says it comes from, in the form the registry is asked in. */
export interface Identifier {
  kind: 'origin' | 'key' | 'user-agent';
  value: string;
}

/** Longer is no app's name; it also bounds what a cache of them can hold. */
const MAX_USER_AGENT = 512;

/** The scheme's name in any case, by RFC 9110, section 11.1. */
const BEARER = /^bearer (\S+)$/i;

/**
 * The header that decides, as it came: of Origin, Authorization and User-Agent the first that is there; undefined for none
 * of them. An opaque `null` Origin counts as none.
 */
export function findHeader(headers: IncomingHttpHeaders): Identifier | undefined {
  const { origin, authorization } = headers;
  if (origin !== undefined && origin !== 'null') return { kind: 'origin', value: origin };
  if (authorization !== undefined) return { kind: 'key', value: authorization };
  const userAgent = headers['user-agent'];
  return userAgent ? { kind: 'user-agent', value: userAgent } : undefined;
}

/** The same. @throws ServiceError `client_not_registered` when there is none of them */
export function decidingHeader(headers: IncomingHttpHeaders): Identifier {
  const header = findHeader(headers);
  if (header === undefined) throw new ServiceError('client_not_registered', UNKNOWN);
  return header;
}

/**
 * What the registry is asked for a header. What no client can have registered is refused here, so that it costs no
 * question: schemes other than http and https, several origins in one header, a key whose checksum is wrong.
 * @throws ServiceError `client_not_registered`
 */
export function readIdentifier({ kind, value }: Identifier): Identifier {
  const read = READERS[kind](value);
  if (read === null) throw notRegistered({ kind, value });
  return { kind, value: read };
}

const READERS: Record<Identifier['kind'], (value: string) => string | null> = {
  origin: parseOrigin,
  key(value) {
    const key = BEARER.exec(value)?.[1] ?? '';
    return isKey(key) ? key : null;
  },
  'user-agent': (value) => (value.length <= MAX_USER_AGENT ? value : null),
};

const SUSPENDED = 'This client is suspended: its owners find the reason in the dashboard';

const UNKNOWN = 'The request names no registered client: send a registered Origin, API key or User-Agent';

/** What a caller hears who is nobody we know. A key that is wrong is not repeated. */
export function notRegistered({ kind, value }: Identifier, isSuspended = false): ServiceError {
  if (isSuspended) return new ServiceError('client_not_registered', SUSPENDED);
  const messages = {
    origin: `The origin ${value.slice(0, 200)} is not registered`,
    key: 'The API key in Authorization is not registered; it must be sent as Bearer',
    'user-agent': UNKNOWN,
  };
  return new ServiceError('client_not_registered', messages[kind]);
}
