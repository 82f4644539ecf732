import type { ErrorCode } from './contract.ts';
import { GifError } from './errors.ts';

export interface CallOptions {
  limit?: number;
  signal?: AbortSignal;
}

/** The options for requests to a service. */
export interface Transport {
  /** Base URL of the service, without a trailing slash. */
  base: string;
  headers: Record<string, string>;
  fetch: typeof fetch;
  retries: number;
}

/**
 * Maximum automatic wait, in seconds. If the service asks for a longer wait, the caller gets an error with
 * `GifError.retryAfter`.
 */
const LONGEST_WAIT_S = 10;
/** Seconds to wait if the service does not say how long. */
const WAIT_S = 1;

/** Path of the service's description. Pages of all origins can read it. */
export const DESCRIPTION = '/.well-known/gif-search.json';

const UNREACHABLE = 'The GIF service did not respond: it is unavailable, or the network is down';

/**
 * Requests JSON. If the service is overloaded or partly unavailable, retries after the time that the service asks for.
 * @throws GifError, or the reason of `signal` when aborted
 */
export async function requestJson(transport: Transport, path: string, signal?: AbortSignal): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask(transport, path, signal);
    } catch (error) {
      const wait = error instanceof GifError ? waitOf(error) : undefined;
      if (wait === undefined || tries >= transport.retries) throw error;
      await sleep(wait * 1_000, signal);
    }
  }
}

function waitOf({ code, status, retryAfter = WAIT_S }: GifError): number | undefined {
  const isWorthIt = code === 'rate_limited' || status === 503;
  return isWorthIt && retryAfter <= LONGEST_WAIT_S ? retryAfter : undefined;
}

/** A response with its body. */
interface Answer {
  response: Response;
  text: string;
}

async function receive({ base, headers, fetch }: Transport, path: string, signal?: AbortSignal): Promise<Answer> {
  // With high priority, browsers send this request before requests for pictures.
  const response = await fetch(base + path, { headers, priority: 'high', ...(signal && { signal }) });
  return { response, text: await response.text() };
}

/**
 * Explains why there was no response. A browser does not show a page that the service refused its origin. But every
 * page can read the service's description. If the description can be read and the same request fails again, the origin
 * is not registered.
 */
async function hearAgain(transport: Transport, path: string, signal: AbortSignal | undefined, cause: unknown) {
  const { base } = transport;
  const origin = globalThis.location?.origin;
  const isOther = origin !== undefined && origin !== new URL(base).origin && path !== DESCRIPTION;
  const described = isOther ? await receive(transport, DESCRIPTION, signal).catch(() => undefined) : undefined;
  signal?.throwIfAborted();
  const description = described && (parse(described.text) as { registration?: unknown } | undefined);
  if (!described?.response.ok || typeof description?.registration !== 'string') {
    throw new GifError('unreachable', UNREACHABLE, { cause });
  }
  return receive(transport, path, signal).catch((cause) => {
    signal?.throwIfAborted();
    const message = `${origin} is not registered with ${base}. Register it at ${description.registration}`;
    throw new GifError('client_not_registered', message, { cause });
  });
}

async function ask(transport: Transport, path: string, signal?: AbortSignal): Promise<unknown> {
  const { base } = transport;
  const { response, text } = await receive(transport, path, signal).catch((cause) => {
    signal?.throwIfAborted();
    return hearAgain(transport, path, signal, cause);
  });
  const { status } = response;
  const body = parse(text) as { error?: { code?: unknown; message?: unknown } } | undefined;
  if (response.ok && body !== undefined) return body;
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  if (typeof body?.error?.code === 'string') {
    throw new GifError(body.error.code as ErrorCode, String(body.error.message), { status, retryAfter });
  }
  throw new GifError('unreadable', `${base} answered ${status}, but the response is not from this API`, {
    status,
    retryAfter,
  });
}

/** Returns the parsed object, or undefined for anything else. */
function parse(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the value of Retry-After in seconds. The header is in seconds or as a date (RFC 9110, section 10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

/** Waits, but only until `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}

/** Returns a query string of the parameters that have a value. */
export function queryOf(asked: Record<string, string | number | undefined>): string {
  const pairs = Object.entries(asked).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
