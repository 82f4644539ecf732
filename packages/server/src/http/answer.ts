import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { LIMITS } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { OperationName } from '../base/metrics.ts';
import { type JsonBytes, toJsonBytes } from '../builds/index.ts';
import { isNotModified } from './conditional.ts';

/** Supported encodings, the preferred one first. Brotli compresses better than gzip. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/**
 * For a response of 24 items, Brotli at quality 5 takes 0.2 ms, and the result is a tenth smaller than with quality 4.
 * Quality 11 would take 27 ms. Responses are compressed once and sent many times.
 */
const BROTLI_QUALITY = 5;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** A response as it is sent, in one encoding. */
interface Representation {
  body: Buffer;
  etag: string;
  /** Names and values alternate. With an object instead, Node would need 50 % more time. */
  headers: readonly string[];
}

/** A finished response. */
export interface Answer extends Representation {
  operation: OperationName;
  /** The route's path, with names for its parameters. */
  route: string;
  status: number;
  /** Headers that do not depend on the bytes. */
  fields: readonly string[];
  /** Compressed versions. Each version is made when its encoding is first requested. */
  compressed: Partial<Record<Encoding, Representation | Promise<void>>>;
}

/**
 * Minimum size of a body that is compressed, in bytes. A smaller body is not compressed, because it fits into one
 * packet.
 */
export const SMALL = 1_400;

/**
 * Creates a response.
 * @param headers the headers that do not depend on the bytes. They determine who can cache the response, and for how
 *   long.
 */
export function toAnswer(
  from: Pick<Answer, 'operation' | 'route' | 'status'>,
  body: Buffer,
  headers: Record<string, string>,
): Answer {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const fields = Object.entries(headers).flat();
  return { ...from, fields, compressed: {}, ...represent(body, etag, fields) };
}

/** Returns the body of a response. */
export function toBody<Response extends object>(response: Response): Buffer {
  return Buffer.from(JSON.stringify(response));
}

/** Returns the body of a response with a list of GIFs. @param head the other fields */
export function toListBody<Response extends { items: unknown }>(
  head: Omit<Response, 'items'>,
  items: readonly JsonBytes[],
): Buffer {
  return Buffer.from(`${toJsonBytes(head).slice(0, -1)},"items":[${items.join(',')}]}`, 'latin1');
}

/**
 * Returns bytes that share no memory. Node allocates small buffers as parts of blocks of 64 kB, and the compressor as
 * parts of blocks of 16 kB. A cached part would keep its whole block in memory.
 */
function toOwnMemory(body: Buffer): Buffer {
  if (body.byteLength === body.buffer.byteLength) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

function represent(body: Buffer, etag: string, fields: readonly string[]): Representation {
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length), 'etag', etag];
  return { body, etag, headers: [...fields, ...own] };
}

/**
 * Writes directly to the socket, because the framework's work for each header takes longer than sending the bytes.
 * @param budget rate limit headers, as alternating names and values
 * @returns length of the body
 */
export function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  budget: readonly string[],
): number {
  const chosen = representationFor(request, answer);
  const known = answer.status === 200 ? knownOf(request.headers['if-none-match'], chosen, answer) : undefined;
  if (known !== undefined) {
    response.writeHead(304, [...answer.fields, 'etag', known, ...budget]).end();
    return 0;
  }
  // All headers are written in a single call, because after a `setHeader`, Node would process each header separately.
  response.writeHead(answer.status, [...chosen.headers, ...budget]).end(chosen.body);
  return chosen.body.length;
}

/**
 * Returns the ETag of the caller's copy if the copy is current. The caller's copy can also be the uncompressed version.
 */
function knownOf(ifNoneMatch: string | undefined, chosen: Representation, plain: Answer): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return [chosen.etag, plain.etag].find((etag) => isNotModified(ifNoneMatch, etag));
}

function representationFor(request: IncomingMessage, answer: Answer): Representation {
  const encoding = encodingFor(request, answer);
  const made = encoding && answer.compressed[encoding];
  return made === undefined || made instanceof Promise ? answer : made;
}

function encodingFor(request: IncomingMessage, { body }: Answer): Encoding | undefined {
  return body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
}

/**
 * Compresses a response with the encoding that its caller prefers. @returns undefined if no compression is needed or
 * still running
 */
export function prepareCompressed(request: IncomingMessage, answer: Answer): Promise<void> | undefined {
  const { body, etag, fields, compressed } = answer;
  const encoding = encodingFor(request, answer);
  if (encoding === undefined) return undefined;
  const known = compressed[encoding];
  if (known !== undefined) return known instanceof Promise ? known : undefined;
  const making = compress(encoding, body).then(
    (smaller) => {
      const own = `${etag.slice(0, -1)}-${encoding}"`;
      compressed[encoding] = represent(toOwnMemory(smaller), own, [...fields, 'content-encoding', encoding]);
    },
    () => {
      // If compression fails, the response is sent uncompressed, to this caller and to later callers.
      compressed[encoding] = answer;
    },
  );
  compressed[encoding] = making;
  return making;
}

/**
 * Cache of chosen encodings, keyed by header. All browsers of one kind send the same header, so most requests have one
 * of a few headers.
 */
const chosenBefore = new LRUCache<string, Encoding | 'none'>({ max: 100 });
/** Maximum length of a cached header, in characters. The headers of browsers have about twenty characters. */
const REMEMBERED = 100;

/** Returns the encoding to use for a header `Accept-Encoding`, or undefined for no encoding. */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const known = chosenBefore.get(accepted);
  if (known !== undefined) return known === 'none' ? undefined : known;
  const chosen = readAccepted(accepted);
  if (accepted.length <= REMEMBERED) chosenBefore.set(accepted, chosen ?? 'none');
  return chosen;
}

/** According to RFC 9110, 12.5.3, weight 0 refuses an encoding, and `*` stands for all other encodings. */
function readAccepted(accepted: string): Encoding | undefined {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return ENCODINGS.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
}

/** Compresses on another thread. */
export async function compress(encoding: Encoding, body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return gzip(body);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return brotli(body, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } });
}

/**
 * Memory of a cached response in addition to its bytes, as measured: headers and objects, including those of the
 * compressed version.
 */
const ENTRY_BYTES = 2_000;
/** Maximum total length of the cached URLs and keys, in characters. This is enough for about five thousand URLs. */
const ADDRESS_CHARACTERS = 1_000_000;

/**
 * Caches finished responses of one build and generation. The first request for another build or generation empties the
 * cache. Therefore no response stays in the cache longer than the build from which it was made.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, Answer> | undefined;
  /** The cache key for each URL. The keys do not depend on the build, so they survive a swap. */
  readonly #keys: LRUCache<string, string>;
  #epoch = '';

  /** @param perf the clock, in milliseconds, for responses with a limited lifetime */
  constructor(maxBytes: number, perf: { now(): number } = performance) {
    this.#keys = new LRUCache({
      maxSize: ADDRESS_CHARACTERS,
      sizeCalculation: (key, address) => key.length + address.length,
    });
    if (maxBytes === 0) return;
    // Compressed versions are added later, and each takes at most a fifth of the body's size.
    const sizeCalculation = ({ body }: Answer, key: string) => ENTRY_BYTES + Math.ceil(body.length * 1.4) + key.length;
    this.#answers = new LRUCache({ maxSize: maxBytes, sizeCalculation, perf, ttlResolution: 0 });
  }

  /** Returns the response for a URL that was requested before, without parsing the URL again. */
  getByAddress(epoch: string, address: string): Answer | undefined {
    const key = this.#keys.get(address);
    return key === undefined ? undefined : this.get(epoch, key);
  }

  get(epoch: string, key: string): Answer | undefined {
    if (epoch !== this.#epoch) {
      this.#answers?.clear();
      this.#epoch = epoch;
    }
    return this.#answers?.get(key);
  }

  /** Caches a response. @param seconds lifetime. By default, the response is cached until the epoch changes. */
  set(epoch: string, key: string, answer: Answer, seconds?: number): void {
    const options = seconds === undefined ? {} : { ttl: seconds * 1_000 };
    if (epoch !== this.#epoch) return;
    answer.body = toOwnMemory(answer.body);
    this.#answers?.set(key, answer, options);
  }

  noteAddress(address: string, key: string): void {
    this.#keys.set(address, key);
  }
}

/** Additional response headers that pages can read. */
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/** Allows any page to read a response. */
export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const;

/** The facts that determine who can cache a response, and for how long. */
export interface Nature {
  /** Whether the response was made while a part of the service was down. */
  isDegraded: boolean;
  /** Whether the response is only for this caller. */
  isPrivate: boolean;
  /** The build from which the response was made. */
  build: string;
  /** Id of the missing GIF, if the response is "not found". */
  missing: string | undefined;
}

/** The audience of a listener. A listener serves callers directly, or an edge that caches responses for all callers. */
export interface Audience {
  /** Returns the cache headers for a response. */
  tell(nature: Nature): Record<string, string>;
  /** Returns the cache headers for an image of a GIF. */
  tellOfImage(id: string): Record<string, string>;
  /** Seconds for which a degraded response is cached in this process. If 0, degraded responses are not cached. */
  degradedSeconds: number;
  /** Whether responses have rate limit headers. */
  hearsOfBudgets: boolean;
}

/** Maximum number of seconds for which callers can cache a response. */
export const MAX_AGE_S = 60;
/**
 * Maximum number of seconds for which a degraded response is cached in this process. The contract limits the total
 * time. This cache uses half of that time, and callers use the other half.
 */
export const DEGRADED_S: number = LIMITS.degradedCacheSeconds / 2;

/** Audience of a listener that serves callers directly. Responses are private to the caller. */
export const callers: Audience = {
  tell: ({ isDegraded, isPrivate }) => ({
    ...READABLE,
    'cache-control': isPrivate ? 'no-store' : `private, max-age=${isDegraded ? DEGRADED_S : MAX_AGE_S}`,
    vary: 'Accept-Encoding, Origin, Authorization, User-Agent',
  }),
  tellOfImage: () => ({}),
  degradedSeconds: DEGRADED_S,
  hearsOfBudgets: true,
};

/**
 * Sends a response in the encoding that its caller prefers. On most connections, compression takes less time than it
 * saves. Returns the length of the body.
 */
export function sendCompressed(
  ...[request, response, answer, budget]: Parameters<typeof sendAnswer>
): number | Promise<number> {
  const making = prepareCompressed(request, answer);
  const send = () => sendAnswer(request, response, answer, budget);
  return making === undefined ? send() : making.then(send);
}
