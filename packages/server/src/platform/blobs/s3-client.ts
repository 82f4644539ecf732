import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { ServiceError } from '../../base/errors.ts';
import type { S3Config } from './config.ts';

/** Time limits for requests. If they are exceeded, the store counts as down. */
export interface Patience {
  /** Maximum time for the response headers, and between two pieces of the body. */
  readonly timeoutMs: number;
  /** Delay before the second attempt. The delay doubles for each further attempt. */
  readonly retryMs: number;
}

const PATIENCE: Patience = { timeoutMs: 10_000, retryMs: 100 };

const TRIES = 4;
const TRANSIENT = new Set([429, 500, 502, 503, 504]);

/** Minimum speed of an upload: 100 kB per second. Slower uploads are aborted. */
const SLOWEST_BYTES_PER_MS = 100;

/** Maximum number of connections, even if the store is slow. Further requests wait for a free connection. */
const MAX_CONNECTIONS = 128;

const RETRY_AFTER_SECONDS = 10;

/** Maximum size of a response that is not a blob, in bytes. Error messages and pages of 1,000 keys are smaller. */
const MAX_TEXT_BYTES = 4_000_000;

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Key without prefix. Empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/**
 * Sends signed requests to a bucket. Its errors contain no keys or URLs, because callers of the service can see them.
 */
export class S3Client {
  readonly #config: S3Config;
  readonly #patience: Patience;
  readonly #transport: typeof http | typeof https;
  readonly #agent: http.Agent;
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  readonly #bucketUrl: string;

  constructor(config: S3Config, patience = PATIENCE) {
    this.#config = config;
    this.#patience = patience;
    const { protocol, host } = new URL(config.endpoint);
    const { bucket, pathStyle } = config;
    this.#bucketUrl = pathStyle ? `${protocol}//${host}/${bucket}` : `${protocol}//${bucket}.${host}`;
    this.#transport = protocol === 'https:' ? https : http;
    this.#agent = new this.#transport.Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS });
  }

  /**
   * Returns a response of any status. The caller must read its body with `bodyOf` or destroy it. Broken connections and
   * temporary errors are retried a few times. Throws ServiceError `upstream_unavailable`.
   */
  async send(request: S3Request): Promise<http.IncomingMessage> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#sendOnce(request);
        if (!TRANSIENT.has(answer.statusCode!)) return answer;
        answer.destroy();
        throw new Error(`${request.method} returned ${answer.statusCode}`);
      } catch (cause) {
        // After a timeout there is no further attempt, because the caller has already waited long enough.
        if (tries === TRIES || cause instanceof TimedOut) throw unavailable(cause);
      }
      await wait(this.#patience.retryMs * 2 ** (tries - 1));
    }
  }

  /** Returns the body of a response. Fails if the connection breaks or stalls, or the body ends early. */
  bodyOf(answer: http.IncomingMessage): Readable {
    const body = Readable.from(checkedBody(answer, this.#patience.timeoutMs), { objectMode: false });
    // A stream that nobody reads does not detect that it was destroyed.
    return body.once('close', () => answer.destroy());
  }

  /** Returns the body of a response that is not a blob. */
  async textOf(answer: http.IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.bodyOf(answer)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_TEXT_BYTES) throw unavailable(new Error('the response is too long'));
    }
    return Buffer.concat(chunks).toString();
  }

  async #sendOnce(wanted: S3Request): Promise<http.IncomingMessage> {
    const { method, body } = wanted;
    const { url, headers } = await this.#sign(wanted);
    const deadline = this.#patience.timeoutMs + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS;
    const request = this.#transport.request(url, { method, headers: Object.fromEntries(headers), agent: this.#agent });
    // Errors after the headers are reported to the reader of the body.
    request.on('error', () => {});
    const timer = setTimeout(() => request.destroy(new TimedOut(deadline)), deadline);
    try {
      const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
      request.end(body);
      const [answer] = await answered;
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  #sign({ method, key, query, headers, body }: S3Request): Promise<{ url: URL; headers: Headers }> {
    const { region, accessKey, secretKey } = this.#config;
    const url = new URL(`${this.#bucketUrl}/${key === '' ? '' : this.keyOf(key)}`);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const length = body === undefined ? {} : { 'content-length': String(body.length) };
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      headers: { ...headers, ...length },
      service: 's3',
      region,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      cache: this.#signingKeys,
    });
    return signer.sign();
  }

  /** Returns the object name of a blob. */
  keyOf(key: string): string {
    const { prefix } = this.#config;
    return prefix === '' || prefix.endsWith('/') ? prefix + key : `${prefix}/${key}`;
  }
}

/**
 * Yields the body of a response. The time limit applies only while waiting for data, because the reader can be slow.
 */
async function* checkedBody(answer: http.IncomingMessage, timeoutMs: number): AsyncGenerator<Buffer> {
  const { 'content-length': length } = answer.headers;
  const startTimer = () => setTimeout(() => answer.destroy(new TimedOut(timeoutMs)), timeoutMs);
  let left = Number(length ?? 0);
  let timer = startTimer();
  try {
    for await (const chunk of answer) {
      clearTimeout(timer);
      left -= (chunk as Buffer).length;
      yield chunk as Buffer;
      timer = startTimer();
    }
    if (length !== undefined && left !== 0) throw new Error(`${left} bytes of ${length} are missing`);
  } catch (cause) {
    throw unavailable(cause);
  } finally {
    clearTimeout(timer);
  }
}

class TimedOut extends Error {
  constructor(ms: number) {
    super(`no data arrived for ${Math.ceil(ms)} ms`);
  }
}

/** Returns the error for callers, which is the same for all causes. The log contains the cause. */
export function unavailable(cause: unknown): ServiceError {
  const message = 'the media store is unavailable';
  return new ServiceError('upstream_unavailable', message, { cause, retryAfter: RETRY_AFTER_SECONDS });
}
