import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import { ServiceError } from '../../base/errors.ts';
import type { S3Config } from './config.ts';

/** What a request is given before the store counts as down. */
export interface Patience {
  /** Until the head of an answer has come, and between two pieces of its body. */
  readonly timeoutMs: number;
  /** Before the second try; each further one waits twice as long. */
  readonly retryMs: number;
}

const PATIENCE: Patience = { timeoutMs: 10_000, retryMs: 100 };

const TRIES = 4;
const TRANSIENT = new Set([429, 500, 502, 503, 504]);

/** Uploads slower than this are given up: 100 kB a second. */
const SLOWEST_BYTES_PER_MS = 100;

/** Beyond it requests wait for each other, also while the store is slow. */
const MAX_CONNECTIONS = 128;

const RETRY_AFTER_SECONDS = 10;

/** No complaint of a store, and no page of 1,000 keys, is longer. */
const MAX_TEXT_BYTES = 4_000_000;

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE';
  /** Without the prefix; empty for the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

/** Sends signed requests to one bucket. What it throws names no key and no address: callers of the service may read it. */
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
   * The answer, whatever its status, with a body that is to be read by `bodyOf` or destroyed. Connections that break and
   * answers that call for another try get a few. Throws ServiceError `upstream_unavailable`.
   */
  async send(request: S3Request): Promise<http.IncomingMessage> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#sendOnce(request);
        if (!TRANSIENT.has(answer.statusCode!)) return answer;
        answer.destroy();
        throw new Error(`${request.method} is answered ${answer.statusCode}`);
      } catch (cause) {
        // Who has waited that long for nothing will not wait as long again.
        if (tries === TRIES || cause instanceof TimedOut) throw unavailable(cause);
      }
      await wait(this.#patience.retryMs * 2 ** (tries - 1));
    }
  }

  /** The body of an answer. A connection that breaks or stalls, or a body that ends early, makes it fail. */
  bodyOf(answer: http.IncomingMessage): Readable {
    const body = Readable.from(checkedBody(answer, this.#patience.timeoutMs), { objectMode: false });
    // What nobody has begun to read does not know that it was destroyed.
    return body.once('close', () => answer.destroy());
  }

  /** The body of an answer that is no blob. */
  async textOf(answer: http.IncomingMessage): Promise<string> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of this.bodyOf(answer)) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > MAX_TEXT_BYTES) throw unavailable(new Error('an answer without an end'));
    }
    return Buffer.concat(chunks).toString();
  }

  async #sendOnce(wanted: S3Request): Promise<http.IncomingMessage> {
    const { method, body } = wanted;
    const { url, headers } = await this.#sign(wanted);
    const deadline = this.#patience.timeoutMs + (body?.length ?? 0) / SLOWEST_BYTES_PER_MS;
    const request = this.#transport.request(url, { method, headers: Object.fromEntries(headers), agent: this.#agent });
    // What breaks after the head of the answer has come is seen where its body is read.
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

  /** The name of the object that a blob is kept as. */
  keyOf(key: string): string {
    const { prefix } = this.#config;
    return prefix === '' || prefix.endsWith('/') ? prefix + key : `${prefix}/${key}`;
  }
}

/** Time runs only while a piece is waited for: whoever reads may be slow. */
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
    super(`nothing came for ${Math.ceil(ms)} ms`);
  }
}

/** What callers hear of any trouble with the store; the log has the cause. */
export function unavailable(cause: unknown): ServiceError {
  const message = 'the media store is not available';
  return new ServiceError('upstream_unavailable', message, { cause, retryAfter: RETRY_AFTER_SECONDS });
}
