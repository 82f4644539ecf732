import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { isKey, parseOrigin } from '../identifiers/index.ts';
import { singleFlight } from '../platform/cache/index.ts';
import type { Caller, Client, Identifier, LookUp } from './callers.ts';

/** Maximum length of an identifier. No app needs a longer identifier, and the limit bounds the size of caches. */
const MAX_USER_AGENT = 512;

/** Matches a header with a key. The scheme is case-insensitive (RFC 9110, section 11.1). */
const BEARER = /^bearer (\S+)$/i;

/**
 * Returns the header that identifies the caller, unchanged. Of Origin, Authorization and User-Agent, the first one in
 * the request is used. Returns undefined if none is present. The opaque origin `null` counts as absent.
 */
function findHeader(headers: IncomingHttpHeaders): Identifier | undefined {
  const { origin, authorization } = headers;
  if (origin !== undefined && origin !== 'null') return { kind: 'origin', value: origin };
  if (authorization !== undefined) return { kind: 'key', value: authorization };
  const userAgent = headers['user-agent'];
  return userAgent ? { kind: 'user-agent', value: userAgent } : undefined;
}

/**
 * Returns the same header as `findHeader`. @throws ServiceError `client_not_registered` if no such header is present
 */
function decidingHeader(headers: IncomingHttpHeaders): Identifier {
  const header = findHeader(headers);
  if (header === undefined) throw new ServiceError('client_not_registered', UNKNOWN);
  return header;
}

/**
 * Parses a header into an identifier. Values that nobody can register are rejected without a look-up. These are schemes
 * other than http and https, several origins in one header, and keys with a wrong checksum.
 * @throws ServiceError `client_not_registered`
 */
function readIdentifier({ kind, value }: Identifier): Identifier {
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

const SUSPENDED = 'This client is suspended. Its owners can see the reason in the dashboard';

const UNKNOWN = 'The request does not identify a registered client: send a registered Origin, API key or User-Agent';

/** Returns the error for unknown callers. The message does not contain a wrong key. */
function notRegistered({ kind, value }: Identifier, isSuspended = false): ServiceError {
  if (isSuspended) return new ServiceError('client_not_registered', SUSPENDED);
  const messages = {
    origin: `The origin ${value.slice(0, 200)} is not registered`,
    key: 'The API key in Authorization is not registered; it must be sent as Bearer',
    'user-agent': UNKNOWN,
  };
  return new ServiceError('client_not_registered', messages[kind]);
}

/** The built-in client for development, which all developers share. */
const DEVELOPMENT: Client = { id: 'development', name: 'Development (localhost)', isDevelopment: true };

/** Matches http or https, one of the specification's loopback names, and any port. */
const DEVELOPMENT_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;

/**
 * Time for which results from the registry are valid if the registry does not change. The specification sets this time.
 */
const KNOWN_MS = 1_000 * LIMITS.admissionGrantedCacheSeconds;
const REFUSED_MS = 1_000 * LIMITS.admissionRefusedCacheSeconds;

/**
 * Maximum number of cached results of each kind, per header. Callers can invent any number of unknown clients,
 * subdomains and app versions. The separate maxima ensure that their results never evict callers that are registered by
 * their exact value.
 */
const ENTRIES = { exact: 16_384, matched: 4_096, refused: 4_096 };

/** Seconds after which callers should retry while the registry is down. */
const RETRY_AFTER_S = 10;

interface CachedClient {
  client: Client | null;
  /** Whether the client is known but suspended. Set only for rejected callers. */
  isSuspended?: boolean;
  /** Milliseconds since the Unix epoch. */
  until: number;
}

/** Cached results of the registry for the values of one header. */
class Answers {
  readonly #exact = new LRUCache<string, CachedClient>({ max: ENTRIES.exact });
  readonly #matched = new LRUCache<string, CachedClient>({ max: ENTRIES.matched });
  readonly #refused = new LRUCache<string, CachedClient>({ max: ENTRIES.refused });

  get(value: string): CachedClient | undefined {
    return this.#exact.get(value) ?? this.#matched.get(value) ?? this.#refused.get(value);
  }

  set(value: string, caller: Caller | 'suspended' | null, now: number): void {
    for (const answers of this.#all()) answers.delete(value);
    if (caller === null || caller === 'suspended') {
      this.#refused.set(value, { client: null, isSuspended: caller !== null, until: now + REFUSED_MS });
    } else {
      const until = Math.min(now + KNOWN_MS, caller.expiresAt ?? Infinity);
      (caller.isExact ? this.#exact : this.#matched).set(value, { client: caller.client, until });
    }
  }

  clear(): void {
    for (const answers of this.#all()) answers.clear();
  }

  #all(): LRUCache<string, CachedClient>[] {
    return [this.#exact, this.#matched, this.#refused];
  }
}

export interface AdmissionParts {
  lookUp: LookUp;
  clock: Clock;
  log: Log;
}

/** Identifies callers, from the cache if possible. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** One cache per header, so that a look-up needs no combined key. */
  readonly #answers: Record<Identifier['kind'], Answers> = {
    origin: new Answers(),
    key: new Answers(),
    'user-agent': new Answers(),
  };
  readonly #fly = singleFlight<Client | 'suspended' | null>();
  /**
   * Number of changes to the registry. A result that was requested before a change must not be cached after the change.
   */
  #epoch = 0;
  /** Whether an outage has been logged. Each outage is logged only once. */
  #isDown = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Identifies the client of a request. Returns synchronously for the development client and for cached callers. Of the
   * headers Origin, Authorization and User-Agent, only the first that the request has is used. The opaque origin `null`
   * counts as absent. Throws or rejects with ServiceError `client_not_registered`, or `registry_unavailable` if the
   * registry is down and the caller is not cached.
   */
  identify(headers: IncomingHttpHeaders): Client | Promise<Client> {
    const header = decidingHeader(headers);
    const client = this.#known(header, this.#parts.clock.now());
    if (client === undefined) return this.#ask(header);
    if (client === null) throw notRegistered(header, this.#answers[header.kind].get(header.value)?.isSuspended);
    return client;
  }

  /**
   * Identifies the client like `identify`, but only from the cache. Returns undefined for callers that are rejected or
   * must be looked up.
   * @param now milliseconds since the Unix epoch
   */
  known(headers: IncomingHttpHeaders, now: number): Client | undefined {
    const header = findHeader(headers);
    return (header && this.#known(header, now)) ?? undefined;
  }

  /**
   * Returns for how many whole seconds a cache can use the last result of `identify` if the cache is not notified of
   * changes. Returns 0 if the registry has changed since that result.
   */
  secondsLeft(headers: IncomingHttpHeaders): number {
    let header: Identifier;
    try {
      header = decidingHeader(headers);
      if (header.kind === 'origin' && isDevelopment(header.value)) return KNOWN_MS / 1_000;
      readIdentifier(header);
    } catch {
      // Values that nobody can register are rejected even if the registry is down.
      return REFUSED_MS / 1_000;
    }
    const kept = this.#answers[header.kind].get(header.value);
    return kept === undefined ? 0 : Math.max(0, Math.floor((kept.until - this.#parts.clock.now()) / 1_000));
  }

  /** Clears the cache because the registry has changed. */
  clear(): void {
    this.#epoch++;
    for (const answers of Object.values(this.#answers)) answers.clear();
  }

  /**
   * Returns the client from the cache. Returns null for rejected callers, and undefined for callers that must be looked
   * up.
   */
  #known({ kind, value }: Identifier, now: number): Client | null | undefined {
    const kept = this.#answers[kind].get(value);
    if (kept !== undefined) return kept.until <= now ? undefined : kept.client;
    return kind === 'origin' && isDevelopment(value) ? DEVELOPMENT : undefined;
  }

  async #ask(header: Identifier): Promise<Client> {
    const { kind, value } = header;
    const identifier = readIdentifier(header);
    const epoch = this.#epoch;
    const client = await this.#fly(`${epoch} ${kind} ${value}`, async () => {
      const caller = await this.#lookUp(identifier);
      const isKnown = caller !== null && caller !== 'suspended';
      // Upper and lower case give an origin thousands of spellings. Only the spelling that browsers send counts as
      // exact.
      const isExact = isKnown && caller.isExact && value.endsWith(identifier.value);
      if (epoch === this.#epoch)
        this.#answers[kind].set(value, isKnown ? { ...caller, isExact } : caller, this.#parts.clock.now());
      return isKnown ? caller.client : caller;
    });
    if (client === null || client === 'suspended') throw notRegistered(header, client !== null);
    return client;
  }

  async #lookUp(identifier: Identifier): Promise<Caller | 'suspended' | null> {
    try {
      const caller = await this.#parts.lookUp(identifier);
      this.#isDown = false;
      return caller;
    } catch (cause) {
      if (!this.#isDown) this.#parts.log.error({ err: cause }, 'could not query the client registry');
      this.#isDown = true;
      const message = 'The client registry is unavailable right now; try again soon';
      throw new ServiceError('registry_unavailable', message, { cause, retryAfter: RETRY_AFTER_S });
    }
  }
}

function isDevelopment(origin: string): boolean {
  const match = DEVELOPMENT_ORIGIN.exec(origin);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}
