import { ServiceError } from '../errors.ts';

/** Who is calling, as far as admission, limits and the log need to know. */
export interface Client {
  id: string;
  name: string;
  /** The built-in one that everybody shares. */
  isDevelopment: boolean;
}

/** The built-in client that everybody shares while developing. */
const DEVELOPMENT: Client = { id: 'development', name: 'Development (localhost)', isDevelopment: true };

/** http or https, a loopback name of the specification, any port. */
const DEVELOPMENT_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;

/**
 * Who a request says it comes from. Of Origin, Authorization and User-Agent the first one present decides alone;
 * an opaque `null` Origin counts as absent. No registry exists yet, so only the development client is known.
 * @throws ServiceError client_not_registered
 */
export function identify(headers: Readonly<Record<string, string | string[] | undefined>>): Client {
  const origin = headers['origin'];
  if (typeof origin === 'string' && origin !== 'null') {
    const match = DEVELOPMENT_ORIGIN.exec(origin);
    if (match && Number(match[1] ?? 0) <= 65_535) return DEVELOPMENT;
    throw new ServiceError('client_not_registered', `The origin ${origin.slice(0, 200)} is not registered`);
  }
  throw new ServiceError(
    'client_not_registered',
    'The request names no registered client: send a registered Origin, API key or User-Agent',
  );
}
