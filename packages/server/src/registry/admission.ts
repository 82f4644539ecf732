import type { IncomingHttpHeaders } from 'node:http';
import { LIMITS } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { ServiceError } from '../base/errors.ts';
import type { Log } from '../base/log.ts';
import { singleFlight } from '../platform/cache/index.ts';
import type { Caller, Client, Identifier, LookUp } from './callers.ts';
import { isKey } from './identifiers/api-key.ts';
import { parseOrigin } from './identifiers/origin.ts';

/** Longer is no app's name; it also bounds what a cache of them can hold. */
const MAX_USER_AGENT = 512;

/** The scheme's name in any case, by RFC 9110, section 11.1. */
const BEARER = /^bearer (\S+)$/i;

/**
 * The header that decides, as it came: of Origin, Authorization and User-Agent the first that is there; undefined for none
 * of them. An opaque `null` Origin counts as none.
 */
function findHeader(headers: IncomingHttpHeaders): Identifier | undefined {
  const { origin, authorization } = headers;
  if (origin !== undefined && origin !== 'null') return { kind: 'origin', value: origin };
  if (authorization !== undefined) return { kind: 'key', value: authorization };
  const userAgent = headers['user-agent'];
  return userAgent ? { kind: 'user-agent', value: userAgent } : undefined;
}

/** The same. @throws ServiceError `client_not_registered` when there is none of them */
function decidingHeader(headers: IncomingHttpHeaders): Identifier {
  const header = findHeader(headers);
  if (header === undefined) throw new ServiceError('client_not_registered', UNKNOWN);
  return header;
}

/**
 * What the registry is asked for a header. What no client can have registered is refused here, so that it costs no
 * question: schemes other than http and https, several origins in one header, a key whose checksum is wrong.
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

const SUSPENDED = 'This client is suspended: its owners find the reason in the dashboard';

const UNKNOWN = 'The request names no registered client: send a registered Origin, API key or User-Agent';

/** What a caller hears who is nobody we know. A key that is wrong is not repeated. */
function notRegistered({ kind, value }: Identifier, isSuspended = false): ServiceError {
  if (isSuspended) return new ServiceError('client_not_registered', SUSPENDED);
  const messages = {
    origin: `The origin ${value.slice(0, 200)} is not registered`,
    key: 'The API key in Authorization is not registered; it must be sent as Bearer',
    'user-agent': UNKNOWN,
  };
  return new ServiceError('client_not_registered', messages[kind]);
}

/** The built-in client that everybody shares while developing. */
const DEVELOPMENT: Client = { id: 'development', name: 'Development (localhost)', isDevelopment: true };

/** http or https, a loopback name of the specification, any port. */
const DEVELOPMENT_ORIGIN = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;

/** How long an answer of the registry may be used, by the specification, should word of a change not come. */
const KNOWN_MS = 1_000 * LIMITS.admissionGrantedCacheSeconds;
const REFUSED_MS = 1_000 * LIMITS.admissionRefusedCacheSeconds;

/**
 * Answers kept for each header, of each sort. A caller can make up as many strangers, subdomains and versions of an app
 * as it likes, so these never push out those who are registered by their very name and call by it.
 */
const ENTRIES = { exact: 16_384, matched: 4_096, refused: 4_096 };

/** When a caller may try again while the registry is down. */
const RETRY_AFTER_S = 10;

interface Kept {
  client: Client | null;
  /** Of who is refused: whether its client is known, but kept out. */
  isSuspended?: boolean;
  /** Milliseconds since the Unix epoch. */
  until: number;
}

/** What the registry answered about the values of one header. */
class Answers {
  readonly #exact = new LRUCache<string, Kept>({ max: ENTRIES.exact });
  readonly #matched = new LRUCache<string, Kept>({ max: ENTRIES.matched });
  readonly #refused = new LRUCache<string, Kept>({ max: ENTRIES.refused });

  get(value: string): Kept | undefined {
    return this.#exact.get(value) ?? this.#matched.get(value) ?? this.#refused.get(value);
  }

  set(value: string, caller: Caller | 'suspended' | null, now: number): void {
    for (const answers of this.#all()) answers.delete(value);
    if (caller === null || caller === 'suspended') {
      this.#refused.set(value, { client: null, isSuspended: caller !== null, until: now + REFUSED_MS });
    } else (caller.isExact ? this.#exact : this.#matched).set(value, { client: caller.client, until: now + KNOWN_MS });
  }

  clear(): void {
    for (const answers of this.#all()) answers.clear();
  }

  #all(): LRUCache<string, Kept>[] {
    return [this.#exact, this.#matched, this.#refused];
  }
}

export interface AdmissionParts {
  lookUp: LookUp;
  clock: Clock;
  log: Log;
}

/** Tells who is calling, from what the registry answered before as far as that goes. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** One for each header, so that no text has to be put together to find a caller. */
  readonly #answers: Record<Identifier['kind'], Answers> = {
    origin: new Answers(),
    key: new Answers(),
    'user-agent': new Answers(),
  };
  readonly #fly = singleFlight<Client | 'suspended' | null>();
  /** Counts changes of the registry: what was asked before one must not be kept after it. */
  #epoch = 0;
  /** An outage is told once, however many ask meanwhile. */
  #isDown = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Who a request says it comes from: at once for the development client and whoever was asked about lately. Of Origin,
   * Authorization and User-Agent the first one present decides alone; an opaque `null` Origin counts as absent.
   * Throws or rejects with ServiceError `client_not_registered`, or `registry_unavailable` for callers not known by then.
   */
  identify(headers: IncomingHttpHeaders): Client | Promise<Client> {
    const header = decidingHeader(headers);
    const client = this.#known(header, this.#parts.clock.now());
    if (client === undefined) return this.#ask(header);
    if (client === null) throw notRegistered(header, this.#answers[header.kind].get(header.value)?.isSuspended);
    return client;
  }

  /**
   * The same for who can be told at once; undefined for whoever is refused, or has to be asked about.
   * @param now milliseconds since the Unix epoch
   */
  known(headers: IncomingHttpHeaders, now: number): Client | undefined {
    const header = findHeader(headers);
    return (header && this.#known(header, now)) ?? undefined;
  }

  /**
   * Whole seconds for which what `identify` has just said, or refused to, may be used where no word of changes comes; 0
   * when that was asked of a registry that has changed since.
   */
  secondsLeft(headers: IncomingHttpHeaders): number {
    let header: Identifier;
    try {
      header = decidingHeader(headers);
      if (header.kind === 'origin' && isDevelopment(header.value)) return KNOWN_MS / 1_000;
      readIdentifier(header);
    } catch {
      // What nobody can have registered is refused whatever the registry says.
      return REFUSED_MS / 1_000;
    }
    const kept = this.#answers[header.kind].get(header.value);
    return kept === undefined ? 0 : Math.max(0, Math.floor((kept.until - this.#parts.clock.now()) / 1_000));
  }

  /** Forgets all answers: the registry has changed. */
  clear(): void {
    this.#epoch++;
    for (const answers of Object.values(this.#answers)) answers.clear();
  }

  /** Null for who was refused; undefined for who has to be asked about. */
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
      // One origin can be spelled in thousands of ways, upper case and lower; only the way browsers do is kept as exact.
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
      if (!this.#isDown) this.#parts.log.error({ err: cause }, 'the client registry could not be asked');
      this.#isDown = true;
      const message = 'The client registry cannot be asked right now; try again soon';
      throw new ServiceError('registry_unavailable', message, { cause, retryAfter: RETRY_AFTER_S });
    }
  }
}

function isDevelopment(origin: string): boolean {
  const match = DEVELOPMENT_ORIGIN.exec(origin);
  return match !== null && Number(match[1] ?? 0) <= 65_535;
}
