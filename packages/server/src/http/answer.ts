import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { LIMITS } from '@zoetrope/contract';
import { LRUCache } from 'lru-cache';
import type { OperationName } from '../base/metrics.ts';
import { isNotModified } from './conditional.ts';

/** In the order of preference: Brotli makes the smaller file. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/**
 * How hard to try. Of an answer of 24 items Brotli's 5 takes 0.2 ms and saves a tenth over 4; 11 would take 27 ms.
 * Answers are compressed once and sent many times.
 */
const BROTLI_QUALITY = 5;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** An answer as it goes over the wire, in one encoding. */
interface Representation {
  body: Buffer;
  etag: string;
  /** Names and values in turn: written out of an object, they take Node half as long again. */
  headers: readonly string[];
}

/** A finished answer. */
export interface Answer extends Representation {
  operation: OperationName;
  /** The path of that, with a name for each parameter. */
  route: string;
  status: number;
  /** Headers beside those that follow from the bytes. */
  told: readonly string[];
  /** Compressed, from the second time on that somebody wants it so; undefined while that is being made. */
  compressed: Partial<Record<Encoding, Representation | undefined>>;
}

/** Bytes that fit one packet are not worth compressing. */
const SMALL = 1_400;

/** @param headers beside those that follow from the bytes: who may keep it, and how long */
export function toAnswer(
  from: Pick<Answer, 'operation' | 'route' | 'status'>,
  response: object,
  headers: Record<string, string>,
): Answer {
  const body = Buffer.from(JSON.stringify(response));
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const told = Object.entries(headers).flat();
  return { ...from, told, compressed: {}, ...represent(body, etag, told) };
}

function represent(body: Buffer, etag: string, told: readonly string[]): Representation {
  const own = ['content-type', 'application/json; charset=utf-8', 'content-length', String(body.length), 'etag', etag];
  return { body, etag, headers: [...told, ...own] };
}

/**
 * Straight to the socket: what the framework does for each header costs more than sending the bytes.
 * @param budget headers that say what is left of the caller's budget; names and values in turn
 * @returns length of the body that was sent
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
    response.writeHead(304, [...answer.told, 'etag', known, ...budget]).end();
    return 0;
  }
  // In one piece: a header set before would make Node take each of them by itself.
  response.writeHead(answer.status, [...chosen.headers, ...budget]).end(chosen.body);
  return chosen.body.length;
}

/** The tag of what the caller has already: who has it uncompressed, from when it was new, need not get it again. */
function knownOf(ifNoneMatch: string | undefined, chosen: Representation, plain: Answer): string | undefined {
  if (ifNoneMatch === undefined) return undefined;
  return [chosen.etag, plain.etag].find((etag) => isNotModified(ifNoneMatch, etag));
}

function representationFor(request: IncomingMessage, answer: Answer): Representation {
  const encoding = answer.body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  return (encoding && answer.compressed[encoding]) ?? answer;
}

/** Has an answer compressed for the next who wants it as this caller does. @returns when it is; undefined: nothing to do */
export function prepareCompressed(request: IncomingMessage, answer: Answer): Promise<void> | undefined {
  const { body, etag, told, compressed } = answer;
  const encoding = body.length < SMALL ? undefined : chooseEncoding(request.headers['accept-encoding']);
  if (encoding === undefined || encoding in compressed) return undefined;
  compressed[encoding] = undefined;
  return compress(encoding, body).then(
    (smaller) => {
      const own = `${etag.slice(0, -1)}-${encoding}"`;
      compressed[encoding] = represent(smaller, own, [...told, 'content-encoding', encoding]);
    },
    () => {}, // It goes out as it is.
  );
}

/** The encoding to send, undefined for none (RFC 9110, 12.5.3: a weight of 0 refuses, `*` stands for all others). */
export function chooseEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  return ENCODINGS.find((encoding) => (weights.get(encoding) ?? weights.get('*') ?? 0) > 0);
}

/** Compresses off this thread. */
export async function compress(encoding: Encoding, body: Buffer): Promise<Buffer> {
  if (encoding === 'gzip') return gzip(body);
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return brotli(body, { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length } });
}

/** Characters of addresses and of the keys they come to: some five thousand addresses. */
const ADDRESS_CHARACTERS = 1_000_000;

/**
 * Finished answers of one build and generation. The first question about another build or generation empties it, so
 * nothing outlives what it was made from.
 */
export class AnswerCache {
  readonly #answers: LRUCache<string, Answer> | undefined;
  /** What an address asks for. That does not depend on the build, so it outlives a swap. */
  readonly #keys: LRUCache<string, string>;
  #epoch = '';

  /** @param perf tells the milliseconds that answers kept for a time are kept by */
  constructor(maxBytes: number, perf: { now(): number } = performance) {
    this.#keys = new LRUCache({
      maxSize: ADDRESS_CHARACTERS,
      sizeCalculation: (key, address) => key.length + address.length,
    });
    if (maxBytes === 0) return;
    // Compressed forms come later, and take a fifth of it each at most.
    const sizeCalculation = ({ body }: Answer, key: string) => Math.ceil(body.length * 1.4) + key.length;
    this.#answers = new LRUCache({ maxSize: maxBytes, sizeCalculation, perf, ttlResolution: 0 });
  }

  /** The answer to an address that was asked before, without reading the address again. */
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

  /** @param seconds how long it may be given; as long as its epoch lasts if left out */
  set(epoch: string, key: string, answer: Answer, seconds?: number): void {
    const options = seconds === undefined ? {} : { ttl: seconds * 1_000 };
    if (epoch === this.#epoch) this.#answers?.set(key, answer, options);
  }

  noteAddress(address: string, key: string): void {
    this.#keys.set(address, key);
  }
}

/** What a browser lets a page read of an answer, beside the usual. */
const EXPOSED_HEADERS = 'RateLimit, RateLimit-Policy, Retry-After, X-Request-Id';

/** These let any page read an answer. */
export const READABLE = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED_HEADERS,
} as const;

/** What decides how long an answer may be kept, and by whom. */
export interface Nature {
  /** Made while a part of the service was down. */
  isDegraded: boolean;
  /** For this caller alone. */
  isPrivate: boolean;
  /** The build it was made from. */
  build: string;
  /** Of a "not found": the GIF that there is none of. */
  missing: string | undefined;
}

/** Those whom a listener answers: the callers themselves, or an edge that keeps answers for all of them. */
export interface Audience {
  /** What an answer tells of who may keep it, and how long. */
  tell(nature: Nature): Record<string, string>;
  /** The same of an image of a GIF. */
  tellOfImage(id: string): Record<string, string>;
  /** Seconds that a degraded answer is kept here; 0: not at all. */
  degradedSeconds: number;
  /** Whether an answer says what is left of its caller's budget. */
  hearsOfBudgets: boolean;
  sendMade: Send;
  sendKept: Send;
}

/** Sends an answer, with headers that say what is left of a budget. Gives the length of the body. */
type Send = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  budget: readonly string[],
) => number | Promise<number>;

/** Seconds that callers may keep an answer. */
export const MAX_AGE_S = 60;
/** Half of what a degraded answer may be cached is for us, and half for the caller who comes at the end of that. */
export const DEGRADED_S: number = LIMITS.degradedCacheSeconds / 2;

/** Callers keep what was for them to themselves. */
export const callers: Audience = {
  tell: ({ isDegraded }) => ({
    ...READABLE,
    'cache-control': `private, max-age=${isDegraded ? DEGRADED_S : MAX_AGE_S}`,
    vary: 'Accept-Encoding, Origin, Authorization, User-Agent',
  }),
  tellOfImage: () => ({}),
  degradedSeconds: DEGRADED_S,
  hearsOfBudgets: true,
  sendMade: sendAnswer,
  sendKept: sendKeptAnswer,
};

/** Most answers are wanted once: only what is wanted again is worth compressing. */
export function sendKeptAnswer(...[request, response, answer, budget]: Parameters<typeof sendAnswer>): number {
  prepareCompressed(request, answer)?.catch(() => {}); // then it goes out as it is
  return sendAnswer(request, response, answer, budget);
}
