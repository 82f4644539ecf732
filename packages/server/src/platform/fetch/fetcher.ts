import { lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import type { Agent, request } from 'undici';
import { isPublicAddress } from './address.ts';
import type { FetchConfig } from './config.ts';
import { DownloadError } from './download-error.ts';
import { BlockedAddress, guardedLookup, type Resolve } from './guard.ts';
import { isWebPort } from './ports.ts';

const MAX_REDIRECTS = 3;
/** Maximum time for connecting. A running host accepts a connection within a second. */
const CONNECT_MS = 5_000;
/**
 * Accepted content types. Some servers send GIFs as plain bytes. Pages and scripts are rejected before they are read.
 */
const CONTENT_TYPE = /^(image\/|application\/octet-stream|binary\/octet-stream)/i;
/** Only these statuses mean that the file is permanently gone. */
const GONE = new Set([404, 410]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface DownloadOptions {
  /** Maximum size of the response, in bytes. */
  readonly maxBytes: number;
  /** Maximum time for name look-up, redirects and all bytes together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with the number of bytes whenever bytes arrive, even if the download fails later. */
  readonly onBytes?: (bytes: number) => void;
  /** Accepted content types. By default, these are the types of images. */
  readonly contentType?: RegExp;
}

/** The first bytes of a response. */
export interface Beginning {
  readonly bytes: Uint8Array;
  /** Size of the whole file, if the server sends it. The size is always known if the file was read to its end. */
  readonly total: number | null;
}

/** Tests set these options to replace the internet. */
export interface Surroundings {
  /** Decides which addresses are allowed, instead of the configuration. */
  readonly allows?: (address: string) => boolean;
  /** Resolves a name to all its addresses. */
  readonly resolve?: Resolve;
}

/** Downloads from URLs that strangers wrote, without giving them access to the operator's network. */
export class Fetcher {
  readonly #allows: (address: string) => boolean;
  readonly #resolve: Resolve;
  #client: Promise<Client> | null = null;

  constructor(config: FetchConfig, surroundings: Surroundings = {}) {
    this.#allows = surroundings.allows ?? (config.allowPrivate ? () => true : isPublicAddress);
    this.#resolve = surroundings.resolve ?? resolve;
  }

  /** Downloads an http(s) URL. Throws DownloadError, or the reason of `signal` when aborted. */
  download(url: string, options: DownloadOptions): Promise<Uint8Array> {
    return this.#within(options, (signal) => this.#follow(url, signal, (answer) => take(answer, options)));
  }

  /**
   * Returns the first bytes of an http(s) URL, at most `length`. No more bytes are requested. Throws like `download`.
   */
  beginning(url: string, { length, ...options }: DownloadOptions & { readonly length: number }): Promise<Beginning> {
    const range = { range: `bytes=0-${length - 1}` };
    return this.#within(options, (signal) =>
      this.#follow(url, signal, (answer) => begin(answer, length, options), range),
    );
  }

  /** Checks whether a download would start. Throws like `download`, but ends before the body. */
  probe(url: string, options: DownloadOptions): Promise<void> {
    return this.#within(options, (signal) => this.#follow(url, signal, (answer) => look(answer, options)));
  }

  async #within<Result>(options: DownloadOptions, act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    try {
      return await act(signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (deadline.aborted) {
        throw new DownloadError('timed_out', `no complete response within ${options.timeoutMs} ms`, { cause: error });
      }
      throw asDownloadError(error);
    }
  }

  async close(): Promise<void> {
    const { agent, fresh } = (await this.#client) ?? {};
    await Promise.all([agent?.destroy(), fresh?.destroy()]);
    this.#client = null;
  }

  /** Loads the library on first use, because it takes 25 MB and most threads never download. */
  #open(): Promise<Client> {
    const lookup = guardedLookup(this.#resolve, this.#allows);
    this.#client ??= import('undici').then(({ Agent, request }) => {
      const connect = { lookup, timeout: CONNECT_MS };
      return { request, agent: new Agent({ connect }), fresh: new Agent({ connect, pipelining: 0 }) };
    });
    return this.#client;
  }

  async #follow<Result>(
    start: string,
    signal: AbortSignal,
    read: (answer: Answer) => Promise<Result>,
    asked: Record<string, string> = {},
  ): Promise<Result> {
    const client = await this.#open();
    let url = this.#check(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await ask(client, url, { ...HEADERS, ...asked }, signal);
      const location = answer.headers['location'];
      if (!REDIRECTS.has(answer.statusCode) || typeof location !== 'string') {
        return await read(answer).finally(() => abandon(answer));
      }
      abandon(answer);
      url = this.#check(location, url);
    }
    throw new DownloadError('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
  }

  /** Checks a URL. Numeric IP addresses are checked here, because they are never looked up. */
  #check(text: string, base?: URL): URL {
    const url = URL.parse(text, base?.href);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      throw new DownloadError('bad_url', 'the URL must start with http or https');
    }
    if (url.username !== '' || url.password !== '') {
      throw new DownloadError('bad_url', 'the URL must not contain a user name or password');
    }
    if (!isWebPort(url.port)) throw new DownloadError('bad_url', `port ${url.port} is not allowed`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.#allows(host)) throw new BlockedAddress();
    return url;
  }
}

interface Client {
  readonly request: typeof request;
  readonly agent: Agent;
  /** Opens a connection for each request. */
  readonly fresh: Agent;
}

type Answer = Awaited<ReturnType<typeof request>>;

const HEADERS = { accept: 'image/gif, image/webp', 'accept-encoding': 'identity', 'user-agent': 'zoetrope' };

/** Errors if a connection is closed before a response arrives. */
const CLOSED: ReadonlySet<unknown> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Requests a URL. A server can close a connection that it has kept open just when the next request arrives, so a request
 * without a response is repeated once, through a new connection.
 */
async function ask(
  { request, agent, fresh }: Client,
  url: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const options = { signal, headers };
  return request(url, { ...options, dispatcher: agent }).catch((error) => {
    if (!CLOSED.has(error?.code)) throw error;
    return request(url, { ...options, dispatcher: fresh });
  });
}

function abandon({ body }: Answer): void {
  body.on('error', () => {}).destroy();
}

async function begin(answer: Answer, length: number, options: DownloadOptions): Promise<Beginning> {
  const { statusCode, headers, body } = answer;
  const { maxBytes } = options;
  await look(answer, options, [200, 206]);
  const chunks: Uint8Array[] = [];
  let read = 0;
  let isWhole = true;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    read += chunk.length;
    if (read < length) continue;
    isWhole = read === length && statusCode === 206;
    break;
  }
  const [start, total] = statusCode === 206 ? readRange(headers['content-range']) : [0, lengthOf(headers)];
  if (start !== 0) throw new DownloadError('bad_status', 'the server did not send the first bytes, but another part');
  const said = total ?? (isWhole && statusCode === 200 ? read : null);
  if (said !== null && said > maxBytes) throw tooLarge(maxBytes);
  return { bytes: Buffer.concat(chunks).subarray(0, length), total: said };
}

/**
 * Returns the start and total of a header such as `Content-Range: bytes 0-99/1234`. A total of `*` means that the total
 * is unknown.
 */
function readRange(header: unknown): [start: number, total: number | null] {
  const [, start = '-1', total = '*'] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(String(header)) ?? [];
  return [Number(start), total === '*' ? null : Number(total)];
}

function lengthOf(headers: Answer['headers']): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

async function take(answer: Answer, options: DownloadOptions): Promise<Uint8Array> {
  await look(answer, options);
  return collect(answer.body, options);
}

/** Throws if a response's headers show that the file must be rejected. */
async function look(
  { statusCode, headers }: Answer,
  { maxBytes, contentType = CONTENT_TYPE }: DownloadOptions,
  sound: readonly number[] = [200],
): Promise<void> {
  if (statusCode === 429) {
    const retryAfterMs = retryAfterOf(headers['retry-after']);
    throw new DownloadError('too_many_requests', 'the server limits requests (429)', retryAfterMs);
  }
  if (!sound.includes(statusCode)) {
    const reason = GONE.has(statusCode) ? 'gone' : 'bad_status';
    throw new DownloadError(reason, `the server returned status ${statusCode} instead of 200`);
  }
  const type = headers['content-type'];
  if (type !== undefined && !contentType.test(String(type))) {
    const expected = contentType === CONTENT_TYPE ? 'an image' : 'the expected one';
    throw new DownloadError('wrong_content_type', `the content-type is not ${expected}`);
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** Reads a Retry-After header in seconds. Dates are ignored, because few servers send dates. */
function retryAfterOf(header: unknown): { retryAfterMs?: number } {
  return /^\d{1,6}$/.test(String(header)) ? { retryAfterMs: Number(header) * 1_000 } : {};
}

async function collect(body: AsyncIterable<Uint8Array>, { maxBytes, onBytes }: DownloadOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    onBytes?.(chunk.length);
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): DownloadError {
  return new DownloadError('too_large', `the response is larger than ${maxBytes} bytes`);
}

/**
 * Turns any error into a DownloadError. If the look-up rejects an address, the look-up's error is the `cause` of a
 * socket error.
 */
function asDownloadError(error: unknown): DownloadError {
  if (error instanceof DownloadError) return error;
  const cause = (error as { cause?: unknown } | null)?.cause;
  for (const each of [error, cause]) {
    if (each instanceof BlockedAddress) return new DownloadError('private_address', each.message, { cause: error });
  }
  if ((error as NodeJS.ErrnoException | null)?.code === 'ENOTFOUND') {
    return new DownloadError('no_such_host', 'the host does not exist', { cause: error });
  }
  return new DownloadError('unreachable', 'the server cannot be reached, or it closed the connection', {
    cause: error,
  });
}
