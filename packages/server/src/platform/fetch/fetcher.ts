import { lookup as resolve } from 'node:dns';
import { isIP } from 'node:net';
import type { Agent, request } from 'undici';
import { isPublicAddress } from './address.ts';
import type { FetchConfig } from './config.ts';
import { DownloadError } from './download-error.ts';
import { BlockedAddress, guardedLookup, type Resolve } from './guard.ts';
import { isWebPort } from './ports.ts';

const MAX_REDIRECTS = 3;
/** A host that is there takes a connection within a second; a dead one would be waited for much longer. */
const CONNECT_MS = 5_000;
/** Servers that know no better send GIFs as plain bytes; pages and scripts are refused before they are read. */
const CONTENT_TYPE = /^(image\/|application\/octet-stream|binary\/octet-stream)/i;
/** Of all refusals only these say that it will not be there later. */
const GONE = new Set([404, 410]);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export interface DownloadOptions {
  /** The longest answer taken. */
  readonly maxBytes: number;
  /** For everything: names, redirects and all bytes. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Hears of bytes as they come, also of a download that fails. */
  readonly onBytes?: (bytes: number) => void;
}

/** The first bytes of an answer. */
export interface Beginning {
  readonly bytes: Uint8Array;
  /** Length of the whole file, where the server says it; of a file that was read to its end, always known. */
  readonly total: number | null;
}

/** What a test puts in the place of the internet. */
export interface Surroundings {
  /** Decides over addresses in the place of the configuration. */
  readonly allows?: (address: string) => boolean;
  /** Gives all addresses of a name. */
  readonly resolve?: Resolve;
}

/** Downloads of addresses that strangers wrote: they must not reach into the operator's network. */
export class Fetcher {
  readonly #allows: (address: string) => boolean;
  readonly #resolve: Resolve;
  #client: Promise<Client> | null = null;

  constructor(config: FetchConfig, surroundings: Surroundings = {}) {
    this.#allows = surroundings.allows ?? (config.allowPrivate ? () => true : isPublicAddress);
    this.#resolve = surroundings.resolve ?? resolve;
  }

  /** The bytes behind an http(s) address. Throws DownloadError, or the reason of `signal` when that aborts. */
  download(url: string, options: DownloadOptions): Promise<Uint8Array> {
    return this.#within(options, (signal) => this.#follow(url, signal, (answer) => take(answer, options)));
  }

  /**
   * The first bytes behind an http(s) address, at most `length` of them; the server is asked for no more. Throws as a
   * download does.
   */
  beginning(url: string, { length, ...options }: DownloadOptions & { readonly length: number }): Promise<Beginning> {
    const range = { range: `bytes=0-${length - 1}` };
    return this.#within(options, (signal) =>
      this.#follow(url, signal, (answer) => begin(answer, length, options.maxBytes), range),
    );
  }

  /** Whether a download would begin: throws as it would, and ends where the bytes would come. */
  probe(url: string, options: DownloadOptions): Promise<void> {
    return this.#within(options, (signal) => this.#follow(url, signal, (answer) => look(answer, options.maxBytes)));
  }

  async #within<Result>(options: DownloadOptions, act: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const deadline = AbortSignal.timeout(options.timeoutMs);
    const signal = options.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
    try {
      return await act(signal);
    } catch (error) {
      options.signal?.throwIfAborted();
      if (deadline.aborted) {
        throw new DownloadError('timed_out', `no whole answer within ${options.timeoutMs} ms`, { cause: error });
      }
      throw asDownloadError(error);
    }
  }

  async close(): Promise<void> {
    await (await this.#client)?.agent.destroy();
    this.#client = null;
  }

  /** Loaded by the first download: the library takes 25 MB of memory, and most threads never download. */
  #open(): Promise<Client> {
    const lookup = guardedLookup(this.#resolve, this.#allows);
    this.#client ??= import('undici').then(({ Agent, request }) => {
      return { request, agent: new Agent({ connect: { lookup, timeout: CONNECT_MS } }) };
    });
    return this.#client;
  }

  async #follow<Result>(
    start: string,
    signal: AbortSignal,
    read: (answer: Answer) => Promise<Result>,
    asked: Record<string, string> = {},
  ): Promise<Result> {
    const { request, agent } = await this.#open();
    let url = this.#check(start);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await request(url, {
        dispatcher: agent,
        signal,
        headers: { accept: 'image/gif, image/webp', 'accept-encoding': 'identity', 'user-agent': 'zoetrope', ...asked },
      });
      const location = answer.headers['location'];
      if (!REDIRECTS.has(answer.statusCode) || typeof location !== 'string') {
        return await read(answer).finally(() => abandon(answer));
      }
      abandon(answer);
      url = this.#check(location, url);
    }
    throw new DownloadError('too_many_redirects', `more than ${MAX_REDIRECTS} redirects`);
  }

  /** An address given by number is never looked up, so it is checked here. */
  #check(text: string, base?: URL): URL {
    const url = URL.parse(text, base?.href);
    if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
      throw new DownloadError('bad_url', 'only http and https addresses are downloaded');
    }
    if (url.username !== '' || url.password !== '') {
      throw new DownloadError('bad_url', 'addresses with a user or password in them are not downloaded');
    }
    if (!isWebPort(url.port)) throw new DownloadError('bad_url', `port ${url.port} is not one of the web`);
    const host = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !this.#allows(host)) throw new BlockedAddress();
    return url;
  }
}

interface Client {
  readonly request: typeof request;
  readonly agent: Agent;
}

type Answer = Awaited<ReturnType<typeof request>>;

function abandon({ body }: Answer): void {
  body.on('error', () => {}).destroy();
}

async function begin(answer: Answer, length: number, maxBytes: number): Promise<Beginning> {
  const { statusCode, headers, body } = answer;
  await look(answer, maxBytes, [200, 206]);
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
  if (start !== 0) throw new DownloadError('bad_status', 'the server sent another part than the first bytes');
  const said = total ?? (isWhole && statusCode === 200 ? read : null);
  if (said !== null && said > maxBytes) throw tooLarge(maxBytes);
  return { bytes: Buffer.concat(chunks).subarray(0, length), total: said };
}

/** Start and total of a `Content-Range: bytes 0-99/1234`; a total of `*` is not known. */
function readRange(header: unknown): [start: number, total: number | null] {
  const [, start = '-1', total = '*'] = /^bytes (\d{1,15})-\d{1,15}\/(\d{1,15}|\*)$/.exec(String(header)) ?? [];
  return [Number(start), total === '*' ? null : Number(total)];
}

function lengthOf(headers: Answer['headers']): number | null {
  const length = headers['content-length'];
  return typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

async function take(answer: Answer, options: DownloadOptions): Promise<Uint8Array> {
  await look(answer, options.maxBytes);
  return collect(answer.body, options);
}

/** Throws what an answer says of itself before its bytes. */
async function look(
  { statusCode, headers }: Answer,
  maxBytes: number,
  sound: readonly number[] = [200],
): Promise<void> {
  if (statusCode === 429) {
    const retryAfterMs = retryAfterOf(headers['retry-after']);
    throw new DownloadError('too_many_requests', 'the server wants fewer requests (429)', retryAfterMs);
  }
  if (!sound.includes(statusCode)) {
    const reason = GONE.has(statusCode) ? 'gone' : 'bad_status';
    throw new DownloadError(reason, `the answer has status ${statusCode}, not 200`);
  }
  const type = headers['content-type'];
  if (type !== undefined && !CONTENT_TYPE.test(String(type))) {
    throw new DownloadError('wrong_content_type', 'the answer is not an image by its content-type');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** In seconds; a date is read as no answer, as few servers send one. */
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
  return new DownloadError('too_large', `the answer is longer than ${maxBytes} bytes`);
}

/** What refused an address comes out of the socket as the cause of another error. */
function asDownloadError(error: unknown): DownloadError {
  if (error instanceof DownloadError) return error;
  const cause = (error as { cause?: unknown } | null)?.cause;
  for (const each of [error, cause]) {
    if (each instanceof BlockedAddress) return new DownloadError('private_address', each.message, { cause: error });
  }
  if ((error as NodeJS.ErrnoException | null)?.code === 'ENOTFOUND') {
    return new DownloadError('no_such_host', 'no server has this name', { cause: error });
  }
  return new DownloadError('unreachable', 'the server cannot be reached or broke off', { cause: error });
}
